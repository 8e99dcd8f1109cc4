// See glfw_surface.h.
#include "xr/display/glfw_surface.h"

#include <fmt/format.h>

#include "xr/display/glfw_session.h"
#include "xr/vulkan/graphics_unavailable.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace tenon::xr {

std::vector<const char*> windowExtensions() {
  std::uint32_t count = 0;
  const char** const names = glfwGetRequiredInstanceExtensions(&count);
  if (names == nullptr)
    throw GraphicsUnavailable(
        fmt::format("Vulkan cannot draw in windows here ({}); see tenon doctor", glfwError()));
  return {names, names + count};
}

vk::raii::SurfaceKHR surfaceOf(const vk::raii::Instance& instance, GLFWwindow* window) {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  const VkResult result = glfwCreateWindowSurface(*instance, window, nullptr, &surface);
  if (result != VK_SUCCESS)
    throw GraphicsUnavailable(fmt::format("Vulkan cannot draw in this window ({}); see tenon doctor",
                                          vk::to_string(static_cast<vk::Result>(result))));
  return {instance, surface};
}

}  // namespace tenon::xr
