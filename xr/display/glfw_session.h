// Initialization of GLFW, and detection of a lost display.
#pragma once

#include <string>

namespace tenon::xr {

/// The text of GLFW's last error.
std::string glfwError();

class GlfwSession {
 public:
  /// Throws GraphicsUnavailable without a display.
  GlfwSession();
  ~GlfwSession();
  GlfwSession(const GlfwSession&) = delete;
  GlfwSession& operator=(const GlfwSession&) = delete;

  /// True after the connection to the X server broke. Without this class Xlib would end the program. GLFW
  /// must not be called afterwards.
  bool displayLost() const { return lost_; }

 private:
  void watchDisplay();

  bool lost_ = false;
};

}  // namespace tenon::xr
