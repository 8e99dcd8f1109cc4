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
      color_(session, device, fullExtent_, format_) {}

void HeadsetEyes::setScale(double scale) {
  const auto scaled = [&](std::uint32_t side) {
    return std::clamp(static_cast<std::uint32_t>(std::lround(scale * side)), 1U, side);
  };
  extent_ = vk::Extent2D{scaled(fullExtent_.width), scaled(fullExtent_.height)};
}

void HeadsetEyes::addDepth() {
  if (!supportsDepth(session_)) return;
  depth_.emplace(session_, device_, fullExtent_, kDepthFormat);
}

void HeadsetEyes::updateHidden() {
  for (std::size_t k = 0; k < hidden_.size(); ++k)
    hidden_[k] = hiddenTriangles(session_, static_cast<std::uint32_t>(k));
}

void HeadsetEyes::dropDepth() {
  depth_.reset();
}

std::vector<RenderTarget> HeadsetEyes::acquire(bool inOnePass) {
  const EyeImage image = color_.acquire();
  constexpr auto kAfter = vk::ImageLayout::eColorAttachmentOptimal;
  std::vector<RenderTarget> targets;
  if (inOnePass) {
    RenderTarget& both = targets.emplace_back(RenderTarget{image.image, image.both, extent_, kAfter});
    both.layers.count = 2;
    both.hidden = {hidden_[0], hidden_[1]};
    return targets;
  }
  for (std::uint32_t eye = 0; eye < 2; ++eye) {
    RenderTarget& target =
        targets.emplace_back(RenderTarget{image.image, image.ofEyes[eye], extent_, kAfter});
    target.layers.first = eye;
    target.hidden[0] = hidden_[eye];
  }
  return targets;
}

void HeadsetEyes::acquireDepth(std::span<RenderTarget> targets) {
  if (!depth_) return;
  const EyeImage image = depth_->acquire();
  for (RenderTarget& target : targets) {
    target.depth = image.image;
    target.depthView = target.layers.count > 1 ? image.both : image.ofEyes[target.layers.first];
  }
}

void HeadsetEyes::release() {
  color_.release();
}

void HeadsetEyes::releaseDepth() {
  if (depth_) depth_->release();
}

HeadsetEyes::Views HeadsetEyes::layerViews(const std::array<XrView, 2>& located,
                                           DepthInfos& depthInfos) const {
  Views views{};
  for (std::size_t k = 0; k < views.size(); ++k) {
    views[k].type = XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW;
    views[k].pose = located[k].pose;
    views[k].fov = located[k].fov;
    const auto eye = static_cast<std::uint32_t>(k);
    views[k].subImage = color_.subImage(extent_, eye);
    if (!depth_) continue;
    // Depth is reversed with an infinite far plane: 0 is at infinity, 1 at the near plane.
    XrCompositionLayerDepthInfoKHR& info = depthInfos[k];
    info.type = XR_TYPE_COMPOSITION_LAYER_DEPTH_INFO_KHR;
    info.subImage = depth_->subImage(extent_, eye);
    info.minDepth = 0;
    info.maxDepth = 1;
    info.nearZ = std::numeric_limits<float>::infinity();
    info.farZ = static_cast<float>(View().nearPlane);
    views[k].next = &info;
  }
  return views;
}

}  // namespace tenon::xr
