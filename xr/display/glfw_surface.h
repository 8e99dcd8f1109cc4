// Where Vulkan draws in a window of GLFW's. With Vulkan's headers.
#pragma once

#include <vector>

#include "xr/vulkan/vulkan.h"

struct GLFWwindow;

namespace tenon::xr {

/// Of instances. Throws GraphicsUnavailable where Vulkan cannot draw in windows.
std::vector<const char*> windowExtensions();
/// Throws GraphicsUnavailable.
vk::raii::SurfaceKHR surfaceOf(const vk::raii::Instance& instance, GLFWwindow* window);

}  // namespace tenon::xr
