// A window on the desktop for those who stand by: the headset draws into it what one eye sees. Free of
// Vulkan's and GLFW's headers.
#pragma once

#include <memory>
#include <string>

namespace tenon::xr {

class MirrorWindow {
 public:
  /// Null where there is no display, or none that Vulkan draws on.
  static std::unique_ptr<MirrorWindow> open(const std::string& title);
  ~MirrorWindow();

  /// Takes in what has been done to it. Once it is closed, or the display gone, it is so for good.
  void poll();
  bool closed() const;

  struct Implementation;  ///< for whoever draws into it: mirror.h
  Implementation& implementation() { return *implementation_; }

 private:
  explicit MirrorWindow(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::xr
