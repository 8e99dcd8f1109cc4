// Draws over the scene of a view: panels that show an image, and the vignette; and masks what is not seen.
#pragma once

#include <span>

#include "xr/render/frame_uniforms.h"
#include "xr/render/image_descriptor.h"
#include "xr/render/render_scene.h"
#include "xr/view.h"

namespace tenon::xr {

class PanelPass {
 public:
  /// For targets of this format, with depth in kDepthFormat. `uniforms` must outlive it. Throws
  /// vk::SystemError.
  PanelPass(const vk::raii::Device& device, const FrameUniforms& uniforms, vk::Format color,
            vk::SampleCountFlagBits samples, std::uint32_t viewMask);

  /// Sets the image of the panels, which shaders must be able to read whenever panels are drawn.
  void show(vk::ImageView image);
  bool hasImage() const { return hasImage_; }

  /// Records the panels of the pass that begins with view number `view` of the uniforms, whose viewport is
  /// set; nothing without an image.
  void drawPanels(const vk::raii::CommandBuffer& commands, std::size_t view,
                  std::span<const Panel> panels) const;
  /// Records, before all else, that nothing is drawn in these parts of RenderTarget::hidden. `layer`: of the
  /// pass, 0 or 1, in which `view` is drawn.
  void maskHidden(const vk::raii::CommandBuffer& commands, std::uint32_t layer, const View& view,
                  std::span<const Eigen::Vector2f> corners) const;
  /// Records the vignette after all else; nothing where it is 0.
  void drawVignette(const vk::raii::CommandBuffer& commands, std::size_t view,
                    const Vignette& vignette) const;

 private:
  void bind(const vk::raii::CommandBuffer& commands, std::size_t view) const;

  const FrameUniforms& uniforms_;
  ImageDescriptor image_;
  vk::raii::PipelineLayout layout_;
  vk::raii::Pipeline panel_ = nullptr, onTop_ = nullptr, vignette_ = nullptr, hidden_ = nullptr;
  bool hasImage_ = false;
};

}  // namespace tenon::xr
