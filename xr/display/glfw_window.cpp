// See glfw_window.h.
#include "xr/display/glfw_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "xr/vulkan/graphics_unavailable.h"
// Before GLFW's header, for files compiled together with this one that use its Vulkan functions.
#include "xr/vulkan/vulkan.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace tenon::xr {

namespace {

constexpr int kMinWidth = 640, kMinHeight = 400;

/// True if the window's top left corner and part of its title bar are on a monitor: monitors may have
/// changed.
bool isOnMonitor(const WindowGeometry& geometry) {
  int count = 0;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  for (int k = 0; k < count; ++k) {
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(monitors[k], &x, &y, &width, &height);
    if (*geometry.x >= x - 8 && *geometry.x < x + width - 100 && *geometry.y >= y - 8 &&
        *geometry.y < y + height - 50)
      return true;
  }
  return false;
}

/// Limits the size to that of the desktop: sizes are stored, and monitors may have changed. A window of many
/// times the desktop's size would take minutes and gigabytes to draw.
WindowGeometry fittedToDesktop(WindowGeometry geometry) {
  int count = 0, right = kMinWidth, bottom = kMinHeight;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  for (int k = 0; k < count; ++k) {
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(monitors[k], &x, &y, &width, &height);
    right = std::max(right, x + width);
    bottom = std::max(bottom, y + height);
  }
  geometry.width = std::min(geometry.width, right);
  geometry.height = std::min(geometry.height, bottom);
  return geometry;
}

}  // namespace

void WindowCloser::operator()(GLFWwindow* window) const {
  if (!glfw->displayLost()) glfwDestroyWindow(window);
}

WindowHandle openWindow(const GlfwSession& glfw, const std::string& title, const WindowGeometry& geometry) {
  if (glfwVulkanSupported() != GLFW_TRUE)
    throw GraphicsUnavailable(
        "no Vulkan loader (libvulkan.so.1) that can draw in windows; install libvulkan1");
  const WindowGeometry actual = geometry.fits ? fittedToDesktop(geometry) : geometry;
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  glfwWindowHint(GLFW_MAXIMIZED, actual.maximized ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_FALSE);
  WindowHandle window(glfwCreateWindow(std::max(actual.width, kMinWidth), std::max(actual.height, kMinHeight),
                                       title.c_str(), nullptr, nullptr),
                      {&glfw});
  if (!window)
    throw GraphicsUnavailable(fmt::format("the display opens no window ({}); see tenon doctor", glfwError()));
  glfwSetWindowSizeLimits(window.get(), kMinWidth, kMinHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
  if (actual.x && actual.y && !actual.maximized && isOnMonitor(actual))
    glfwSetWindowPos(window.get(), *actual.x, *actual.y);
  return window;
}

double contentScaleOf(GLFWwindow* window) {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window, &x, &y);
  return std::isfinite(x) ? std::clamp(static_cast<double>(x), 0.5, 4.0) : 1;
}

double displayPeriod() {
  GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* const mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
  const int rate = mode == nullptr || mode->refreshRate < 20 ? 60 : mode->refreshRate;
  return 1.0 / rate;
}

}  // namespace tenon::xr
