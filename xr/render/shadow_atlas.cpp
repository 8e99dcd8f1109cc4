// Static casters are drawn again when one of them moves or another comes to rest; moving ones in every frame.
#include "xr/render/shadow_atlas.h"

#include <algorithm>
#include <cmath>

#include "xr/render/formats.h"
#include "xr/render/pipelines.h"

namespace tenon::xr {

namespace {

constexpr std::uint32_t kColumns = 16;  ///< maps in a row
constexpr int kStaticAfter = 4;         ///< frames without motion after which a caster is static
constexpr int kMaxFramesAtRest = 60;    ///< frames after which a resting caster must be in the static image
constexpr double kMinMotion = 0.1;      ///< smaller motions are ignored [pixels of a map]
constexpr auto kDepth = vk::ImageAspectFlagBits::eDepth;

/// An upper bound of how far a point within radius r of the origin moves from pose `a` to `b` [m].
double motionBound(const Eigen::Matrix4d& a, const Eigen::Matrix4d& b, double r) {
  const Eigen::Matrix4d d = (a - b).cwiseAbs();
  return d.topRightCorner<3, 1>().maxCoeff() + r * d.topLeftCorner<3, 3>().rowwise().sum().maxCoeff();
}

bool sameIndices(const ShadowCaster& a, const ShadowCaster& b) {
  return a.firstIndex == b.firstIndex && a.indices == b.indices && a.firstVertex == b.firstVertex;
}

}  // namespace

ShadowAtlas::ShadowAtlas(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, int tile,
                         std::span<const SkyLight> lights)
    : tile_(static_cast<std::uint32_t>(tile)), lights_(lights.begin(), lights.end()) {
  const auto count = std::max(static_cast<std::uint32_t>(lights_.size()), 1u);
  extent_ = vk::Extent2D{std::min(count, kColumns) * tile_, (count + kColumns - 1) / kColumns * tile_};
  using U = vk::ImageUsageFlagBits;
  atlas_ = DeviceImage(physical, device, extent_, kShadowFormat, vk::SampleCountFlagBits::e1,
                       U::eDepthStencilAttachment | U::eSampled | U::eTransferDst, kDepth);
  staticAtlas_ = DeviceImage(physical, device, extent_, kShadowFormat, vk::SampleCountFlagBits::e1,
                             U::eDepthStencilAttachment | U::eTransferSrc, kDepth);
  sampler_ = device.createSampler({.magFilter = vk::Filter::eLinear,
                                   .minFilter = vk::Filter::eLinear,
                                   .addressModeU = vk::SamplerAddressMode::eClampToEdge,
                                   .addressModeV = vk::SamplerAddressMode::eClampToEdge,
                                   .compareEnable = true,
                                   .compareOp = vk::CompareOp::eLessOrEqual});
}

void ShadowAtlas::describe(GpuFrame& frame, const Bounds& bounds) const {
  const double across = static_cast<double>(tile_) / extent_.width,
               down = static_cast<double>(tile_) / extent_.height;
  put(frame.counts, {across, down, 2 * bounds.radius / tile_}, bounds.radius / 40);
  for (std::size_t k = 0; k < lights_.size(); ++k) {
    const Eigen::Vector3d& toward = lights_[k].toward;
    const Eigen::Vector3d right = toward.unitOrthogonal();
    const std::size_t column = k % kColumns, row = k / kColumns;
    put(frame.lights[k].right, right, across * static_cast<double>(column));
    put(frame.lights[k].up, toward.cross(right), down * static_cast<double>(row));
    put(frame.lights[k].toward, toward, lights_[k].share);
  }
}

/// Finds the casters that moved; true if the atlas must be redrawn.
bool ShadowAtlas::updateMoves(const ShadowScene& scene) {
  Eigen::Vector4d section;
  section << scene.sectionNormal, scene.sectionOffset;
  allRedrawn_ =
      meshes_ != scene.meshes || bounds_.radius != scene.bounds.radius ||
      bounds_.center != scene.bounds.center || section_ != section ||
      !std::equal(casters_.begin(), casters_.end(), scene.casters.begin(), scene.casters.end(), sameIndices);
  moves_.clear();
  if (allRedrawn_) {
    casters_.assign(scene.casters.begin(), scene.casters.end());
    framesAtRest_.assign(casters_.size(), 0);
    isStatic_.assign(casters_.size(), false);
    bounds_ = scene.bounds;
    section_ = section;
    meshes_ = scene.meshes;
    return true;
  }
  const double minMotion = kMinMotion * 2 * bounds_.radius / tile_;
  for (std::size_t k = 0; k < casters_.size(); ++k) {
    ++framesAtRest_[k];
    if (motionBound(casters_[k].model, scene.casters[k].model, bounds_.radius) < minMotion) continue;
    moves_.push_back({k, casters_[k].model, scene.casters[k].model});
    casters_[k].model = scene.casters[k].model;
    framesAtRest_[k] = 0;
    staticOutdated_ = staticOutdated_ || isStatic_[k];
  }
  return !moves_.empty();
}

void ShadowAtlas::classifyCasters() {
  for (std::size_t k = 0; k < casters_.size(); ++k) isStatic_[k] = framesAtRest_[k] >= kStaticAfter;
}

void ShadowAtlas::draw(const vk::raii::CommandBuffer& commands, vk::PipelineLayout layout,
                       vk::Pipeline pipeline, const ShadowScene& scene) {
  if (!updateMoves(scene)) return;
  const bool isOverdue = std::any_of(casters_.begin(), casters_.end(), [&](const ShadowCaster& caster) {
    const auto k = static_cast<std::size_t>(&caster - casters_.data());
    return !isStatic_[k] && framesAtRest_[k] >= kMaxFramesAtRest;
  });
  const bool redrawsStatic = !allRedrawn_ && (staticOutdated_ || isOverdue);
  if (redrawsStatic) {
    classifyCasters();
    drawInto(commands, staticAtlas_, true, layout, pipeline, scene, true);
  }
  staticOutdated_ = false;
  const bool hasStatic = std::find(isStatic_.begin(), isStatic_.end(), true) != isStatic_.end();
  if (hasStatic) copyStatic(commands);
  drawInto(commands, atlas_, !hasStatic, layout, pipeline, scene, false);
}

void ShadowAtlas::copyStatic(const vk::raii::CommandBuffer& commands) const {
  using L = vk::ImageLayout;
  transition(commands, *atlas_.image, kDepth, L::eUndefined, L::eTransferDstOptimal);
  const vk::ImageCopy all{.srcSubresource = {kDepth, 0, 0, 1},
                          .dstSubresource = {kDepth, 0, 0, 1},
                          .extent = {extent_.width, extent_.height, 1}};
  commands.copyImage(*staticAtlas_.image, L::eTransferSrcOptimal, *atlas_.image, L::eTransferDstOptimal, all);
}

/// The matrix from the caster's frame to the light's map, and the section plane in that frame.
GpuDraw ShadowAtlas::drawFromLight(std::size_t light, const ShadowCaster& caster,
                                   const ShadowScene& scene) const {
  const Eigen::Vector3d& toward = lights_[light].toward;
  const Eigen::Vector3d right = toward.unitOrthogonal(), up = toward.cross(right);
  Eigen::Matrix4d map = Eigen::Matrix4d::Identity();
  const double r = scene.bounds.radius;
  map.row(0) << right.transpose() / r, -right.dot(scene.bounds.center) / r;
  map.row(1) << up.transpose() / r, -up.dot(scene.bounds.center) / r;
  map.row(2) << -0.5 * toward.transpose() / r, 0.5 + 0.5 * toward.dot(scene.bounds.center) / r;
  GpuDraw out{};
  put(out.model, map * caster.model);
  const Eigen::Vector4d cut = -caster.model.topRows<3>().transpose() * scene.sectionNormal;
  put(out.color, cut.head<3>(), cut[3] + scene.sectionOffset);
  return out;
}

void ShadowAtlas::drawInto(const vk::raii::CommandBuffer& commands, const DeviceImage& image, bool clears,
                           vk::PipelineLayout layout, vk::Pipeline pipeline, const ShadowScene& scene,
                           bool isStatic) const {
  using L = vk::ImageLayout;
  transition(commands, *image.image, kDepth, clears ? L::eUndefined : L::eTransferDstOptimal,
             L::eDepthAttachmentOptimal);
  const vk::RenderingAttachmentInfo depth{
      .imageView = *image.view,
      .imageLayout = L::eDepthAttachmentOptimal,
      .loadOp = clears ? vk::AttachmentLoadOp::eClear : vk::AttachmentLoadOp::eLoad,
      .storeOp = vk::AttachmentStoreOp::eStore,
      .clearValue = {.depthStencil = {1, 0}}};
  commands.beginRendering({.renderArea = {{0, 0}, extent_}, .layerCount = 1, .pDepthAttachment = &depth});
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, pipeline);
  for (std::uint32_t light = 0; light < lights_.size(); ++light) {
    const int tile = static_cast<int>(tile_), left = static_cast<int>(light % kColumns) * tile,
              top = static_cast<int>(light / kColumns) * tile;
    const int side = static_cast<int>(std::lround(tile * lights_[light].mapSide));
    setViewport(commands, {left, top, left + side, top + side});
    for (std::size_t k = 0; k < casters_.size(); ++k) {
      if (isStatic_[k] != isStatic) continue;
      commands.pushConstants<GpuDraw>(layout, kDrawStages, 0, drawFromLight(light, casters_[k], scene));
      commands.drawIndexed(casters_[k].indices, 1, casters_[k].firstIndex, casters_[k].firstVertex, 0);
    }
  }
  commands.endRendering();
  transition(commands, *image.image, kDepth, L::eDepthAttachmentOptimal,
             isStatic ? L::eTransferSrcOptimal : L::eShaderReadOnlyOptimal);
}

}  // namespace tenon::xr
