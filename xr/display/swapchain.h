// The images that a window shows in turn. With Vulkan's headers.
#pragma once

#include <optional>
#include <vector>

#include "xr/vulkan/vulkan_device.h"

namespace tenon::xr {

/// Who sets the pace: the display, which shows each picture; or whoever draws, who is never waited for:
/// pictures may be left out.
enum class PresentPacing { vsync, unthrottled };

class Swapchain {
 public:
  /// Empty until make(). Throws GraphicsUnavailable where the surface takes no images that encode sRGB.
  Swapchain(const ChosenDevice& chosen, const vk::raii::Device& device, vk::SurfaceKHR surface,
            PresentPacing pace = PresentPacing::vsync);

  struct Image {
    std::uint32_t index = 0;
    vk::Image image;
    vk::ImageView view;
    vk::Semaphore shown;  ///< to be signalled when it is drawn
  };

  /// The next image to draw into, of about this size, and the semaphore that is signalled when that may
  /// begin. Makes the images anew where the window has changed. None: the window has no area just now, or no
  /// image is free.
  std::optional<Image> next(vk::Extent2D window, vk::Semaphore free);
  /// Shows it when it is drawn.
  void show(const vk::raii::Queue& queue, const Image& image);

  vk::Format format() const { return format_.format; }
  vk::Extent2D extent() const { return extent_; }
  bool isReadable() const { return isReadable_; }
  bool isBlitTarget() const { return isBlitTarget_; }
  /// Images are made anew for the next picture.
  void invalidate() { stale_ = true; }

 private:
  bool make(vk::Extent2D window);

  const ChosenDevice& chosen_;
  const vk::raii::Device& device_;
  vk::SurfaceKHR surface_;
  PresentPacing pacing_;
  vk::SurfaceFormatKHR format_;
  vk::Extent2D extent_;
  bool isReadable_ = false, isBlitTarget_ = false, stale_ = true;
  vk::raii::SwapchainKHR swapchain_ = nullptr;
  std::vector<vk::Image> images_;
  std::vector<vk::raii::ImageView> views_;
  std::vector<vk::raii::Semaphore> shown_;
};

}  // namespace tenon::xr
