// See headset_eyes.h.
#include "xr/display/headset_eyes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "xr/render/formats.h"

namespace tenon::xr {

HeadsetEyes::Pair::Pair(const OpenXrSession& session, const vk::raii::Device& device, vk::Format format,
                        const std::array<vk::Extent2D, 2>& fullExtents)
    : full(fullExtents),
      size{std::max(full[0].width, full[1].width), std::max(full[0].height, full[1].height)},
      extent(full[0]),
      color(session, device, size, format) {}

HeadsetEyes::HeadsetEyes(const OpenXrSession& session, ViewConfiguration& views,
                         const vk::raii::Device& device, double scale)
    : session_(session), device_(device), format_(eyeFormat(session)) {
  const auto full = eyeExtents(views, scale, false);
  const auto foveated = views.followsGaze() ? eyeExtents(views, scale, true) : full;
  const auto add = [&](std::size_t k) {
    pairs_.push_back(std::make_unique<Pair>(session, device, format_, std::array{full[k], foveated[k]}));
  };
  add(0);
  try {
    for (std::size_t k = 1; k < full.size(); ++k) add(k);
  } catch (const OpenXrError& error) {
    views.dropInset(error.what());
  }
}

void HeadsetEyes::setScale(double scale, bool followsGaze) {
  const auto scaled = [&](std::uint32_t side) {
    return std::clamp(static_cast<std::uint32_t>(std::lround(scale * side)), 1U, side);
  };
  for (const auto& pair : pairs_) {
    const vk::Extent2D& full = pair->full[followsGaze ? 1 : 0];
    pair->extent = vk::Extent2D{scaled(full.width), scaled(full.height)};
  }
}

void HeadsetEyes::addDepth() {
  if (!supportsDepth(session_)) return;
  for (const auto& pair : pairs_) pair->depth.emplace(session_, device_, pair->size, kDepthFormat);
}

void HeadsetEyes::updateHidden() {
  std::uint32_t view = 0;
  for (const auto& pair : pairs_)
    for (auto& hidden : pair->hidden) hidden = hiddenTriangles(session_, view++);
}

void HeadsetEyes::dropDepth() {
  for (const auto& pair : pairs_) pair->depth.reset();
}

std::vector<RenderTarget> HeadsetEyes::acquire(bool inOnePass) {
  constexpr auto kAfter = vk::ImageLayout::eColorAttachmentOptimal;
  std::vector<RenderTarget> targets;
  for (const auto& pair : pairs_) {
    const EyeImage image = pair->color.acquire();
    if (inOnePass) {
      RenderTarget& both = targets.emplace_back(RenderTarget{image.image, image.both, pair->extent, kAfter});
      both.layers.count = 2;
      both.hidden = {pair->hidden[0], pair->hidden[1]};
      continue;
    }
    for (std::uint32_t eye = 0; eye < 2; ++eye) {
      RenderTarget& target =
          targets.emplace_back(RenderTarget{image.image, image.ofEyes[eye], pair->extent, kAfter});
      target.layers.first = eye;
      target.hidden[0] = pair->hidden[eye];
    }
  }
  return targets;
}

void HeadsetEyes::acquireDepth(std::span<RenderTarget> targets) {
  if (!hasDepth()) return;
  std::vector<EyeImage> images;
  for (const auto& pair : pairs_) images.push_back(pair->depth->acquire());
  const std::size_t targetsOfPair = targets.size() / pairs_.size();
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const EyeImage& image = images[k / targetsOfPair];
    targets[k].depth = image.image;
    targets[k].depthView = targets[k].layers.count > 1 ? image.both : image.ofEyes[targets[k].layers.first];
  }
}

void HeadsetEyes::release() {
  for (const auto& pair : pairs_) pair->color.release();
}

void HeadsetEyes::releaseDepth() {
  for (const auto& pair : pairs_)
    if (pair->depth) pair->depth->release();
}

HeadsetEyes::Views HeadsetEyes::layerViews(std::span<const XrView> located, DepthInfos& depthInfos) const {
  Views views(located.size());
  depthInfos.resize(located.size());
  for (std::size_t k = 0; k < views.size(); ++k) {
    const Pair& pair = *pairs_[k / 2];
    const auto eye = static_cast<std::uint32_t>(k % 2);
    views[k].type = XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW;
    views[k].pose = located[k].pose;
    views[k].fov = located[k].fov;
    views[k].subImage = pair.color.subImage(pair.extent, eye);
    if (!pair.depth) continue;
    // Depth is reversed with an infinite far plane: 0 is at infinity, 1 at the near plane.
    XrCompositionLayerDepthInfoKHR& info = depthInfos[k];
    info.type = XR_TYPE_COMPOSITION_LAYER_DEPTH_INFO_KHR;
    info.subImage = pair.depth->subImage(pair.extent, eye);
    info.minDepth = 0;
    info.maxDepth = 1;
    info.nearZ = std::numeric_limits<float>::infinity();
    info.farZ = static_cast<float>(View().nearPlane);
    views[k].next = &info;
  }
  return views;
}

}  // namespace tenon::xr
