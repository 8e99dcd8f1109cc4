// The swapchain of a window. Includes Vulkan's headers.
#pragma once

#include <optional>
#include <vector>

#include "xr/vulkan/vulkan_device.h"

namespace tenon::xr {

/// vsync: the display shows every frame; unthrottled: the application never waits, and frames may be dropped.
enum class PresentPacing { vsync, unthrottled };

class Swapchain {
 public:
  /// Makes images at the first next(). Throws GraphicsUnavailable if the surface supports no sRGB format.
  Swapchain(const ChosenDevice& chosen, const vk::raii::Device& device, vk::SurfaceKHR surface,
            PresentPacing pacing = PresentPacing::vsync);

  struct Image {
    std::uint32_t index = 0;
    vk::Image image;
    vk::ImageView view;
    vk::Semaphore rendered;  ///< to be signaled when the image is rendered
  };

  /// Acquires the next image, of about this size; `free` is signaled when it can be drawn into. Recreates the
  /// swapchain if the window changed. None: the window has no area, or no image is free.
  std::optional<Image> next(vk::Extent2D window, vk::Semaphore free);
  /// Presents the image once it is rendered.
  void show(const vk::raii::Queue& queue, const Image& image);

  vk::Format format() const { return format_.format; }
  vk::Extent2D extent() const { return extent_; }
  bool isReadable() const { return isReadable_; }
  bool isBlitTarget() const { return isBlitTarget_; }
  /// Recreates the swapchain at the next frame.
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
  std::vector<vk::raii::Semaphore> rendered_;
};

}  // namespace tenon::xr
