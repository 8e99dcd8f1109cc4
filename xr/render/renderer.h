// Draws a RenderScene into an image. Independent of windows, headsets and physics: the display provides
// instance, device and image.
#pragma once

#include <memory>
#include <span>

#include "xr/render/formats.h"
#include "xr/render/render_scene.h"
#include "xr/render/render_target.h"
#include "xr/view.h"

namespace tenon::xr {

struct RendererOptions {
  vk::Format format = vk::Format::eR8G8B8A8Srgb;  ///< of the targets; encodes sRGB itself
  vk::SampleCountFlagBits samples = vk::SampleCountFlagBits::e4;
  int keyLights = 18,
      skyLights = 78;    ///< lights with a shadow map each, at most kMaxLights; cost is proportional
  int shadowTile = 320;  ///< side of one light's shadow map, a multiple of 16 [pixels]
  /// Draws the eyes of a headset in one pass into a target of two layers, by drawEach() alone. See
  /// drawsMultiview().
  bool multiview = false;
  /// For software rendering: fewer triangles for shadows and small meshes, solid items sorted by distance,
  /// and a range of the lights that is constant while parts move within it.
  bool usesCoarseMeshes = false;
};

/// The quality at which a device of this type draws some tens of frames per second.
RendererOptions interactiveOptions(vk::PhysicalDeviceType type, vk::Format format);

/// Needs Vulkan 1.3 with dynamic rendering, synchronization2 and shaderClipDistance. One frame at a time: the
/// commands recorded before must be finished when draw() is called again.
class Renderer {
 public:
  /// The references must outlive the renderer. Throws vk::SystemError.
  Renderer(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
           const RendererOptions& options);
  ~Renderer();

  /// Records all views of `scene` into one target of one layer, whose old content is lost. Labels and
  /// captions are drawn by the display. Throws vk::SystemError where memory runs out.
  void draw(const vk::raii::CommandBuffer& commands, const RenderTarget& target, std::span<const View> views,
            const RenderScene& scene);
  /// The same scene into several targets, of any sizes, with one view for each of their layers: the eyes of a
  /// headset, as two targets, or with RendererOptions::multiview as one.
  void drawEach(const vk::raii::CommandBuffer& commands, std::span<const RenderTarget> targets,
                std::span<const View> views, const RenderScene& scene);
  /// Sets the image of the panels, which shaders must be able to read whenever a scene with panels is drawn.
  /// Without it panels are not drawn.
  void showOnPanels(vk::ImageView image);

  /// For frames that follow each other without multisampling (RendererOptions::samples must be 1): begins a
  /// frame and returns the fraction of the view, 0…1, that differs from the frame begun before. drawDamaged()
  /// draws it.
  double beginDamaged(const vk::raii::CommandBuffer& commands, vk::Extent2D extent, const View& view,
                      const RenderScene& scene);
  /// Draws the frame of the last beginDamaged(), in full, at the size of `target`. With `reusesTarget` the
  /// target holds the frame before that one, and only what differs is drawn.
  void drawDamaged(const vk::raii::CommandBuffer& commands, const RenderTarget& target, const View& view,
                   const RenderScene& scene, bool reusesTarget);
  /// True if the image of the last drawDamaged() equals that of draw(). Becomes true after some frames of the
  /// same scene.
  bool isUpToDate() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::xr
