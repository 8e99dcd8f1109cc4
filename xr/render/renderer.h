// Draws a RenderScene into an image. Knows no window, no headset, no physics: instance, device and image come
// from whoever shows the picture.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "xr/render/damage_tracker.h"
#include "xr/render/panel_pass.h"
#include "xr/render/pipelines.h"
#include "xr/render/pixel_map.h"
#include "xr/render/render_scene.h"
#include "xr/render/scene_bounds.h"
#include "xr/render/section_caps.h"
#include "xr/render/shadow_atlas.h"
#include "xr/render/sky_lights.h"
#include "xr/view.h"
#include "xr/vulkan/device_memory.h"

namespace tenon::xr {

/// An image to draw into, and what it is to be when that is done.
struct RenderTarget {
  vk::Image image;
  vk::ImageView view;
  vk::Extent2D extent;
  vk::ImageLayout layoutAfter = vk::ImageLayout::eUndefined;
  /// Of kDepthFormat, where depth is wanted as well (as view.h has it); eDepthStencilAttachmentOptimal
  /// afterwards.
  vk::Image depth = nullptr;
  vk::ImageView depthView = nullptr;
  vk::ImageLayout layoutBefore = vk::ImageLayout::eUndefined;  ///< matters where the picture in it is kept
};

struct RendererOptions {
  vk::Format format = vk::Format::eR8G8B8A8Srgb;  ///< of the targets; encodes sRGB itself
  vk::SampleCountFlagBits samples = vk::SampleCountFlagBits::e4;
  int keyLights = 18, skyLights = 78;  ///< shadows in all, kMaxLights at most: the fewer, the quicker
  int shadowTile = 320;                ///< side of one light's shadow map [pixels]
  /// Fewer triangles for shadows and for what is small in the picture, where vertices cost much; and a reach
  /// of the lights that stays as it is while parts move within it.
  bool usesCoarseMeshes = false;
};

/// For pictures that follow each other: as good as a device of this type draws them some tens of times a
/// second.
RendererOptions interactiveOptions(vk::PhysicalDeviceType type, vk::Format format);

/// Vulkan 1.3 with dynamic rendering, synchronization2 and shaderClipDistance. One frame at a time: what was
/// recorded must be done before draw() is called again.
class Renderer {
 public:
  /// The references must outlive the renderer. Throws vk::SystemError.
  Renderer(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
           const RendererOptions& options);

  /// Records one picture of `scene` for each view into `commands`. The target's old content is lost. Labels
  /// and captions are left to the display. Throws vk::SystemError where memory runs out.
  void draw(const vk::raii::CommandBuffer& commands, const RenderTarget& target, std::span<const View> views,
            const RenderScene& scene);
  /// The same moment into several targets, one view each: the eyes of a headset.
  void drawEach(const vk::raii::CommandBuffer& commands, std::span<const RenderTarget> targets,
                std::span<const View> views, const RenderScene& scene);
  /// What panels show from now on: to be readable by shaders whenever a scene with panels is drawn. Without
  /// it panels are not drawn.
  void showOnPanels(vk::ImageView image) { panels_.show(image); }

  /// For pictures that follow each other, drawn without multisampling: begins one, and tells how much of it
  /// differs from the one that was begun before, 0…1. drawDamaged() draws it. The options must not ask for
  /// more samples than one.
  double begin(const vk::raii::CommandBuffer& commands, vk::Extent2D extent, const View& view,
               const RenderScene& scene);
  /// All of the picture that was begun last; its size may be another one. Where it is `again`, the target
  /// holds the picture that was begun before the last one, and only what differs is drawn.
  void drawDamaged(const vk::raii::CommandBuffer& commands, const RenderTarget& target, const View& view,
                   const RenderScene& scene, bool again);
  /// Whether what drawDamaged() made of the last picture is what draw() would make of it. It will be when the
  /// same scene has been drawn some times.
  bool isUpToDate() const { return damage_.isUpToDate(); }

 private:
  /// Where a mesh is in the buffers.
  struct MeshRange {
    std::uint32_t firstIndex = 0, indices = 0;
    std::uint32_t firstEdge = 0, edgeIndices = 0;
    std::int32_t firstVertex = 0;
    std::uint32_t firstShadow = 0, shadowIndices = 0;  ///< what casts shadows
    std::uint32_t firstSmall = 0, smallIndices = 0;    ///< what is drawn where a pixel is as large as `cell`
    double cell = 0;                                   ///< [m]; 0: nowhere
    std::uint32_t number = 0;
    Eigen::AlignedBox3d box;  ///< in the mesh's frame [m]
  };
  struct Draw {
    MeshRange range;
    GpuDraw drawConstants{};
    bool transparent = false, arrow = false, edges = false;
    std::uint32_t hatching = 0;                            ///< 0 or 1
    physics::Vector3d middle = physics::Vector3d::Zero();  ///< [m]
    Eigen::Matrix4d model = Eigen::Matrix4d::Identity();
  };

  static void addCoarse(const content::DisplayMesh& mesh, MeshRange& range,
                        std::vector<std::uint32_t>& indices);
  void chooseSizes(const View& view, double pixelsHigh);
  void sortByDistance(const View& view);
  void makeDescriptors();
  void makeTargets(vk::Extent2D extent);
  void uploadMeshes(const RenderScene& scene);
  void listDraws(const RenderScene& scene);
  void listCut(const Draw& draw, const SectionPlane& plane);
  Bounds boundsOf(const RenderScene& scene);
  void uploadFrame(const RenderScene& scene, const Bounds& bounds);
  void uploadViews(std::span<const View> views);
  void writeDescriptors();
  /// What all views of a scene have in common.
  Bounds prepare(const vk::raii::CommandBuffer& commands, std::span<const View> views,
                 const RenderScene& scene);
  /// These views are some of those of prepare(), from that number on.
  void drawTarget(const vk::raii::CommandBuffer& commands, const RenderTarget& target,
                  std::span<const View> views, std::size_t firstView, const RenderScene& scene,
                  std::span<const PixelRect> parts = {});
  /// Nothing where they are there already.
  void drawShadows(const vk::raii::CommandBuffer& commands, const RenderScene& scene, const Bounds& bounds);
  void drawView(const vk::raii::CommandBuffer& commands, vk::Extent2D extent, const View& view,
                std::size_t number, const RenderScene& scene, std::span<const PixelRect> parts);
  void drawPart(const vk::raii::CommandBuffer& commands, const PixelMap& pixels, const PixelRect& part,
                const View& view, const RenderScene& scene);
  /// `area`: what of the view is drawn.
  void drawAllKinds(const vk::raii::CommandBuffer& commands, const PixelMap& pixels, const PixelRect& area,
                    const View& view, const RenderScene& scene);
  void updateDamage(vk::Extent2D extent, const View& view, const RenderScene& scene, const Bounds& bounds);
  void drawEdges(const vk::raii::CommandBuffer& commands, bool transparent) const;
  void pushConstants(const vk::raii::CommandBuffer& commands, const GpuDraw& draw) const;
  template <class Wanted>
  void drawAll(const vk::raii::CommandBuffer& commands, const vk::raii::Pipeline& pipeline,
               const Wanted& wanted, bool whole = false) const;

  const vk::raii::PhysicalDevice& physical_;
  const vk::raii::Device& device_;
  RendererOptions options_;
  std::vector<SkyLight> lights_;
  vk::raii::DescriptorSetLayout setLayout_ = nullptr;
  vk::raii::PipelineLayout layout_ = nullptr;
  vk::raii::DescriptorPool pool_ = nullptr;
  vk::DescriptorSet set_;
  ShadowAtlas shadows_;
  Pipelines pipelines_;
  PanelPass panels_;
  DeviceImage color_, depth_;
  vk::Extent2D extent_;
  MeshBoxes boxes_;
  std::optional<Bounds> lightBounds_;  ///< of the lights, where it stays
  MappedBuffer vertices_, indices_, frame_, views_;
  std::vector<std::shared_ptr<const content::DisplayMesh>> meshes_;  ///< what the buffers hold, in order
  std::int64_t meshesChanged_ = 0;
  std::vector<MeshRange> ranges_;
  std::vector<Draw> draws_;
  std::vector<std::size_t> order_;  ///< of drawing
  std::vector<bool> small_;         ///< by draw, in the present view
  std::vector<bool> outside_;       ///< by draw: nothing of it is in the part that is drawn
  std::vector<CutPart> cuts_;
  std::vector<ShadowCaster> casters_;
  std::vector<std::size_t> casterDraws_;  ///< by caster
  DamageTracker damage_;
  /// By number of mesh, where pictures follow each other.
  std::vector<std::vector<Patch>> patches_;
};

}  // namespace tenon::xr
