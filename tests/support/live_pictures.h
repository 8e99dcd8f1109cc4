// Pictures as the window draws them on a software device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "xr/render/renderer.h"
#include "xr/vulkan/vulkan_device.h"

namespace tenon::tests {

/// A renderer with the options of software rendering, its reused image, and an image that is redrawn in full.
class LivePictures : xr::WindowlessDevice {
 public:
  LivePictures()
      : renderer_(chosen.physical, device, xr::interactiveOptions(vk::PhysicalDeviceType::eCpu, kFormat)) {
    resize(480, 320);
  }

  void resize(std::uint32_t width, std::uint32_t height) {
    extent_ = vk::Extent2D{width, height};
    for (xr::DeviceImage* image : {&kept_, &whole_})
      *image = xr::DeviceImage(chosen.physical, device, extent_, kFormat, vk::SampleCountFlagBits::e1,
                               kTarget, vk::ImageAspectFlagBits::eColor);
    pixels_ = xr::MappedBuffer(chosen.physical, device, vk::DeviceSize(4) * width * height,
                               vk::BufferUsageFlagBits::eTransferDst);
  }

  /// Draws the next frame; returns the damaged fraction.
  double draw(const xr::View& view, const xr::RenderScene& scene) {
    const auto& commands = frame.begin();
    const double fraction = renderer_.beginDamaged(commands, extent_, view, scene);
    renderer_.drawDamaged(commands, target(kept_), view, scene, true);
    finish(commands, kept_, picture_);
    return fraction;
  }
  /// Draws the same scene until the image is up to date; false after 200 frames.
  bool settle(const xr::View& view, const xr::RenderScene& scene) {
    for (int k = 0; k < 200; ++k) {
      draw(view, scene);
      if (renderer_.isUpToDate()) return true;
    }
    return false;
  }
  /// Number of pixels that differ from a full redraw by more than `tolerance` of 255.
  int wrongPixels(const xr::View& view, const xr::RenderScene& scene, int tolerance) {
    const auto& commands = frame.begin();
    renderer_.draw(commands, target(whole_), {&view, 1}, scene);
    std::vector<std::uint8_t> whole;
    finish(commands, whole_, whole);
    return differing(whole, picture_, tolerance);
  }

  const std::vector<std::uint8_t>& picture() const { return picture_; }

  static int differing(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b,
                       int tolerance) {
    int count = 0;
    for (std::size_t k = 0; k + 3 < a.size(); k += 4) {
      int worst = 0;
      for (std::size_t c = 0; c < 3; ++c) worst = std::max(worst, std::abs(a[k + c] - b[k + c]));
      count += worst > tolerance ? 1 : 0;
    }
    return count;
  }

 private:
  static constexpr vk::Format kFormat = vk::Format::eR8G8B8A8Srgb;
  static constexpr auto kTarget =
      vk::ImageUsageFlagBits::eColorAttachment | vk::ImageUsageFlagBits::eTransferSrc;

  xr::RenderTarget target(const xr::DeviceImage& image) const {
    constexpr auto kRead = vk::ImageLayout::eTransferSrcOptimal;
    return {.image = *image.image,
            .view = *image.view,
            .extent = extent_,
            .layoutAfter = kRead,
            .depth = nullptr,
            .depthView = nullptr,
            .layoutBefore = kRead};
  }
  void finish(const vk::raii::CommandBuffer& commands, const xr::DeviceImage& image,
              std::vector<std::uint8_t>& out) {
    xr::copyToHost(commands, *image.image, extent_, pixels_);
    frame.submit(queue);
    frame.wait();
    out.resize(std::size_t(4) * extent_.width * extent_.height);
    std::memcpy(out.data(), pixels_.data, out.size());
  }

  xr::Renderer renderer_;
  vk::Extent2D extent_;
  xr::DeviceImage kept_, whole_;
  xr::MappedBuffer pixels_;
  std::vector<std::uint8_t> picture_;
};

}  // namespace tenon::tests
