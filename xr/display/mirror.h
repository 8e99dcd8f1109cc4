// Copies the image of one eye to the mirror window. Includes Vulkan's headers.
#pragma once

#include <optional>

#include "xr/display/mirror_window.h"
#include "xr/display/swapchain.h"

namespace tenon::xr {

/// Instance extensions for the mirror window; none if Vulkan does not have them.
std::vector<const char*> mirrorInstanceExtensions(const vk::raii::Context& context, MirrorWindow* window);
/// The same for a device.
std::vector<const char*> mirrorDeviceExtensions(const ChosenDevice& chosen, bool wanted);

/// Frames without a free swapchain image are skipped. It waits for the device only: for its previous copy,
/// and for all work after the window was resized. If the window, its display or its swapchain fails, it
/// stops; a lost device is an error of the headset too.
class Mirror {
 public:
  /// The references must outlive it. Shows nothing if the device cannot draw on the window's display.
  Mirror(const vk::raii::Instance& instance, const ChosenDevice& chosen, const vk::raii::Device& device,
         const vk::raii::Queue& queue, MirrorWindow& window);
  ~Mirror();
  Mirror(const Mirror&) = delete;
  Mirror& operator=(const Mirror&) = delete;

  /// Submits a copy of an eye's image, which is a color attachment before and after, cropped to the window's
  /// aspect, at most 60 times a second.
  void show(vk::Image eye, vk::Extent2D extent);
  /// Number of frames shown.
  int shownFrames() const { return shownFrames_; }

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
  bool submitted_ = false;
  int shownFrames_ = 0;
  double lastTime_ = -1;  ///< of the last submission [s]
};

}  // namespace tenon::xr
