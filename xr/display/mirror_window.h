// A desktop window that mirrors one eye of the headset for spectators. Without Vulkan's and GLFW's headers.
#pragma once

#include <memory>
#include <string>

namespace tenon::xr {

class MirrorWindow {
 public:
  /// Null without a display that Vulkan can draw on.
  static std::unique_ptr<MirrorWindow> open(const std::string& title);
  ~MirrorWindow();

  /// Processes window events. Once the window is closed or the display lost, it stays closed.
  void poll();
  bool closed() const;

  struct Implementation;  ///< for mirror.h
  Implementation& implementation() { return *implementation_; }

 private:
  explicit MirrorWindow(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::xr
