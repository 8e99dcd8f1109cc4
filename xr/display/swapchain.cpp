// FIFO presentation for vsync; mailbox or immediate when unthrottled.
#include "xr/display/swapchain.h"

#include <algorithm>

#include "xr/vulkan/graphics_unavailable.h"

namespace tenon::xr {

namespace {

vk::SurfaceFormatKHR formatOf(const vk::raii::PhysicalDevice& physical, vk::SurfaceKHR surface) {
  for (const vk::SurfaceFormatKHR& format : physical.getSurfaceFormatsKHR(surface))
    if (format.format == vk::Format::eB8G8R8A8Srgb || format.format == vk::Format::eR8G8B8A8Srgb)
      return format;
  throw GraphicsUnavailable("the display supports no sRGB images; update the driver of your graphics card");
}

/// The size that the surface prescribes, else the window's, clamped to the limits.
vk::Extent2D extentOf(const vk::SurfaceCapabilitiesKHR& capabilities, vk::Extent2D window) {
  if (capabilities.currentExtent.width != 0xffffffff) return capabilities.currentExtent;
  return {std::clamp(window.width, capabilities.minImageExtent.width, capabilities.maxImageExtent.width),
          std::clamp(window.height, capabilities.minImageExtent.height, capabilities.maxImageExtent.height)};
}

vk::PresentModeKHR modeOf(const vk::raii::PhysicalDevice& physical, vk::SurfaceKHR surface,
                          PresentPacing pacing) {
  using M = vk::PresentModeKHR;
  if (pacing == PresentPacing::vsync) return M::eFifo;
  const auto modes = physical.getSurfacePresentModesKHR(surface);
  for (const M mode : {M::eMailbox, M::eImmediate})
    if (std::find(modes.begin(), modes.end(), mode) != modes.end()) return mode;
  return M::eFifo;
}

}  // namespace

Swapchain::Swapchain(const ChosenDevice& chosen, const vk::raii::Device& device, vk::SurfaceKHR surface,
                     PresentPacing pacing)
    : chosen_(chosen),
      device_(device),
      surface_(surface),
      pacing_(pacing),
      format_(formatOf(chosen.physical, surface)) {}

bool Swapchain::make(vk::Extent2D window) {
  const vk::SurfaceCapabilitiesKHR capabilities = chosen_.physical.getSurfaceCapabilitiesKHR(surface_);
  const vk::Extent2D extent = extentOf(capabilities, window);
  if (extent.width == 0 || extent.height == 0) return false;
  device_.waitIdle();
  views_.clear();
  rendered_.clear();
  using U = vk::ImageUsageFlagBits;
  isReadable_ = static_cast<bool>(capabilities.supportedUsageFlags & U::eTransferSrc);
  isBlitTarget_ = static_cast<bool>(capabilities.supportedUsageFlags & U::eTransferDst);
  const std::uint32_t maxImages = capabilities.maxImageCount == 0 ? 3 : capabilities.maxImageCount;
  const vk::raii::SwapchainKHR old = std::move(swapchain_);
  swapchain_ = device_.createSwapchainKHR(
      {.surface = surface_,
       .minImageCount = std::min(std::max(capabilities.minImageCount, 3u), maxImages),
       .imageFormat = format_.format,
       .imageColorSpace = format_.colorSpace,
       .imageExtent = extent,
       .imageArrayLayers = 1,
       .imageUsage =
           U::eColorAttachment | (capabilities.supportedUsageFlags & (U::eTransferSrc | U::eTransferDst)),
       .preTransform = capabilities.currentTransform,
       .compositeAlpha = capabilities.supportedCompositeAlpha & vk::CompositeAlphaFlagBitsKHR::eOpaque
                             ? vk::CompositeAlphaFlagBitsKHR::eOpaque
                             : vk::CompositeAlphaFlagBitsKHR::eInherit,
       .presentMode = modeOf(chosen_.physical, surface_, pacing_),
       .clipped = true,
       .oldSwapchain = *old});
  images_.clear();
  for (const VkImage image : swapchain_.getImages()) images_.emplace_back(image);
  for (const vk::Image image : images_) {
    views_.push_back(
        device_.createImageView({.image = image,
                                 .viewType = vk::ImageViewType::e2D,
                                 .format = format_.format,
                                 .subresourceRange = {vk::ImageAspectFlagBits::eColor, 0, 1, 0, 1}}));
    rendered_.push_back(device_.createSemaphore({}));
  }
  extent_ = extent;
  stale_ = false;
  return true;
}

std::optional<Swapchain::Image> Swapchain::next(vk::Extent2D window, vk::Semaphore free) {
  // A window that is being resized may change again while the swapchain is created.
  for (int attempt = 0; attempt < 3; ++attempt) {
    if (stale_ && !make(window)) return std::nullopt;
    try {
      const auto [result, index] =
          swapchain_.acquireNextImage(pacing_ == PresentPacing::vsync ? 1'000'000'000 : 0, free);
      if (result == vk::Result::eTimeout || result == vk::Result::eNotReady) return std::nullopt;
      stale_ = result == vk::Result::eSuboptimalKHR;
      return Image{index, images_[index], *views_[index], *rendered_[index]};
    } catch (const vk::OutOfDateKHRError&) {
      stale_ = true;
    }
  }
  return std::nullopt;
}

void Swapchain::show(const vk::raii::Queue& queue, const Image& image) {
  const vk::SwapchainKHR swapchain = *swapchain_;
  try {
    const vk::Result result = queue.presentKHR(vk::PresentInfoKHR{.pImageIndices = &image.index}
                                                   .setWaitSemaphores(image.rendered)
                                                   .setSwapchains(swapchain));
    if (result == vk::Result::eSuboptimalKHR) stale_ = true;
  } catch (const vk::OutOfDateKHRError&) {
    stale_ = true;
  }
}

}  // namespace tenon::xr
