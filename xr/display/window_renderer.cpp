// See window_renderer.h.
#include "xr/display/window_renderer.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tenon::xr {

namespace {

constexpr std::array kResolutionScales{1.0, 0.85, 0.7, 0.6, 0.5};
/// A slower frame lowers the resolution, a faster one raises it [s].
constexpr double kSlowFrame = 0.040, kFastFrame = 0.016;
constexpr double kMaxDamage = 0.4;  ///< fraction of the view up to which only the damage is redrawn
constexpr int kCalmFrames = 3;      ///< with so little damage, until a frame is rendered at full resolution
constexpr auto kColorAspect = vk::ImageAspectFlagBits::eColor;

using L = vk::ImageLayout;

bool isCpu(const ChosenDevice& chosen) {
  return chosen.physical.getProperties().deviceType == vk::PhysicalDeviceType::eCpu;
}

vk::Offset3D pixelAt(double x, double y, std::int32_t z, vk::Extent2D extent) {
  return {static_cast<std::int32_t>(std::lround(x * extent.width)),
          static_cast<std::int32_t>(std::lround(y * extent.height)), z};
}

}  // namespace

WindowRenderer::WindowRenderer(const ChosenDevice& chosen, const vk::raii::Device& device,
                               const Swapchain& swapchain)
    : chosen_(chosen),
      device_(device),
      swapchain_(swapchain),
      isSoftware_(isCpu(chosen)),
      renderer_(chosen.physical, device,
                interactiveOptions(chosen.physical.getProperties().deviceType, swapchain.format())) {}

void WindowRenderer::draw(const vk::raii::CommandBuffer& commands, const Swapchain::Image& target,
                          std::span<const View> views, const RenderScene& scene, bool isCapture,
                          bool isFullQuality) {
  resolutionScale_ = 1;
  if (!isSoftware_ || views.size() != 1 || !swapchain_.isBlitTarget()) {
    hasFrame_ = false;
    return renderer_.draw(
        commands, {target.image, target.view, swapchain_.extent(), L::eColorAttachmentOptimal}, views, scene);
  }
  const View& view = views.front();
  if (swapchain_.extent() != frameExtent_) hasFrame_ = false;
  const bool isCalm = renderer_.beginDamaged(commands, swapchain_.extent(), view, scene) <= kMaxDamage;
  calmFrames_ = isCalm ? calmFrames_ + 1 : 0;
  const bool reusesFrame = hasFrame_ && isCalm && !isCapture;
  isMeasured_ = !(reusesFrame || isCapture || isFullQuality || calmFrames_ >= kCalmFrames);
  if (isMeasured_ && scaleIndex_ > 0) return drawScaled(commands, target, view, scene);
  drawDamaged(commands, target, view, scene, reusesFrame);
}

void WindowRenderer::resize(DeviceImage& image, vk::Extent2D& current, vk::Extent2D extent) const {
  if (extent == current) return;
  using U = vk::ImageUsageFlagBits;
  image = DeviceImage(chosen_.physical, device_, extent, swapchain_.format(), vk::SampleCountFlagBits::e1,
                      U::eColorAttachment | U::eTransferSrc, kColorAspect);
  current = extent;
}

void WindowRenderer::drawDamaged(const vk::raii::CommandBuffer& commands, const Swapchain::Image& target,
                                 const View& view, const RenderScene& scene, bool reusesFrame) {
  const vk::Extent2D extent = swapchain_.extent();
  resize(frame_, frameExtent_, extent);
  renderer_.drawDamaged(commands,
                        {.image = *frame_.image,
                         .view = *frame_.view,
                         .extent = extent,
                         .layoutAfter = L::eTransferSrcOptimal,
                         .layoutBefore = L::eTransferSrcOptimal},
                        view, scene, reusesFrame);
  hasFrame_ = true;
  transition(commands, target.image, kColorAspect, L::eUndefined, L::eTransferDstOptimal);
  const vk::ImageCopy whole{.srcSubresource = {kColorAspect, 0, 0, 1},
                            .dstSubresource = {kColorAspect, 0, 0, 1},
                            .extent = {extent.width, extent.height, 1}};
  commands.copyImage(*frame_.image, L::eTransferSrcOptimal, target.image, L::eTransferDstOptimal, whole);
  transition(commands, target.image, kColorAspect, L::eTransferDstOptimal, L::eColorAttachmentOptimal);
}

void WindowRenderer::drawScaled(const vk::raii::CommandBuffer& commands, const Swapchain::Image& target,
                                const View& view, const RenderScene& scene) {
  resolutionScale_ = kResolutionScales[scaleIndex_];
  hasFrame_ = false;
  const vk::Extent2D extent = swapchain_.extent();
  const auto scaled = [&](std::uint32_t side) {
    return std::max(static_cast<std::uint32_t>(std::lround(side * resolutionScale_)), 1u);
  };
  const vk::Extent2D small{scaled(extent.width), scaled(extent.height)};
  resize(scaled_, scaledExtent_, small);
  renderer_.drawDamaged(commands, {*scaled_.image, *scaled_.view, small, L::eTransferSrcOptimal}, view, scene,
                        false);
  transition(commands, target.image, kColorAspect, L::eUndefined, L::eTransferDstOptimal);
  vk::ImageBlit region{.srcSubresource = {kColorAspect, 0, 0, 1}, .dstSubresource = {kColorAspect, 0, 0, 1}};
  region.srcOffsets[0] = pixelAt(view.x, view.y, 0, small);
  region.srcOffsets[1] = pixelAt(view.x + view.width, view.y + view.height, 1, small);
  region.dstOffsets[0] = pixelAt(view.x, view.y, 0, extent);
  region.dstOffsets[1] = pixelAt(view.x + view.width, view.y + view.height, 1, extent);
  commands.blitImage(*scaled_.image, L::eTransferSrcOptimal, target.image, L::eTransferDstOptimal, region,
                     vk::Filter::eLinear);
  transition(commands, target.image, kColorAspect, L::eTransferDstOptimal, L::eColorAttachmentOptimal);
}

void WindowRenderer::adaptResolution(double duration) {
  if (!isMeasured_) return;
  if (duration > kSlowFrame) scaleIndex_ = std::min(scaleIndex_ + 1, kResolutionScales.size() - 1);
  if (duration < kFastFrame && scaleIndex_ > 0) --scaleIndex_;
}

}  // namespace tenon::xr
