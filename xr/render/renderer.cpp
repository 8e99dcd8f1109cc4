// Shadows of all lights into one atlas, then for each view: parts, caps of the cut ones, ground, backdrop,
// glass, arrows behind parts, panels.
#include "xr/render/renderer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "xr/render/arrow_mesh.h"
#include "xr/render/coarse_mesh.h"
#include "xr/render/feature_edges.h"
#include "xr/render/scene_bounds.h"

namespace tenon::xr {

namespace {

constexpr double kSmall = 1.5;  ///< cells of coarse triangles are smaller than so many pixels
/// Of the buffer of views: as much as any device asks for [bytes].
constexpr std::size_t kViewStride = 256;

Eigen::Matrix4d matrixOf(const physics::Pose& X, const physics::Vector3d& scale) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = X.q.toRotationMatrix() * scale.asDiagonal();
  m.topRightCorner<3, 1>() = X.p;
  return m;
}

GpuDraw drawConstants(const Eigen::Matrix4d& model, const Surface& surface, bool arrow) {
  GpuDraw out;
  put(out.model, model);
  put(out.color, surface.color, surface.opacity);
  put(out.material, {surface.metallic, surface.roughness, arrow ? 1.0 : 0.0}, 0);
  return out;
}

}  // namespace

RendererOptions interactiveOptions(vk::PhysicalDeviceType type, vk::Format format) {
  if (type == vk::PhysicalDeviceType::eCpu)
    return {format,           vk::SampleCountFlagBits::e1, /*keyLights=*/2,
            /*skyLights=*/6,  /*shadowTile=*/256,
            /*coarsens=*/true};
  return {format, vk::SampleCountFlagBits::e4, /*keyLights=*/10, /*skyLights=*/38, /*shadowTile=*/320};
}

Renderer::Renderer(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                   const RendererOptions& options)
    : physical_(physical),
      device_(device),
      options_(options),
      lights_(skyLights(options.keyLights, options.skyLights)),
      shadows_(physical, device, options.shadowTile, lights_),
      panels_(device, options.format, options.samples) {
  makeDescriptors();
  pipelines_ = Pipelines(device, *layout_, options.format, options.samples,
                         {options.keyLights, static_cast<int>(lights_.size())});
}

void Renderer::makeDescriptors() {
  using T = vk::DescriptorType;
  const std::array<T, 3> types{T::eUniformBuffer, T::eUniformBufferDynamic, T::eCombinedImageSampler};
  std::array<vk::DescriptorSetLayoutBinding, 3> bindings;
  std::array<vk::DescriptorPoolSize, 3> sizes;
  for (std::uint32_t k = 0; k < 3; ++k) {
    bindings[k] = vk::DescriptorSetLayoutBinding{
        .binding = k, .descriptorType = types[k], .descriptorCount = 1, .stageFlags = kDrawStages};
    sizes[k] = vk::DescriptorPoolSize{.type = types[k], .descriptorCount = 1};
  }
  setLayout_ = device_.createDescriptorSetLayout(vk::DescriptorSetLayoutCreateInfo().setBindings(bindings));
  const vk::PushConstantRange push{.stageFlags = kDrawStages, .offset = 0, .size = sizeof(GpuDraw)};
  layout_ = device_.createPipelineLayout(
      vk::PipelineLayoutCreateInfo().setSetLayouts(*setLayout_).setPushConstantRanges(push));
  pool_ = device_.createDescriptorPool(vk::DescriptorPoolCreateInfo{.maxSets = 1}.setPoolSizes(sizes));
  auto sets = (*device_).allocateDescriptorSets(
      vk::DescriptorSetAllocateInfo{.descriptorPool = *pool_}.setSetLayouts(*setLayout_),
      *device_.getDispatcher());
  set_ = sets.front();  // goes with its pool
}

void Renderer::writeDescriptors() {
  using T = vk::DescriptorType;
  const vk::DescriptorBufferInfo frame{.buffer = *frame_.buffer, .offset = 0, .range = VK_WHOLE_SIZE};
  const vk::DescriptorBufferInfo views{.buffer = *views_.buffer, .offset = 0, .range = sizeof(GpuView)};
  const vk::DescriptorImageInfo shadows{.sampler = shadows_.sampler(),
                                        .imageView = shadows_.view(),
                                        .imageLayout = vk::ImageLayout::eShaderReadOnlyOptimal};
  std::array<vk::WriteDescriptorSet, 3> writes;
  for (std::uint32_t k = 0; k < 3; ++k)
    writes[k] = vk::WriteDescriptorSet{.dstSet = set_, .dstBinding = k, .descriptorCount = 1};
  writes[0].setDescriptorType(T::eUniformBuffer).setPBufferInfo(&frame);
  writes[1].setDescriptorType(T::eUniformBufferDynamic).setPBufferInfo(&views);
  writes[2].setDescriptorType(T::eCombinedImageSampler).setPImageInfo(&shadows);
  device_.updateDescriptorSets(writes, nullptr);
}

void Renderer::makeTargets(vk::Extent2D extent) {
  if (extent == extent_) return;
  using U = vk::ImageUsageFlagBits;
  using A = vk::ImageAspectFlagBits;
  color_ = DeviceImage(physical_, device_, extent, options_.format, options_.samples, U::eColorAttachment,
                       A::eColor);
  depth_ = DeviceImage(physical_, device_, extent, kDepthFormat, options_.samples, U::eDepthStencilAttachment,
                       A::eDepth | A::eStencil);
  extent_ = extent;
}

void Renderer::uploadMeshes(const RenderScene& scene) {
  std::vector<std::shared_ptr<const content::DisplayMesh>> meshes{arrowShaft(), arrowHead()};
  for (const Instance& instance : scene.instances)
    if (std::find(meshes.begin(), meshes.end(), instance.mesh) == meshes.end())
      meshes.push_back(instance.mesh);
  if (meshes == meshes_) return;
  std::vector<float> vertices;
  std::vector<std::uint32_t> indices;
  ranges_.clear();
  patches_.clear();
  for (const auto& mesh : meshes) {
    const auto edges = featureEdges(*mesh);
    const auto first = static_cast<std::uint32_t>(indices.size()),
               count = static_cast<std::uint32_t>(3 * mesh->triangles.size());
    ranges_.push_back({.firstIndex = first,
                       .indices = count,
                       .firstEdge = first + count,
                       .edgeIndices = static_cast<std::uint32_t>(2 * edges.size()),
                       .firstVertex = static_cast<std::int32_t>(vertices.size() / 6),
                       .box = {}});
    for (std::size_t k = 0; k < mesh->positions.size(); ++k)
      for (const physics::Vector3d& v : {mesh->positions[k], mesh->normals[k]})
        for (int axis = 0; axis < 3; ++axis) vertices.push_back(static_cast<float>(v[axis]));
    for (const auto& triangle : mesh->triangles)
      indices.insert(indices.end(), triangle.begin(), triangle.end());
    for (const auto& edge : edges) indices.insert(indices.end(), edge.begin(), edge.end());
    ranges_.back().number = static_cast<std::uint32_t>(ranges_.size() - 1);
    patches_.push_back(options_.usesCoarseMeshes ? patchesOf(*mesh) : std::vector<Patch>());
    ranges_.back().box = boxes_.boxOf(mesh);
    ranges_.back().firstShadow = first;
    ranges_.back().shadowIndices = count;
    if (options_.usesCoarseMeshes) addCoarse(*mesh, ranges_.back(), indices);
  }
  using U = vk::BufferUsageFlagBits;
  grow(vertices_, physical_, device_, vertices.size() * sizeof(float), U::eVertexBuffer);
  grow(indices_, physical_, device_, indices.size() * sizeof(std::uint32_t), U::eIndexBuffer);
  std::memcpy(vertices_.data, vertices.data(), vertices.size() * sizeof(float));
  std::memcpy(indices_.data, indices.data(), indices.size() * sizeof(std::uint32_t));
  meshes_ = std::move(meshes);
  ++meshesChanged_;
  lightBounds_.reset();
}

void Renderer::addCoarse(const content::DisplayMesh& mesh, MeshRange& range,
                         std::vector<std::uint32_t>& indices) {
  Eigen::AlignedBox3d box;
  for (const physics::Vector3d& p : mesh.positions) box.extend(p);
  if (box.isEmpty() || !(box.diagonal().norm() > 0)) return;
  const auto add = [&](double cell, bool normals, std::uint32_t& first, std::uint32_t& count) {
    const auto triangles = coarseTriangles(mesh, cell, normals);
    if (triangles.empty()) return;
    first = static_cast<std::uint32_t>(indices.size());
    count = static_cast<std::uint32_t>(3 * triangles.size());
    for (const auto& t : triangles) indices.insert(indices.end(), t.begin(), t.end());
  };
  add(box.diagonal().norm() / 24, false, range.firstShadow, range.shadowIndices);
  range.cell = box.diagonal().norm() / 80;
  add(range.cell, true, range.firstSmall, range.smallIndices);
  if (range.smallIndices == 0) range.cell = 0;
}

/// What is so far away that its coarse triangles differ by less than a pixel.
void Renderer::chooseSizes(const View& view, double pixelsHigh) {
  small_.assign(draws_.size(), false);
  for (std::size_t k = 0; k < draws_.size(); ++k) {
    const double away = (draws_[k].middle - view.X_WC.p).norm();
    const double pixel = away * (view.up - view.down) / std::max(pixelsHigh, 1.0);
    small_[k] = draws_[k].range.cell > 0 && draws_[k].range.cell < kSmall * pixel;
  }
}

/// What is near first, so that what it hides costs no light; where only pictures that follow each other are
/// wanted, which need not be the same bits whatever else is in them.
void Renderer::sortByDistance(const View& view) {
  order_.resize(draws_.size());
  std::iota(order_.begin(), order_.end(), std::size_t(0));
  if (!options_.usesCoarseMeshes) return;
  std::vector<double> away;
  for (const Draw& draw : draws_) {
    const Eigen::AlignedBox3d& box = draw.range.box;
    const Eigen::Vector3d middle = box.isEmpty() ? Eigen::Vector3d::Zero() : Eigen::Vector3d(box.center());
    const double d = ((draw.model * middle.homogeneous()).head<3>() - view.X_WC.p).squaredNorm();
    away.push_back(std::isfinite(d) ? d : std::numeric_limits<double>::max());  // a part may be nowhere
  }
  // Glass and arrows keep their order: they are blended.
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    const bool solidA = !draws_[a].transparent && !draws_[a].arrow,
               solidB = !draws_[b].transparent && !draws_[b].arrow;
    return solidA != solidB ? solidA : solidA && away[a] < away[b];
  });
}

void Renderer::listDraws(const RenderScene& scene) {
  draws_.clear();
  casters_.clear();
  casterDraws_.clear();
  cuts_.clear();
  for (const Instance& instance : scene.instances) {
    const auto at = std::find(meshes_.begin(), meshes_.end(), instance.mesh) - meshes_.begin();
    const MeshRange& range = ranges_[static_cast<std::size_t>(at)];
    const bool transparent = instance.surface.opacity < 1;
    const Eigen::Matrix4d model = matrixOf(instance.X_WM, physics::Vector3d::Ones());
    draws_.push_back({range, drawConstants(model, instance.surface, false), transparent, false,
                      instance.edges, static_cast<std::uint32_t>(instance.hatching & 1), instance.X_WM.p,
                      model});
    if (transparent) continue;
    if (scene.section) listCut(draws_.back(), *scene.section);
    casters_.push_back({range.firstShadow, range.shadowIndices, range.firstVertex, model});
    casterDraws_.push_back(draws_.size() - 1);
  }
  // The smallest first: it is seen inside a larger one, as a pin that is pressed into a block.
  std::stable_sort(cuts_.begin(), cuts_.end(),
                   [](const CutPart& a, const CutPart& b) { return a.boxVolume < b.boxVolume; });
  for (const Arrow& arrow : scene.arrows) {
    const ArrowTransforms pieces = arrowTransforms(arrow);
    // Opacity counts where the arrow is hidden; in sight it is whole.
    const Surface paint{arrow.color, 0, 0.4, 0.35};
    const Eigen::Matrix4d shaft = matrixOf(pieces.X_WShaft, pieces.shaftScale),
                          head = matrixOf(pieces.X_WHead, pieces.headScale);
    draws_.push_back(
        {ranges_[0], drawConstants(shaft, paint, true), false, true, false, 0, arrow.tail, shaft});
    draws_.push_back({ranges_[1], drawConstants(head, paint, true), false, true, false, 0, arrow.tail, head});
  }
}

void Renderer::listCut(const Draw& draw, const SectionPlane& plane) {
  const std::optional<Corners> corners = cutCorners(draw.range.box, draw.model, plane);
  if (!corners) return;
  GpuDraw drawConstants = draw.drawConstants;
  drawConstants.material[3] = static_cast<float>(draw.hatching);
  // All of the mesh: coarse triangles are not closed.
  cuts_.push_back({drawConstants, *corners, draw.range.indices, draw.range.firstIndex, draw.range.firstVertex,
                   draw.range.box.volume()});
}

/// Where vertices cost much, what moves about changes no shadow of what rests.
Bounds Renderer::boundsOf(const RenderScene& scene) {
  constexpr double kRoom = 1.15, kTooLarge = 2;
  const Bounds now = boxes_.boundsOf(scene);
  if (!options_.usesCoarseMeshes) return now;
  if (!lightBounds_) lightBounds_ = now;
  const double needed = (now.center - lightBounds_->center).norm() + now.radius;
  // So that a part that is nowhere (NaN) spoils no later picture.
  if (!(needed <= lightBounds_->radius * (1 + 1e-9) && lightBounds_->radius <= kTooLarge * now.radius))
    lightBounds_ = Bounds{now.center, kRoom * now.radius};
  return *lightBounds_;
}

void Renderer::uploadFrame(const RenderScene& scene, const Bounds& bounds) {
  GpuFrame frame{};
  put(frame.bounds, bounds.center, bounds.radius);
  put(frame.section, physics::Vector3d::Zero(), 1);
  if (scene.section) put(frame.section, scene.section->normal, scene.section->offset);
  const Ground ground = scene.ground.value_or(Ground());
  put(frame.ground, {ground.height, ground.cell, 14 * bounds.radius}, scene.ground ? 1 : 0);
  shadows_.describe(frame, bounds);
  grow(frame_, physical_, device_, sizeof frame, vk::BufferUsageFlagBits::eUniformBuffer);
  std::memcpy(frame_.data, &frame, sizeof frame);
}

void Renderer::uploadViews(std::span<const View> views) {
  grow(views_, physical_, device_, kViewStride * views.size(), vk::BufferUsageFlagBits::eUniformBuffer);
  for (std::size_t k = 0; k < views.size(); ++k) {
    GpuView one;
    put(one.viewProjection, viewProjection(views[k]));
    put(one.eye, views[k].X_WC.p, 0);
    std::memcpy(static_cast<char*>(views_.data) + kViewStride * k, &one, sizeof one);
  }
}

void Renderer::pushConstants(const vk::raii::CommandBuffer& commands, const GpuDraw& draw) const {
  commands.pushConstants<GpuDraw>(*layout_, kDrawStages, 0, draw);
}

template <class Wanted>
void Renderer::drawAll(const vk::raii::CommandBuffer& commands, const vk::raii::Pipeline& pipeline,
                       const Wanted& wanted, bool whole) const {
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipeline);
  for (const std::size_t k : order_) {
    const Draw& draw = draws_[k];
    if (outside_[k] || !wanted(draw)) continue;
    GpuDraw now = draw.drawConstants;
    now.material[3] = whole ? 1.0F : 0.0F;
    pushConstants(commands, now);
    const bool small = small_[k];
    commands.drawIndexed(small ? draw.range.smallIndices : draw.range.indices, 1,
                         small ? draw.range.firstSmall : draw.range.firstIndex, draw.range.firstVertex, 0);
  }
}

void Renderer::drawEdges(const vk::raii::CommandBuffer& commands, bool transparent) const {
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines_.edges);
  for (std::size_t k = 0; k < draws_.size(); ++k) {
    const Draw& draw = draws_[k];
    if (outside_[k] || !draw.edges || draw.transparent != transparent) continue;
    pushConstants(commands, draw.drawConstants);
    commands.drawIndexed(draw.range.edgeIndices, 1, draw.range.firstEdge, draw.range.firstVertex, 0);
  }
}

void Renderer::drawShadows(const vk::raii::CommandBuffer& commands, const RenderScene& scene,
                           const Bounds& bounds) {
  ShadowScene shadows{.casters = casters_, .bounds = bounds, .meshes = meshesChanged_};
  if (scene.section) {
    shadows.sectionNormal = scene.section->normal;
    shadows.sectionOffset = scene.section->offset;
  }
  shadows_.draw(commands, *layout_, *pipelines_.shadow, shadows);
}

void Renderer::drawView(const vk::raii::CommandBuffer& commands, vk::Extent2D extent, const View& view,
                        std::size_t number, const RenderScene& scene, std::span<const PixelRect> parts) {
  chooseSizes(view, view.height * extent.height);
  sortByDistance(view);
  outside_.assign(draws_.size(), false);
  const PixelMap pixels(view, static_cast<int>(extent.width), static_cast<int>(extent.height));
  setViewport(commands, pixels.all());
  commands.bindDescriptorSets(vk::PipelineBindPoint::eGraphics, *layout_, 0, set_,
                              static_cast<std::uint32_t>(kViewStride * number));
  if (parts.empty()) return drawAllKinds(commands, pixels, pixels.all(), view, scene);
  for (const PixelRect& part : parts) drawPart(commands, pixels, part, view, scene);
}

/// Parts may overlap: each begins with depth and stencil of its own.
void Renderer::drawPart(const vk::raii::CommandBuffer& commands, const PixelMap& pixels,
                        const PixelRect& part, const View& view, const RenderScene& scene) {
  setScissor(commands, part);
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines_.blank);
  commands.draw(3, 1, 0, 0);
  for (std::size_t k = 0; k < draws_.size(); ++k) outside_[k] = !damage_.meshRects()[k].intersects(part);
  drawAllKinds(commands, pixels, part, view, scene);
}

void Renderer::drawAllKinds(const vk::raii::CommandBuffer& commands, const PixelMap& pixels,
                            const PixelRect& area, const View& view, const RenderScene& scene) {
  // Seen from the side that is cut away, caps hide what is behind them: no light is spent on that.
  const bool capsFirst = scene.section && scene.section->normal.dot(view.X_WC.p) > scene.section->offset;
  if (capsFirst) drawCaps(commands, *layout_, pipelines_, cuts_, pixels, area);
  drawAll(commands, pipelines_.outside, [](const Draw& draw) { return !draw.transparent && !draw.arrow; });
  if (!capsFirst) drawCaps(commands, *layout_, pipelines_, cuts_, pixels, area);
  if (scene.ground) {
    commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines_.ground);
    commands.draw(4, 1, 0, 0);
  }
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines_.backdrop);
  commands.draw(3, 1, 0, 0);
  drawEdges(commands, false);
  drawAll(commands, pipelines_.hidden, [](const Draw& draw) { return draw.arrow; });
  drawAll(commands, pipelines_.transparent, [](const Draw& draw) { return draw.transparent; });
  drawEdges(commands, true);
  drawAll(
      commands, pipelines_.arrows, [](const Draw& draw) { return draw.arrow; }, true);
  panels_.drawPanels(commands, view, scene.panels);
  panels_.drawVignette(commands, view, scene.vignette);
}

void Renderer::draw(const vk::raii::CommandBuffer& commands, const RenderTarget& target,
                    std::span<const View> views, const RenderScene& scene) {
  prepare(commands, views, scene);
  drawTarget(commands, target, views, 0, scene);
}

void Renderer::drawEach(const vk::raii::CommandBuffer& commands, std::span<const RenderTarget> targets,
                        std::span<const View> views, const RenderScene& scene) {
  prepare(commands, views, scene);
  for (std::size_t k = 0; k < targets.size(); ++k)
    drawTarget(commands, targets[k], views.subspan(k, 1), k, scene);
}

/// What differs from the picture that was begun before.
void Renderer::updateDamage(vk::Extent2D extent, const View& view, const RenderScene& scene,
                            const Bounds& bounds) {
  std::vector<PlacedMesh> meshes;
  for (const Draw& draw : draws_) {
    PlacedMesh& mesh = meshes.emplace_back();
    mesh.mesh = draw.range.number;
    mesh.box = draw.range.box;
    mesh.model = draw.model;
    std::copy(std::begin(draw.drawConstants.color), std::end(draw.drawConstants.color),
              mesh.material.begin());
    std::copy(std::begin(draw.drawConstants.material), std::end(draw.drawConstants.material),
              mesh.material.begin() + 4);
    mesh.material[7] = static_cast<float>(draw.hatching + (draw.edges ? 2 : 0));
    if (!draw.transparent && !draw.arrow && !patches_.empty()) mesh.patches = &patches_[draw.range.number];
    mesh.indices = draw.range.indices;
  }
  // Points are looked up a pixel and a half of a map off the surface, and between the pixels round them.
  MovedShadows shadows{{},
                       lights_,
                       static_cast<std::size_t>(options_.keyLights),
                       2.5 * 2 * bounds.radius / options_.shadowTile};
  for (const ShadowAtlas::Move& move : shadows_.moves())
    shadows.moved.push_back({casterDraws_[move.caster], move.before, move.after});
  // Panels and veils are for headsets: nothing is told of where they differ.
  const bool shownInRooms = !scene.panels.empty() || scene.vignette.rim > 0 || scene.vignette.all > 0;
  if (shadows_.isAllRedrawn() || shownInRooms) damage_.invalidate();
  damage_.take({view, static_cast<int>(extent.width), static_cast<int>(extent.height), scene.section,
                scene.ground, bounds, meshesChanged_},
               std::move(meshes), shadows);
}

double Renderer::begin(const vk::raii::CommandBuffer& commands, vk::Extent2D extent, const View& view,
                       const RenderScene& scene) {
  const Bounds bounds = prepare(commands, {&view, 1}, scene);
  updateDamage(extent, view, scene, bounds);
  return damage_.share();
}

void Renderer::drawDamaged(const vk::raii::CommandBuffer& commands, const RenderTarget& target,
                           const View& view, const RenderScene& scene, bool again) {
  if (!again || damage_.all()) {
    damage_.markAllDrawn();
    drawTarget(commands, target, {&view, 1}, 0, scene);
  } else if (!damage_.parts().empty()) {
    drawTarget(commands, target, {&view, 1}, 0, scene, damage_.parts());
  }
}

Bounds Renderer::prepare(const vk::raii::CommandBuffer& commands, std::span<const View> views,
                         const RenderScene& scene) {
  uploadMeshes(scene);
  listDraws(scene);
  const Bounds bounds = boundsOf(scene);
  uploadFrame(scene, bounds);
  uploadViews(views);
  writeDescriptors();
  commands.bindVertexBuffers(0, *vertices_.buffer, vk::DeviceSize(0));
  commands.bindIndexBuffer(*indices_.buffer, 0, vk::IndexType::eUint32);
  drawShadows(commands, scene, bounds);
  return bounds;
}

/// With parts: only these, over what the target holds.
void Renderer::drawTarget(const vk::raii::CommandBuffer& commands, const RenderTarget& target,
                          std::span<const View> views, std::size_t firstView, const RenderScene& scene,
                          std::span<const PixelRect> parts) {
  makeTargets(target.extent);
  using A = vk::ImageAspectFlagBits;
  using L = vk::ImageLayout;
  transition(commands, *color_.image, A::eColor, L::eUndefined, L::eColorAttachmentOptimal);
  transition(commands, target.image, A::eColor, parts.empty() ? L::eUndefined : target.layoutBefore,
             L::eColorAttachmentOptimal);
  transition(commands, *depth_.image, A::eDepth | A::eStencil, L::eUndefined,
             L::eDepthStencilAttachmentOptimal);
  const bool resolves = options_.samples != vk::SampleCountFlagBits::e1;
  vk::RenderingAttachmentInfo color{
      .imageView = resolves ? *color_.view : target.view,
      .imageLayout = L::eColorAttachmentOptimal,
      .loadOp = parts.empty() ? vk::AttachmentLoadOp::eClear : vk::AttachmentLoadOp::eLoad,
      .storeOp = vk::AttachmentStoreOp::eStore};
  if (resolves) {
    color.resolveMode = vk::ResolveModeFlagBits::eAverage;
    color.resolveImageView = target.view;
    color.resolveImageLayout = L::eColorAttachmentOptimal;
    color.storeOp = vk::AttachmentStoreOp::eDontCare;
  }
  vk::RenderingAttachmentInfo depth{
      .imageView = *depth_.view,
      .imageLayout = L::eDepthStencilAttachmentOptimal,
      .loadOp = parts.empty() ? vk::AttachmentLoadOp::eClear : vk::AttachmentLoadOp::eDontCare,
      .storeOp = vk::AttachmentStoreOp::eDontCare,
      .clearValue = {.depthStencil = {0, 0}}};
  if (target.depth) {
    transition(commands, target.depth, A::eDepth | A::eStencil, L::eUndefined,
               L::eDepthStencilAttachmentOptimal);
    if (resolves) {
      depth.resolveMode = vk::ResolveModeFlagBits::eSampleZero;
      depth.resolveImageView = target.depthView;
      depth.resolveImageLayout = L::eDepthStencilAttachmentOptimal;
    } else {
      depth.imageView = target.depthView;
      depth.storeOp = vk::AttachmentStoreOp::eStore;
    }
  }
  commands.beginRendering(vk::RenderingInfo{.renderArea = {{0, 0}, target.extent},
                                            .layerCount = 1,
                                            .pDepthAttachment = &depth,
                                            .pStencilAttachment = &depth}
                              .setColorAttachments(color));
  for (std::size_t k = 0; k < views.size(); ++k)
    drawView(commands, target.extent, views[k], firstView + k, scene, parts);
  commands.endRendering();
  transition(commands, target.image, A::eColor, L::eColorAttachmentOptimal, target.layoutAfter);
}

}  // namespace tenon::xr
