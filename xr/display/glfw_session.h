// GLFW while it is needed, and whether the display is still there.
#pragma once

#include <string>

namespace tenon::xr {

/// GLFW's last complaint, in words.
std::string glfwError();

class GlfwSession {
 public:
  /// Throws GraphicsUnavailable where there is no display.
  GlfwSession();
  ~GlfwSession();
  GlfwSession(const GlfwSession&) = delete;
  GlfwSession& operator=(const GlfwSession&) = delete;

  /// The X server has ended, or the way to it. Without this class Xlib would end the program. From then on
  /// GLFW must not be called any more.
  bool displayLost() const { return lost_; }

 private:
  void watchDisplay();

  bool lost_ = false;
};

}  // namespace tenon::xr
