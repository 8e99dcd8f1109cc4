// Static casters are drawn again when one of them moves or another comes to rest; moving ones in every frame.
#include "xr/render/shadow_atlas.h"

#include <algorithm>
#include <cmath>

#include "xr/render/formats.h"
#include "xr/render/pipelines.h"

namespace tenon::xr {

namespace {

constexpr int kColumns = 16;          ///< tiles in a row
constexpr int kStaticAfter = 4;       ///< frames without motion after which a caster is static
constexpr int kMaxFramesAtRest = 60;  ///< frames after which a resting caster must be in the static image
constexpr double kMinMotion = 0.1;    ///< smaller motions are ignored [pixels of a map]
constexpr auto kDepth = vk::ImageAspectFlagBits::eDepth;

/// An upper bound of how far a point within radius r of the origin moves from pose `a` to `b` [m].
double motionBound(const Eigen::Matrix4d& a, const Eigen::Matrix4d& b, double r) {
  const Eigen::Matrix4d d = (a - b).cwiseAbs();
  return d.topRightCorner<3, 1>().maxCoeff() + r * d.topLeftCorner<3, 3>().rowwise().sum().maxCoeff();
}

bool sameIndices(const ShadowCaster& a, const ShadowCaster& b) {
  return a.firstIndex == b.firstIndex && a.indices == b.indices && a.firstVertex == b.firstVertex;
}

/// Tiles in rows; in a tile one map, or as many of smaller side as fit.
std::vector<PixelRect> placeMaps(std::span<const SkyLight> lights, int tile) {
  std::vector<PixelRect> maps;
  int tiles = 0, inRow = 1, next = 1;  // maps in a row of the last tile, and the next one's number in it
  for (const SkyLight& light : lights) {
    const int wanted = static_cast<int>(std::lround(1 / light.mapSide)), side = tile / wanted;
    if (tiles == 0 || wanted != inRow || next == inRow * inRow) {
      ++tiles;
      inRow = wanted;
      next = 0;
    }
    const int left = (tiles - 1) % kColumns * tile + next % inRow * side;
    const int top = (tiles - 1) / kColumns * tile + next / inRow * side;
    maps.push_back({left, top, left + side, top + side});
    ++next;
  }
  return maps;
}

/// Of the tiles of these maps.
vk::Extent2D extentOf(std::span<const PixelRect> maps, int tile) {
  int right = tile, bottom = tile;
  for (const PixelRect& map : maps) {
    right = std::max(right, (map.right + tile - 1) / tile * tile);
    bottom = std::max(bottom, (map.bottom + tile - 1) / tile * tile);
  }
  return {static_cast<std::uint32_t>(right), static_cast<std::uint32_t>(bottom)};
}

}  // namespace

ShadowAtlas::ShadowAtlas(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, int tile,
                         std::span<const SkyLight> lights)
    : tile_(static_cast<std::uint32_t>(tile)),
      lights_(lights.begin(), lights.end()),
      maps_(placeMaps(lights, tile)),
      extent_(extentOf(maps_, tile)) {
  using U = vk::ImageUsageFlagBits;
  atlas_ = DeviceImage(physical, device, extent_, kShadowFormat, vk::SampleCountFlagBits::e1,
                       U::eDepthStencilAttachment | U::eSampled | U::eTransferDst, kDepth);
  staticAtlas_ = DeviceImage(physical, device, extent_, kShadowFormat, vk::SampleCountFlagBits::e1,
                             U::eDepthStencilAttachment | U::eTransferSrc, kDepth);
  constexpr auto kEdge = vk::SamplerAddressMode::eClampToEdge;
  comparing_ = device.createSampler({.magFilter = vk::Filter::eLinear,
                                     .minFilter = vk::Filter::eLinear,
                                     .addressModeU = kEdge,
                                     .addressModeV = kEdge,
                                     .compareEnable = true,
                                     .compareOp = vk::CompareOp::eLessOrEqual});
  nearest_ = device.createSampler({.addressModeU = kEdge, .addressModeV = kEdge});
  if (lights.size() <= kMaxWideLights) moments_.emplace(physical, device, atlas_, extent_, lights, maps_);
}

std::array<vk::DescriptorImageInfo, 3> ShadowAtlas::images() const {
  constexpr auto kRead = vk::ImageLayout::eShaderReadOnlyOptimal;
  const auto from = [&](const vk::raii::Sampler& sampler) {
    return vk::DescriptorImageInfo{.sampler = *sampler, .imageView = *atlas_.view, .imageLayout = kRead};
  };
  // Without moments shaders read nothing there, but there must be an image.
  if (!moments_) return {from(comparing_), from(nearest_), from(nearest_)};
  const auto [fine, wide] = moments_->images();
  return {from(comparing_), fine, wide};
}

// Shadows are sampled 1.5 pixels of a map off the surface and filtered between neighboring pixels.
double ShadowAtlas::blur(const Bounds& bounds) const {
  return (moments_ ? 1.5 + kMomentsReach : 2.5) * 2 * bounds.radius / tile_;
}

double ShadowAtlas::prominentBlur(const Bounds& bounds) const {
  return (moments_ ? 1.5 + kMomentsVisibleReach : 2.5) * 2 * bounds.radius / tile_;
}

void ShadowAtlas::describe(GpuFrame& frame, const Bounds& bounds) const {
  const double across = static_cast<double>(tile_) / extent_.width,
               down = static_cast<double>(tile_) / extent_.height;
  put(frame.counts, {across, down, 2 * bounds.radius / tile_}, bounds.radius / 40);
  for (std::size_t k = 0; k < lights_.size(); ++k) {
    const Eigen::Vector3d& toward = lights_[k].toward;
    const Eigen::Vector3d right = toward.unitOrthogonal();
    put(frame.lights[k].right, right, static_cast<double>(maps_[k].left) / extent_.width);
    put(frame.lights[k].up, toward.cross(right), static_cast<double>(maps_[k].top) / extent_.height);
    put(frame.lights[k].toward, toward, lights_[k].share);
  }
}

/// Finds the casters that moved; true if the atlas must be redrawn.
bool ShadowAtlas::updateMoves(const ShadowScene& scene) {
  Eigen::Vector4d section;
  section << scene.sectionNormal, scene.sectionOffset;
  allRedrawn_ =
      meshes_ != scene.meshes || bounds_.radius != scene.bounds.radius ||
      bounds_.center != scene.bounds.center || section_ != section || groundHeight_ != scene.groundHeight ||
      !std::equal(casters_.begin(), casters_.end(), scene.casters.begin(), scene.casters.end(), sameIndices);
  moves_.clear();
  if (allRedrawn_) {
    casters_.assign(scene.casters.begin(), scene.casters.end());
    framesAtRest_.assign(casters_.size(), 0);
    isStatic_.assign(casters_.size(), false);
    bounds_ = scene.bounds;
    section_ = section;
    groundHeight_ = scene.groundHeight;
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
  if (moments_) moments_->filter(commands, scene.bounds, scene.groundHeight);
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
  for (std::size_t light = 0; light < lights_.size(); ++light) {
    setViewport(commands, maps_[light]);
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
