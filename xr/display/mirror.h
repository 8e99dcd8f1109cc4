// What one eye sees, shown in a window beside. With Vulkan's headers.
#pragma once

#include <optional>

#include "xr/display/mirror_window.h"
#include "xr/display/swapchain.h"

namespace tenon::xr {

/// Extensions of an instance whose pictures can be shown in the window; none where the system's Vulkan has
/// them not.
std::vector<const char*> mirrorInstanceExtensions(const vk::raii::Context& context, MirrorWindow* window);
/// The same of a device that the instance has.
std::vector<const char*> mirrorDeviceExtensions(const ChosenDevice& chosen, bool wanted);

/// A picture for which the desktop has no image free is left out. What it waits for is the device: for its
/// own copy of the picture before, and for all where the window's size has changed. Where the window, its
/// display or its pictures fail, it shows nothing any more; a device that is lost is lost to the headset,
/// too.
class Mirror {
 public:
  /// The references must outlive it. Shows nothing where the device does not draw on the window's display.
  Mirror(const vk::raii::Instance& instance, const ChosenDevice& chosen, const vk::raii::Device& device,
         const vk::raii::Queue& queue, MirrorWindow& window);
  ~Mirror();
  Mirror(const Mirror&) = delete;
  Mirror& operator=(const Mirror&) = delete;

  /// Hands over to the queue the copying of this picture of an eye, an attachment to be drawn into before and
  /// afterwards, as much of it as has the window's shape; not more often than a screen shows it.
  void show(vk::Image eye, vk::Extent2D extent);
  /// Pictures shown.
  int shown() const { return shown_; }

 private:
  void copy(const vk::raii::CommandBuffer& commands, vk::Image eye, vk::Extent2D extent,
            const Swapchain::Image& to) const;
  void tryToShow(vk::Image eye, vk::Extent2D extent);

  const vk::raii::Device& device_;
  const vk::raii::Queue& queue_;
  MirrorWindow& window_;
  vk::raii::SurfaceKHR surface_ = nullptr;
  std::optional<Swapchain> swapchain_;
  Frame frame_;
  vk::raii::Semaphore free_;
  bool handedOver_ = false;
  int shown_ = 0;
  double last_ = -1;  ///< when the last picture was handed over [s]
};

}  // namespace tenon::xr
