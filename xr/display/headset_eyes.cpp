// See headset_eyes.h.
#include "xr/display/headset_eyes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "xr/render/formats.h"

namespace tenon::xr {

HeadsetEyes::HeadsetEyes(const OpenXrSession& session, const OpenXrSystem& system,
                         const vk::raii::Device& device, double scale)
    : session_(session),
      device_(device),
      format_(eyeFormat(session)),
      fullExtent_(eyeExtent(session, system, scale)),
      extent_(fullExtent_),
      color_{EyeSwapchain(session, device, fullExtent_, format_),
             EyeSwapchain(session, device, fullExtent_, format_)} {}

void HeadsetEyes::setScale(double scale) {
  const auto scaled = [&](std::uint32_t side) {
    return std::clamp(static_cast<std::uint32_t>(std::lround(scale * side)), 1U, side);
  };
  extent_ = vk::Extent2D{scaled(fullExtent_.width), scaled(fullExtent_.height)};
}

void HeadsetEyes::addDepth() {
  if (!supportsDepth(session_)) return;
  for (auto& depth : depth_) depth.emplace(session_, device_, fullExtent_, kDepthFormat);
}

void HeadsetEyes::updateHidden() {
  for (std::size_t k = 0; k < hidden_.size(); ++k)
    hidden_[k] = hiddenTriangles(session_, static_cast<std::uint32_t>(k));
}

void HeadsetEyes::dropDepth() {
  for (auto& depth : depth_) depth.reset();
}

std::array<RenderTarget, 2> HeadsetEyes::acquire() {
  std::array<RenderTarget, 2> targets;
  for (std::size_t k = 0; k < color_.size(); ++k) {
    const EyeImage image = color_[k].acquire();
    targets[k] = {image.image, image.view, extent_, vk::ImageLayout::eColorAttachmentOptimal};
    targets[k].hidden = hidden_[k];
  }
  return targets;
}

void HeadsetEyes::acquireDepth(std::array<RenderTarget, 2>& targets) {
  std::array<EyeImage, 2> images;
  for (std::size_t k = 0; k < depth_.size(); ++k)
    if (depth_[k]) images[k] = depth_[k]->acquire();
  for (std::size_t k = 0; k < targets.size(); ++k) {
    targets[k].depth = images[k].image;
    targets[k].depthView = images[k].view;
  }
}

void HeadsetEyes::release() {
  for (EyeSwapchain& eye : color_) eye.release();
}

void HeadsetEyes::releaseDepth() {
  for (auto& depth : depth_)
    if (depth) depth->release();
}

HeadsetEyes::Views HeadsetEyes::layerViews(const std::array<XrView, 2>& located,
                                           DepthInfos& depthInfos) const {
  Views views{};
  for (std::size_t k = 0; k < views.size(); ++k) {
    views[k].type = XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW;
    views[k].pose = located[k].pose;
    views[k].fov = located[k].fov;
    views[k].subImage = color_[k].subImage(extent_);
    if (!depth_[k]) continue;
    // Depth is reversed with an infinite far plane: 0 is at infinity, 1 at the near plane.
    XrCompositionLayerDepthInfoKHR& info = depthInfos[k];
    info.type = XR_TYPE_COMPOSITION_LAYER_DEPTH_INFO_KHR;
    info.subImage = depth_[k]->subImage(extent_);
    info.minDepth = 0;
    info.maxDepth = 1;
    info.nearZ = std::numeric_limits<float>::infinity();
    info.farZ = static_cast<float>(View().nearPlane);
    views[k].next = &info;
  }
  return views;
}

}  // namespace tenon::xr
