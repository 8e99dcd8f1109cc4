// Draws what is no part of the scene into a view of it: panels that show an image, darkness before the eyes.
#pragma once

#include <span>

#include "xr/render/render_scene.h"
#include "xr/view.h"
#include "xr/vulkan/vulkan.h"

namespace tenon::xr {

class PanelPass {
 public:
  /// For pictures of this kind, with depth as `pipelines.h` has it. Throws vk::SystemError.
  PanelPass(const vk::raii::Device& device, vk::Format color, vk::SampleCountFlagBits samples);

  /// The image of panels, which is to be readable by shaders whenever panels are drawn.
  void show(vk::ImageView image);
  /// Whether show() was called.
  bool hasImage() const { return hasImage_; }

  /// Recorded between the others of a view, whose viewport is set. Nothing without an image.
  void drawPanels(const vk::raii::CommandBuffer& commands, const View& view,
                  std::span<const Panel> panels) const;
  /// After all else. Nothing where it is light.
  void drawVignette(const vk::raii::CommandBuffer& commands, const View& view,
                    const Vignette& vignette) const;

 private:
  enum class Kind { panel, onTop, vignette };
  void makeDescriptors();
  vk::raii::Pipeline make(std::span<const std::uint32_t> vertex, std::span<const std::uint32_t> fragment,
                          vk::Format color, vk::SampleCountFlagBits samples, Kind kind) const;

  const vk::raii::Device& device_;
  vk::raii::Sampler sampler_ = nullptr;
  vk::raii::DescriptorSetLayout setLayout_ = nullptr;
  vk::raii::DescriptorPool pool_ = nullptr;
  vk::DescriptorSet set_;
  vk::raii::PipelineLayout layout_ = nullptr;
  vk::raii::Pipeline panel_ = nullptr, onTop_ = nullptr, vignette_ = nullptr;
  bool hasImage_ = false;
};

}  // namespace tenon::xr
