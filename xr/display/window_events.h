// Collects the events of a GLFW window by callbacks. Without GLFW's headers.
#pragma once

#include <vector>

#include "xr/display/window_input.h"

struct GLFWwindow;

namespace tenon::xr {

/// Construct it before Dear ImGui's back end, which calls these callbacks from its own. One for each window.
class WindowEvents {
 public:
  explicit WindowEvents(GLFWwindow* window);
  WindowEvents(const WindowEvents&) = delete;
  WindowEvents& operator=(const WindowEvents&) = delete;

  /// Input events since the last call.
  std::vector<WindowInput> drainInput();
  /// True once after the framebuffer was resized.
  bool consumeResized();
  /// The framebuffer's size by the last event, since a query would be a round trip to the display [pixels].
  int width() const { return width_; }
  int height() const { return height_; }
  bool iconified() const { return iconified_; }
  /// Refresh period of the display [s].
  double period() const { return period_; }

 private:
  WindowInput& add(WindowInput::Kind kind, int mods);
  void addInputCallbacks();
  void addStateCallbacks();

  GLFWwindow* window_;
  int width_ = 0, height_ = 0;
  bool iconified_ = false, resized_ = false;
  double period_;
  std::vector<WindowInput> inputs_;
};

}  // namespace tenon::xr
