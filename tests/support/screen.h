// A virtual screen and its mouse: Xvfb and xdotool.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace tenon::tests {

/// Why there can be no such screen on this machine, and what to install; empty: there can.
std::string whyNoScreen();

class Screen {
 public:
  /// 1600 × 1000 pixels, at a number that is free. Throws std::runtime_error where it does not come up.
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// As DISPLAY has it.
  const std::string& name() const { return name_; }
  /// What a program prints, whatever its exit code.
  std::string said(const std::string& command) const;
  /// Runs xdotool with these words. Returns what it says. Throws std::runtime_error where it fails.
  std::string xdotool(const std::string& words) const;
  /// Starts a program with this screen as its display, which ends with the screen. False: it is not here.
  bool start(const std::string& program) const;
  /// Kills the server.
  void kill();

 private:
  pid_t server_ = -1;
  std::string name_;
};

}  // namespace tenon::tests
