// Vulkan surfaces of GLFW windows. Includes Vulkan's headers.
#pragma once

#include <vector>

#include "xr/vulkan/vulkan.h"

struct GLFWwindow;

namespace tenon::xr {

/// Instance extensions for windows. Throws GraphicsUnavailable if Vulkan cannot draw in windows.
std::vector<const char*> windowExtensions();
/// Throws GraphicsUnavailable.
vk::raii::SurfaceKHR surfaceOf(const vk::raii::Instance& instance, GLFWwindow* window);

}  // namespace tenon::xr
