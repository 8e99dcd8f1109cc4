// Shadows of all lights into one atlas, then for each view: parts, faces of the cut, ground, backdrop, glass,
// arrows behind parts.
#include "xr/render/renderer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "xr/render/arrow_mesh.h"
#include "xr/render/coarse_mesh.h"
#include "xr/render/feature_edges.h"
#include "xr/render/scene_bounds.h"

namespace tenon::xr {

namespace {

constexpr int kTiles = 16;  // of the atlas in a row, as in shaders/frame.glsl
constexpr auto kStages = vk::ShaderStageFlagBits::eVertex | vk::ShaderStageFlagBits::eFragment;
// Whether opacity counts, as shaders/solid.frag has it: an arrow is whole where it is in sight.
constexpr float kAsTold = 0, kWhole = 1;
constexpr double kSmall = 1.5;  ///< cells of coarse triangles are smaller than so many pixels

struct GpuInstance {
  float model[16];
  float colour[4];
  float look[4];
};

struct GpuLight {
  float right[4], up[4], toward[4];
};

struct GpuFrame {
  float bounds[4], section[4], ground[4], counts[4];
  GpuLight lights[kMostLights];
};

void put(float (&to)[4], const physics::Vector3d& v, double w) {
  for (int k = 0; k < 3; ++k) to[k] = static_cast<float>(v[k]);
  to[3] = static_cast<float>(w);
}

void put(float (&to)[16], const Eigen::Matrix4d& m) {
  const Eigen::Matrix4f narrow = m.cast<float>();
  std::memcpy(to, narrow.data(), sizeof to);
}

Eigen::Matrix4d matrixOf(const physics::Pose& X, const physics::Vector3d& scale) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = X.q.toRotationMatrix() * scale.asDiagonal();
  m.topRightCorner<3, 1>() = X.p;
  return m;
}

GpuInstance gpuInstance(const Eigen::Matrix4d& model, const Surface& surface, bool arrow) {
  GpuInstance out;
  put(out.model, model);
  put(out.colour, surface.colour, surface.opacity);
  put(out.look, {surface.metallic, surface.roughness, arrow ? -1.0 : 0.0}, 0);
  return out;
}

void setViewport(const vk::raii::CommandBuffer& commands, const vk::Rect2D& r) {
  const vk::Viewport viewport{.x = static_cast<float>(r.offset.x),
                              .y = static_cast<float>(r.offset.y),
                              .width = static_cast<float>(r.extent.width),
                              .height = static_cast<float>(r.extent.height),
                              .minDepth = 0,
                              .maxDepth = 1};
  commands.setViewport(0, viewport);
  commands.setScissor(0, r);
}

}  // namespace

RendererOptions livelyOptions(vk::PhysicalDeviceType type, vk::Format format) {
  if (type == vk::PhysicalDeviceType::eCpu)
    return {format,           vk::SampleCountFlagBits::e1, /*keyLights=*/3,
            /*skyLights=*/7,  /*shadowTile=*/256,
            /*coarsens=*/true};
  return {format, vk::SampleCountFlagBits::e4, /*keyLights=*/10, /*skyLights=*/38, /*shadowTile=*/320};
}

Renderer::Renderer(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                   const RendererOptions& options)
    : physical_(physical),
      device_(device),
      options_(options),
      lights_(skyLights(options.keyLights, options.skyLights)) {
  makeShadows();
  makeDescriptors();
  pipelines_ = Pipelines(device, *layout_, options.format, options.samples);
}

void Renderer::makeShadows() {
  const auto tile = static_cast<std::uint32_t>(options_.shadowTile);
  const auto rows = static_cast<std::uint32_t>((lights_.size() + kTiles - 1) / kTiles);
  atlas_ = vk::Extent2D{kTiles * tile, std::max(rows, 1u) * tile};
  using U = vk::ImageUsageFlagBits;
  shadows_ = DeviceImage(physical_, device_, atlas_, kShadowFormat, vk::SampleCountFlagBits::e1,
                         U::eDepthStencilAttachment | U::eSampled, vk::ImageAspectFlagBits::eDepth);
  shadowSampler_ = device_.createSampler({.magFilter = vk::Filter::eLinear,
                                          .minFilter = vk::Filter::eLinear,
                                          .addressModeU = vk::SamplerAddressMode::eClampToEdge,
                                          .addressModeV = vk::SamplerAddressMode::eClampToEdge,
                                          .compareEnable = true,
                                          .compareOp = vk::CompareOp::eLessOrEqual});
}

void Renderer::makeDescriptors() {
  using T = vk::DescriptorType;
  const std::array<T, 3> types{T::eUniformBuffer, T::eStorageBuffer, T::eCombinedImageSampler};
  std::array<vk::DescriptorSetLayoutBinding, 3> bindings;
  std::array<vk::DescriptorPoolSize, 3> sizes;
  for (std::uint32_t k = 0; k < 3; ++k) {
    bindings[k] = vk::DescriptorSetLayoutBinding{
        .binding = k, .descriptorType = types[k], .descriptorCount = 1, .stageFlags = kStages};
    sizes[k] = vk::DescriptorPoolSize{.type = types[k], .descriptorCount = 1};
  }
  setLayout_ = device_.createDescriptorSetLayout(vk::DescriptorSetLayoutCreateInfo().setBindings(bindings));
  const vk::PushConstantRange push{.stageFlags = kStages, .offset = 0, .size = sizeof(PushConstants)};
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
  const vk::DescriptorBufferInfo instances{.buffer = *instances_.buffer, .offset = 0, .range = VK_WHOLE_SIZE};
  const vk::DescriptorImageInfo shadows{.sampler = *shadowSampler_,
                                        .imageView = *shadows_.view,
                                        .imageLayout = vk::ImageLayout::eShaderReadOnlyOptimal};
  std::array<vk::WriteDescriptorSet, 3> writes;
  for (std::uint32_t k = 0; k < 3; ++k)
    writes[k] = vk::WriteDescriptorSet{.dstSet = set_, .dstBinding = k, .descriptorCount = 1};
  writes[0].setDescriptorType(T::eUniformBuffer).setPBufferInfo(&frame);
  writes[1].setDescriptorType(T::eStorageBuffer).setPBufferInfo(&instances);
  writes[2].setDescriptorType(T::eCombinedImageSampler).setPImageInfo(&shadows);
  device_.updateDescriptorSets(writes, nullptr);
}

void Renderer::makeTargets(vk::Extent2D extent) {
  if (extent == extent_) return;
  using U = vk::ImageUsageFlagBits;
  using A = vk::ImageAspectFlagBits;
  colour_ = DeviceImage(physical_, device_, extent, options_.format, options_.samples, U::eColorAttachment,
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
  for (const auto& mesh : meshes) {
    const auto edges = featureEdges(*mesh);
    const auto first = static_cast<std::uint32_t>(indices.size()),
               count = static_cast<std::uint32_t>(3 * mesh->triangles.size());
    ranges_.push_back({first, count, first + count, static_cast<std::uint32_t>(2 * edges.size()),
                       static_cast<std::int32_t>(vertices.size() / 6)});
    for (std::size_t k = 0; k < mesh->positions.size(); ++k)
      for (const physics::Vector3d& v : {mesh->positions[k], mesh->normals[k]})
        for (int axis = 0; axis < 3; ++axis) vertices.push_back(static_cast<float>(v[axis]));
    for (const auto& triangle : mesh->triangles)
      indices.insert(indices.end(), triangle.begin(), triangle.end());
    for (const auto& edge : edges) indices.insert(indices.end(), edge.begin(), edge.end());
    ranges_.back().firstShadow = first;
    ranges_.back().shadowIndices = count;
    if (options_.coarsens) addCoarse(*mesh, ranges_.back(), indices);
  }
  using U = vk::BufferUsageFlagBits;
  grow(vertices_, physical_, device_, vertices.size() * sizeof(float), U::eVertexBuffer);
  grow(indices_, physical_, device_, indices.size() * sizeof(std::uint32_t), U::eIndexBuffer);
  std::memcpy(vertices_.data, vertices.data(), vertices.size() * sizeof(float));
  std::memcpy(indices_.data, indices.data(), indices.size() * sizeof(std::uint32_t));
  meshes_ = std::move(meshes);
  shadowed_.clear();
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

void Renderer::uploadInstances(const RenderScene& scene) {
  std::vector<GpuInstance> instances;
  draws_.clear();
  casters_.clear();
  for (const Instance& instance : scene.instances) {
    const auto at = std::find(meshes_.begin(), meshes_.end(), instance.mesh) - meshes_.begin();
    const bool glass = instance.surface.opacity < 1;
    draws_.push_back({ranges_[static_cast<std::size_t>(at)], glass, false, instance.edges,
                      static_cast<std::uint32_t>(instance.hatching & 1), instance.X_WM.p});
    instances.push_back(
        gpuInstance(matrixOf(instance.X_WM, physics::Vector3d::Ones()), instance.surface, false));
    if (glass) continue;
    const float(&model)[16] = instances.back().model;
    casters_.push_back(static_cast<float>(draws_.size() - 1));
    casters_.insert(casters_.end(), std::begin(model), std::end(model));
  }
  for (const Arrow& arrow : scene.arrows) {
    const ArrowPieces pieces = piecesOf(arrow);
    // Opacity counts where the arrow is hidden; in sight it is whole.
    const Surface paint{arrow.colour, 0, 0.4, 0.35};
    draws_.push_back({ranges_[0], false, true, false, 0, arrow.tail});
    instances.push_back(gpuInstance(matrixOf(pieces.X_WShaft, pieces.shaftScale), paint, true));
    draws_.push_back({ranges_[1], false, true, false, 0, arrow.tail});
    instances.push_back(gpuInstance(matrixOf(pieces.X_WHead, pieces.headScale), paint, true));
  }
  const std::size_t bytes = instances.size() * sizeof(GpuInstance);
  grow(instances_, physical_, device_, bytes, vk::BufferUsageFlagBits::eStorageBuffer);
  if (bytes > 0) std::memcpy(instances_.data, instances.data(), bytes);
}

void Renderer::uploadFrame(const RenderScene& scene) {
  const Bounds bounds = boxes_.boundsOf(scene);
  GpuFrame frame{};
  put(frame.bounds, bounds.centre, bounds.radius);
  put(frame.section, physics::Vector3d::Zero(), 1);
  if (scene.section) put(frame.section, scene.section->normal, scene.section->offset);
  const Ground ground = scene.ground.value_or(Ground());
  put(frame.ground, {ground.height, ground.cell, 14 * bounds.radius}, scene.ground ? 1 : 0);
  put(frame.counts,
      {static_cast<double>(lights_.size()), static_cast<double>(options_.keyLights),
       2 * bounds.radius / options_.shadowTile},
      bounds.radius / 40);
  for (std::size_t k = 0; k < lights_.size(); ++k) {
    const physics::Vector3d& toward = lights_[k].toward;
    const physics::Vector3d right = toward.unitOrthogonal();
    put(frame.lights[k].right, right, 0);
    put(frame.lights[k].up, toward.cross(right), 0);
    put(frame.lights[k].toward, toward, lights_[k].share);
  }
  grow(frame_, physical_, device_, sizeof frame, vk::BufferUsageFlagBits::eUniformBuffer);
  std::memcpy(frame_.data, &frame, sizeof frame);
  for (const auto& row : {frame.bounds, frame.section}) casters_.insert(casters_.end(), row, row + 4);
}

template <class Wanted>
void Renderer::drawAll(const vk::raii::CommandBuffer& commands, const vk::raii::Pipeline& pipeline,
                       const Wanted& wanted) const {
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipeline);
  for (std::uint32_t k = 0; k < draws_.size(); ++k) {
    const Draw& draw = draws_[k];
    if (!wanted(draw)) continue;
    const bool small = small_[k];
    commands.drawIndexed(small ? draw.range.smallIndices : draw.range.indices, 1,
                         small ? draw.range.firstSmall : draw.range.firstIndex, draw.range.firstVertex, k);
  }
}

void Renderer::drawEdges(const vk::raii::CommandBuffer& commands, bool glass) const {
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines_.edges);
  for (std::uint32_t k = 0; k < draws_.size(); ++k) {
    const Draw& draw = draws_[k];
    if (draw.edges && draw.glass == glass)
      commands.drawIndexed(draw.range.edgeIndices, 1, draw.range.firstEdge, draw.range.firstVertex, k);
  }
}

void Renderer::drawShadows(const vk::raii::CommandBuffer& commands) {
  if (casters_ == shadowed_) return;
  shadowed_ = casters_;
  constexpr auto kDepth = vk::ImageAspectFlagBits::eDepth;
  transition(commands, *shadows_.image, kDepth, vk::ImageLayout::eUndefined,
             vk::ImageLayout::eDepthAttachmentOptimal);
  const vk::RenderingAttachmentInfo depth{.imageView = *shadows_.view,
                                          .imageLayout = vk::ImageLayout::eDepthAttachmentOptimal,
                                          .loadOp = vk::AttachmentLoadOp::eClear,
                                          .storeOp = vk::AttachmentStoreOp::eStore,
                                          .clearValue = {.depthStencil = {1, 0}}};
  const auto tile = static_cast<std::uint32_t>(options_.shadowTile);
  commands.beginRendering({.renderArea = {{0, 0}, atlas_}, .layerCount = 1, .pDepthAttachment = &depth});
  for (std::uint32_t k = 0; k < lights_.size(); ++k) {
    const vk::Offset2D corner{static_cast<std::int32_t>(k % kTiles * tile),
                              static_cast<std::int32_t>(k / kTiles * tile)};
    setViewport(commands, {corner, {tile, tile}});
    PushConstants push{};
    push.eye[3] = static_cast<float>(k);
    commands.pushConstants<PushConstants>(*layout_, kStages, 0, push);
    commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines_.shadow);
    for (std::uint32_t d = 0; d < draws_.size(); ++d) {
      const MeshRange& range = draws_[d].range;
      if (!draws_[d].glass && !draws_[d].arrow)
        commands.drawIndexed(range.shadowIndices, 1, range.firstShadow, range.firstVertex, d);
    }
  }
  commands.endRendering();
  transition(commands, *shadows_.image, kDepth, vk::ImageLayout::eDepthAttachmentOptimal,
             vk::ImageLayout::eShaderReadOnlyOptimal);
}

void Renderer::drawView(const vk::raii::CommandBuffer& commands, vk::Extent2D extent, const View& view,
                        const RenderScene& scene) {
  chooseSizes(view, view.height * extent.height);
  const auto pixels = [](double share, std::uint32_t all) {
    return static_cast<std::int32_t>(std::lround(share * all));
  };
  const std::int32_t x = pixels(view.x, extent.width), y = pixels(view.y, extent.height);
  setViewport(commands, {{x, y},
                         {static_cast<std::uint32_t>(pixels(view.x + view.width, extent.width) - x),
                          static_cast<std::uint32_t>(pixels(view.y + view.height, extent.height) - y)}});
  PushConstants push;
  put(push.viewProjection, viewProjection(view));
  put(push.eye, view.X_WC.p, kAsTold);
  commands.pushConstants<PushConstants>(*layout_, kStages, 0, push);

  drawAll(commands, pipelines_.outside, [](const Draw& draw) { return !draw.glass && !draw.arrow; });
  if (scene.section) {
    for (std::uint32_t hatching = 0; hatching < 2; ++hatching) {
      commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines_.cut);
      commands.setStencilReference(vk::StencilFaceFlagBits::eFrontAndBack, 1 + hatching);
      drawAll(commands, pipelines_.cut,
              [&](const Draw& draw) { return !draw.glass && !draw.arrow && draw.hatching == hatching; });
    }
    for (std::uint32_t hatching = 0; hatching < 2; ++hatching) {
      push.eye[3] = static_cast<float>(hatching);
      commands.pushConstants<PushConstants>(*layout_, kStages, 0, push);
      commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines_.face);
      commands.setStencilReference(vk::StencilFaceFlagBits::eFrontAndBack, 1 + hatching);
      commands.draw(4, 1, 0, 0);
    }
    push.eye[3] = kAsTold;
    commands.pushConstants<PushConstants>(*layout_, kStages, 0, push);
  }
  if (scene.ground) {
    commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines_.ground);
    commands.draw(4, 1, 0, 0);
  }
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines_.backdrop);
  commands.draw(3, 1, 0, 0);
  drawEdges(commands, false);
  drawAll(commands, pipelines_.hidden, [](const Draw& draw) { return draw.arrow; });
  drawAll(commands, pipelines_.glass, [](const Draw& draw) { return draw.glass; });
  drawEdges(commands, true);
  push.eye[3] = kWhole;
  commands.pushConstants<PushConstants>(*layout_, kStages, 0, push);
  drawAll(commands, pipelines_.outside, [](const Draw& draw) { return draw.arrow; });
}

void Renderer::draw(const vk::raii::CommandBuffer& commands, const RenderTarget& target,
                    std::span<const View> views, const RenderScene& scene) {
  prepare(commands, scene);
  drawTarget(commands, target, views, scene);
}

void Renderer::drawEach(const vk::raii::CommandBuffer& commands, std::span<const RenderTarget> targets,
                        std::span<const View> views, const RenderScene& scene) {
  prepare(commands, scene);
  for (std::size_t k = 0; k < targets.size(); ++k)
    drawTarget(commands, targets[k], views.subspan(k, 1), scene);
}

void Renderer::prepare(const vk::raii::CommandBuffer& commands, const RenderScene& scene) {
  uploadMeshes(scene);
  uploadInstances(scene);
  uploadFrame(scene);
  writeDescriptors();
  commands.bindDescriptorSets(vk::PipelineBindPoint::eGraphics, *layout_, 0, set_, nullptr);
  commands.bindVertexBuffers(0, *vertices_.buffer, vk::DeviceSize(0));
  commands.bindIndexBuffer(*indices_.buffer, 0, vk::IndexType::eUint32);
  drawShadows(commands);
}

void Renderer::drawTarget(const vk::raii::CommandBuffer& commands, const RenderTarget& target,
                          std::span<const View> views, const RenderScene& scene) {
  makeTargets(target.extent);
  using A = vk::ImageAspectFlagBits;
  using L = vk::ImageLayout;
  transition(commands, *colour_.image, A::eColor, L::eUndefined, L::eColorAttachmentOptimal);
  transition(commands, target.image, A::eColor, L::eUndefined, L::eColorAttachmentOptimal);
  transition(commands, *depth_.image, A::eDepth | A::eStencil, L::eUndefined,
             L::eDepthStencilAttachmentOptimal);
  const bool resolves = options_.samples != vk::SampleCountFlagBits::e1;
  vk::RenderingAttachmentInfo colour{.imageView = resolves ? *colour_.view : target.view,
                                     .imageLayout = L::eColorAttachmentOptimal,
                                     .loadOp = vk::AttachmentLoadOp::eClear,
                                     .storeOp = vk::AttachmentStoreOp::eStore};
  if (resolves) {
    colour.resolveMode = vk::ResolveModeFlagBits::eAverage;
    colour.resolveImageView = target.view;
    colour.resolveImageLayout = L::eColorAttachmentOptimal;
    colour.storeOp = vk::AttachmentStoreOp::eDontCare;
  }
  const vk::RenderingAttachmentInfo depth{.imageView = *depth_.view,
                                          .imageLayout = L::eDepthStencilAttachmentOptimal,
                                          .loadOp = vk::AttachmentLoadOp::eClear,
                                          .storeOp = vk::AttachmentStoreOp::eDontCare,
                                          .clearValue = {.depthStencil = {0, 0}}};
  commands.beginRendering(vk::RenderingInfo{.renderArea = {{0, 0}, target.extent},
                                            .layerCount = 1,
                                            .pDepthAttachment = &depth,
                                            .pStencilAttachment = &depth}
                              .setColorAttachments(colour));
  for (const View& view : views) drawView(commands, target.extent, view, scene);
  commands.endRendering();
  transition(commands, target.image, A::eColor, L::eColorAttachmentOptimal, target.layoutAfter);
}

}  // namespace tenon::xr
