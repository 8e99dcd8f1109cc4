// Shadows of all lights into one atlas, then for each view: parts, section caps, ground, backdrop,
// transparent parts, arrows behind parts, panels.
#include "xr/render/renderer.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "xr/render/damage_tracker.h"
#include "xr/render/draw_list.h"
#include "xr/render/frame_uniforms.h"
#include "xr/render/graphics_pipeline.h"
#include "xr/render/mesh_buffers.h"
#include "xr/render/panel_pass.h"
#include "xr/render/pipelines.h"
#include "xr/render/scene_bounds.h"
#include "xr/render/section_caps.h"
#include "xr/render/shadow_atlas.h"
#include "xr/render/sky_lights.h"

namespace tenon::xr {

RendererOptions interactiveOptions(vk::PhysicalDeviceType type, vk::Format format) {
  if (type == vk::PhysicalDeviceType::eCpu)
    return {.format = format,
            .samples = vk::SampleCountFlagBits::e1,
            .keyLights = 1,
            .skyLights = 6,
            .shadowTile = 256,
            .usesCoarseMeshes = true};
  return {.format = format, .keyLights = 10, .skyLights = 38, .shadowTile = 320};
}

struct Renderer::Implementation {
  // Destroyed in reverse order.
  RendererOptions options;
  std::vector<SkyLight> lights;
  FrameUniforms uniforms;
  ShadowAtlas shadows;
  Pipelines pipelines;
  PanelPass panels;
  FrameAttachments attachments;
  MeshBuffers meshes;
  MeshBoxes boxes;
  std::optional<Bounds> lightBounds;  ///< range of the lights, where it is kept constant
  DrawList list;
  DamageTracker damage;

  Implementation(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                 const RendererOptions& wanted)
      : options(wanted),
        lights(skyLights(options.keyLights, options.skyLights)),
        uniforms(physical, device),
        shadows(physical, device, options.shadowTile, lights),
        pipelines(device, uniforms.layout(), options.format, options.samples,
                  {options.keyLights, static_cast<int>(lights.size())}, viewMaskOf(layers())),
        panels(device, uniforms, options.format, options.samples, viewMaskOf(layers())),
        attachments(physical, device, options.format, options.samples, layers()),
        meshes(physical, device, options.usesCoarseMeshes) {}

  /// Of a target.
  std::uint32_t layers() const { return options.multiview ? 2 : 1; }
  Bounds boundsOf(const RenderScene& scene);
  GpuFrame frameOf(const RenderScene& scene, const Bounds& bounds) const;
  /// Records what all views of a scene share: uploads and shadows.
  Bounds prepare(const vk::raii::CommandBuffer& commands, std::span<const View> views,
                 const RenderScene& scene);
  void drawShadows(const vk::raii::CommandBuffer& commands, const RenderScene& scene, const Bounds& bounds);
  void updateDamage(vk::Extent2D extent, const View& view, const RenderScene& scene, const Bounds& bounds);

  /// Draws `views`, which are views number `firstView` and following of prepare(), one for each layer of the
  /// target, or several into one layer. With `rects` only these, over the target's content.
  void drawTarget(const vk::raii::CommandBuffer& commands, const RenderTarget& target,
                  std::span<const View> views, std::size_t firstView, const RenderScene& scene,
                  std::span<const PixelRect> rects = {});
  void maskHidden(const vk::raii::CommandBuffer& commands, const RenderTarget& target,
                  std::span<const View> views) const;
  /// The views of one pass: one, or both eyes. Their rectangles in the target are the same.
  struct Pass {
    std::span<const View> views;
    std::size_t first;             ///< number of the first one in prepare()
    std::vector<PixelMap> pixels;  ///< of each
    /// What depends on the direction of view only by its cost, such as the order of drawing, is chosen for
    /// it.
    const View& main() const { return views.front(); }
    const PixelRect& rect() const { return pixels.front().viewRect(); }
  };
  void drawPass(const vk::raii::CommandBuffer& commands, vk::Extent2D extent, const Pass& pass,
                const RenderScene& scene, std::span<const PixelRect> rects);
  void drawRect(const vk::raii::CommandBuffer& commands, const Pass& pass, const PixelRect& rect,
                const RenderScene& scene);
  /// `area`: the part of the views that is drawn.
  void drawLayers(const vk::raii::CommandBuffer& commands, const Pass& pass, const PixelRect& area,
                  const RenderScene& scene);
  void drawGround(const vk::raii::CommandBuffer& commands, const RenderScene& scene) const;
  void drawEdges(const vk::raii::CommandBuffer& commands, bool transparent) const;
  template <class Predicate>
  void drawItems(const vk::raii::CommandBuffer& commands, const vk::raii::Pipeline& pipeline,
                 const Predicate& isWanted, bool ignoresOpacity = false) const;
};

/// For software rendering the range is kept while the scene fits, so that a moving part changes no shadow of
/// parts at rest.
Bounds Renderer::Implementation::boundsOf(const RenderScene& scene) {
  constexpr double kMargin = 1.15, kMaxExcess = 2;
  const Bounds now = boxes.boundsOf(scene);
  if (!options.usesCoarseMeshes) return now;
  if (!lightBounds) lightBounds = now;
  const double needed = (now.center - lightBounds->center).norm() + now.radius;
  // Written so that a pose of NaN does not persist in later frames.
  if (!(needed <= lightBounds->radius * (1 + 1e-9) && lightBounds->radius <= kMaxExcess * now.radius))
    lightBounds = Bounds{now.center, kMargin * now.radius};
  return *lightBounds;
}

GpuFrame Renderer::Implementation::frameOf(const RenderScene& scene, const Bounds& bounds) const {
  GpuFrame frame{};
  put(frame.bounds, bounds.center, bounds.radius);
  put(frame.section, physics::Vector3d::Zero(), 1);
  if (scene.section) put(frame.section, scene.section->normal, scene.section->offset);
  const Ground ground = scene.ground.value_or(Ground());
  put(frame.ground, {ground.height, ground.cell, 14 * bounds.radius}, scene.ground ? 1 : 0);
  shadows.describe(frame, bounds);
  return frame;
}

void Renderer::Implementation::drawShadows(const vk::raii::CommandBuffer& commands, const RenderScene& scene,
                                           const Bounds& bounds) {
  ShadowScene casters{.casters = list.casters(), .bounds = bounds, .meshes = meshes.version()};
  if (scene.section) {
    casters.sectionNormal = scene.section->normal;
    casters.sectionOffset = scene.section->offset;
  }
  if (scene.ground) casters.groundHeight = scene.ground->height;
  shadows.draw(commands, uniforms.layout(), *pipelines.shadow, casters);
}

Bounds Renderer::Implementation::prepare(const vk::raii::CommandBuffer& commands, std::span<const View> views,
                                         const RenderScene& scene) {
  if (meshes.upload(scene, boxes)) lightBounds.reset();
  list.build(scene, meshes);
  const Bounds bounds = boundsOf(scene);
  uniforms.upload(frameOf(scene, bounds), views, shadows.images());
  meshes.bind(commands);
  drawShadows(commands, scene, bounds);
  return bounds;
}

void Renderer::Implementation::updateDamage(vk::Extent2D extent, const View& view, const RenderScene& scene,
                                            const Bounds& bounds) {
  std::vector<PlacedMesh> placed;
  for (const DrawItem& item : list.items()) {
    PlacedMesh& mesh = placed.emplace_back();
    mesh.mesh = item.range.number;
    mesh.box = item.range.box;
    mesh.model = item.model;
    std::copy(std::begin(item.constants.color), std::end(item.constants.color), mesh.material.begin());
    std::copy(std::begin(item.constants.material), std::end(item.constants.material),
              mesh.material.begin() + 4);
    mesh.material[7] = static_cast<float>(item.hatching + (item.edges ? 2 : 0));
    if (item.isSolid()) mesh.patches = &meshes.patchesOf(item.range.number);
    mesh.indices = item.range.indices;
  }
  MovedShadows moved{.lights = lights,
                     .prominentLights = static_cast<std::size_t>(options.keyLights),
                     .blur = shadows.blur(bounds),
                     .prominentBlur = shadows.prominentBlur(bounds)};
  for (const ShadowAtlas::Move& move : shadows.moves())
    moved.moved.push_back({list.itemOfCaster(move.caster), move.before, move.after});
  // Panels and vignettes are for headsets: their damage is not tracked.
  const bool hasOverlay = !scene.panels.empty() || scene.vignette.rim > 0 || scene.vignette.all > 0;
  if (shadows.isAllRedrawn() || hasOverlay) damage.invalidate();
  damage.update({view, static_cast<int>(extent.width), static_cast<int>(extent.height), scene.section,
                 scene.ground, bounds, meshes.version()},
                std::move(placed), moved);
}

template <class Predicate>
void Renderer::Implementation::drawItems(const vk::raii::CommandBuffer& commands,
                                         const vk::raii::Pipeline& pipeline, const Predicate& isWanted,
                                         bool ignoresOpacity) const {
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipeline);
  for (const std::size_t k : list.order()) {
    const DrawItem& item = list.items()[k];
    if (list.isCulled(k) || !isWanted(item)) continue;
    GpuDraw constants = item.constants;
    constants.material[3] = ignoresOpacity ? 1.0F : 0.0F;
    commands.pushConstants<GpuDraw>(uniforms.layout(), kDrawStages, 0, constants);
    const bool coarse = list.isCoarse(k);
    commands.drawIndexed(coarse ? item.range.coarseIndices : item.range.indices, 1,
                         coarse ? item.range.firstCoarse : item.range.firstIndex, item.range.firstVertex, 0);
  }
}

void Renderer::Implementation::drawEdges(const vk::raii::CommandBuffer& commands, bool transparent) const {
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines.edges);
  for (std::size_t k = 0; k < list.items().size(); ++k) {
    const DrawItem& item = list.items()[k];
    if (list.isCulled(k) || !item.edges || item.transparent != transparent) continue;
    commands.pushConstants<GpuDraw>(uniforms.layout(), kDrawStages, 0, item.constants);
    commands.drawIndexed(item.range.edgeIndices, 1, item.range.firstEdge, item.range.firstVertex, 0);
  }
}

void Renderer::Implementation::drawGround(const vk::raii::CommandBuffer& commands,
                                          const RenderScene& scene) const {
  if (scene.ground) {
    commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines.ground);
    commands.draw(4, 1, 0, 0);
  }
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines.backdrop);
  commands.draw(3, 1, 0, 0);
}

void Renderer::Implementation::drawLayers(const vk::raii::CommandBuffer& commands, const Pass& pass,
                                          const PixelRect& area, const RenderScene& scene) {
  // Seen from the side that is cut away, caps hide what is behind them, which then needs no shading.
  const bool capsFirst =
      scene.section && scene.section->normal.dot(pass.main().X_WC.p) > scene.section->offset;
  if (capsFirst) drawCaps(commands, uniforms.layout(), pipelines, list.cuts(), pass.pixels, area);
  drawItems(commands, pipelines.outside, [](const DrawItem& item) { return item.isSolid(); });
  if (!capsFirst) drawCaps(commands, uniforms.layout(), pipelines, list.cuts(), pass.pixels, area);
  if (!scene.passthrough) drawGround(commands, scene);
  drawEdges(commands, false);
  drawItems(commands, pipelines.hidden, [](const DrawItem& item) { return item.arrow; });
  drawItems(commands, pipelines.transparent, [](const DrawItem& item) { return item.transparent; });
  drawEdges(commands, true);
  drawItems(
      commands, pipelines.arrows, [](const DrawItem& item) { return item.arrow; }, true);
  panels.drawPanels(commands, pass.first, scene.panels);
  panels.drawVignette(commands, pass.first, scene.vignette);
}

/// Rectangles may overlap: each begins by clearing its depth and stencil.
void Renderer::Implementation::drawRect(const vk::raii::CommandBuffer& commands, const Pass& pass,
                                        const PixelRect& rect, const RenderScene& scene) {
  setScissor(commands, rect);
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines.blank);
  commands.draw(3, 1, 0, 0);
  list.showOnly(rect, damage.meshRects());
  drawLayers(commands, pass, rect, scene);
}

void Renderer::Implementation::drawPass(const vk::raii::CommandBuffer& commands, vk::Extent2D extent,
                                        const Pass& pass, const RenderScene& scene,
                                        std::span<const PixelRect> rects) {
  list.chooseDetail(pass.main(), pass.main().height * extent.height);
  list.sort(pass.main(), options.usesCoarseMeshes);
  list.showAll();
  setViewport(commands, pass.rect());
  uniforms.bind(commands, pass.first);
  if (rects.empty()) return drawLayers(commands, pass, pass.rect(), scene);
  for (const PixelRect& rect : rects) drawRect(commands, pass, rect, scene);
}

void Renderer::Implementation::maskHidden(const vk::raii::CommandBuffer& commands, const RenderTarget& target,
                                          std::span<const View> views) const {
  if (views.size() != layers()) return;  // several views in a layer
  for (std::uint32_t k = 0; k < layers(); ++k) {
    const PixelMap pixels(views[k], static_cast<int>(target.extent.width),
                          static_cast<int>(target.extent.height));
    setViewport(commands, pixels.viewRect());
    panels.maskHidden(commands, k, views[k], target.hidden[k]);
  }
}

void Renderer::Implementation::drawTarget(const vk::raii::CommandBuffer& commands, const RenderTarget& target,
                                          std::span<const View> views, std::size_t firstView,
                                          const RenderScene& scene, std::span<const PixelRect> rects) {
  attachments.begin(commands, target, !rects.empty());
  maskHidden(commands, target, views);
  for (std::size_t k = 0; k < views.size(); k += layers()) {
    Pass pass{views.subspan(k, layers()), firstView + k, {}};
    for (const View& view : pass.views)
      pass.pixels.emplace_back(view, static_cast<int>(target.extent.width),
                               static_cast<int>(target.extent.height));
    drawPass(commands, target.extent, pass, scene, rects);
  }
  FrameAttachments::end(commands, target);
}

Renderer::Renderer(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                   const RendererOptions& options)
    : implementation_(std::make_unique<Implementation>(physical, device, options)) {}

Renderer::~Renderer() = default;

void Renderer::draw(const vk::raii::CommandBuffer& commands, const RenderTarget& target,
                    std::span<const View> views, const RenderScene& scene) {
  implementation_->prepare(commands, views, scene);
  implementation_->drawTarget(commands, target, views, 0, scene);
}

void Renderer::drawEach(const vk::raii::CommandBuffer& commands, std::span<const RenderTarget> targets,
                        std::span<const View> views, const RenderScene& scene) {
  implementation_->prepare(commands, views, scene);
  // Before commands use the attachments: larger ones replace them.
  for (const RenderTarget& target : targets) implementation_->attachments.grow(target.extent);
  std::size_t first = 0;
  for (const RenderTarget& target : targets) {
    implementation_->drawTarget(commands, target, views.subspan(first, target.layers.count), first, scene);
    first += target.layers.count;
  }
}

void Renderer::showOnPanels(vk::ImageView image) {
  implementation_->panels.show(image);
}

double Renderer::beginDamaged(const vk::raii::CommandBuffer& commands, vk::Extent2D extent, const View& view,
                              const RenderScene& scene) {
  const Bounds bounds = implementation_->prepare(commands, {&view, 1}, scene);
  implementation_->updateDamage(extent, view, scene, bounds);
  return implementation_->damage.damagedFraction();
}

void Renderer::drawDamaged(const vk::raii::CommandBuffer& commands, const RenderTarget& target,
                           const View& view, const RenderScene& scene, bool reusesTarget) {
  DamageTracker& damage = implementation_->damage;
  if (!reusesTarget || damage.needsFullRedraw()) {
    damage.markAllDrawn();
    implementation_->drawTarget(commands, target, {&view, 1}, 0, scene);
  } else if (!damage.damagedRects().empty()) {
    implementation_->drawTarget(commands, target, {&view, 1}, 0, scene, damage.damagedRects());
  }
}

bool Renderer::isUpToDate() const {
  return implementation_->damage.isUpToDate();
}

}  // namespace tenon::xr
