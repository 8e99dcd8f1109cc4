// Opens GLFW windows at a remembered geometry. Without GLFW's headers.
#pragma once

#include <memory>
#include <string>

#include "xr/display/glfw_session.h"
#include "xr/display/window_geometry.h"

struct GLFWwindow;

namespace tenon::xr {

/// Destroys a window unless the display was lost, where Xlib would end the program.
struct WindowCloser {
  const GlfwSession* glfw;
  void operator()(GLFWwindow* window) const;
};
using WindowHandle = std::unique_ptr<GLFWwindow, WindowCloser>;

/// Opens a window for Vulkan. Throws GraphicsUnavailable if the display opens none.
WindowHandle openWindow(const GlfwSession& glfw, const std::string& title, const WindowGeometry& geometry);

/// The display's content scale, 1 at 96 dots per inch, 0.5…4.
double contentScaleOf(GLFWwindow* window);

/// Refresh period of the primary monitor [s]; 1/60 if unknown.
double displayPeriod();

}  // namespace tenon::xr
