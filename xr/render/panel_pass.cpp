// The vertex shaders make their vertices from push constants and the views.
#include "xr/render/panel_pass.h"

#include <array>
#include <cstdint>

#include "xr/render/formats.h"
#include "xr/render/gpu_data.h"
#include "xr/render/graphics_pipeline.h"

namespace tenon::xr {

namespace {

constexpr std::uint32_t kPanelVertex[] = {
#include "shaders/panel.vert.inc"
};
constexpr std::uint32_t kPanelFragment[] = {
#include "shaders/panel.frag.inc"
};
constexpr std::uint32_t kVignetteVertex[] = {
#include "shaders/vignette.vert.inc"
};
constexpr std::uint32_t kHiddenVertex[] = {
#include "shaders/hidden_area.vert.inc"
};
constexpr std::uint32_t kVignetteFragment[] = {
#include "shaders/vignette.frag.inc"
};

/// The push constants of shaders/panel.* and shaders/vignette.*.
struct PanelPush {
  float sheet[16];
  float imageRect[4];
};

enum class PanelKind { panel, onTop, vignette, hidden };

}  // namespace

PanelPass::PanelPass(const vk::raii::Device& device, const FrameUniforms& uniforms, vk::Format color,
                     vk::SampleCountFlagBits samples, std::uint32_t viewMask)
    : uniforms_(uniforms),
      image_(device, {.magFilter = vk::Filter::eLinear,
                      .minFilter = vk::Filter::eLinear,
                      .addressModeU = vk::SamplerAddressMode::eClampToEdge,
                      .addressModeV = vk::SamplerAddressMode::eClampToEdge}),
      layout_(image_.makePipelineLayout({.stageFlags = kDrawStages, .offset = 0, .size = sizeof(PanelPush)},
                                        std::array{uniforms.setLayout()})) {
  const auto make = [&](SpirvWords vertex, SpirvWords fragment, PanelKind kind) {
    const bool isVignette = kind == PanelKind::vignette, isHidden = kind == PanelKind::hidden;
    return makeGraphicsPipeline(
        device, *layout_,
        {.vertex = vertex,
         .fragment = fragment,
         .topology = isVignette || isHidden ? vk::PrimitiveTopology::eTriangleList
                                            : vk::PrimitiveTopology::eTriangleStrip,
         .samples = samples,
         .colorFormat = color,
         .depthFormat = kDepthFormat,
         .stencilFormat = kDepthFormat,
         .depth = {.depthTestEnable = true,
                   .depthWriteEnable = kind == PanelKind::panel || isHidden,
                   .depthCompareOp =
                       kind == PanelKind::panel ? vk::CompareOp::eGreater : vk::CompareOp::eAlways},
         .viewMask = viewMask,
         .blend = isVignette});
  };
  panel_ = make(kPanelVertex, kPanelFragment, PanelKind::panel);
  onTop_ = make(kPanelVertex, kPanelFragment, PanelKind::onTop);
  vignette_ = make(kVignetteVertex, kVignetteFragment, PanelKind::vignette);
  hidden_ = make(kHiddenVertex, {}, PanelKind::hidden);
}

void PanelPass::show(vk::ImageView image) {
  image_.setImage(image);
  hasImage_ = true;
}

// Only the shaders of panels read set 0, the image; those of the hidden area read no set.
void PanelPass::bind(const vk::raii::CommandBuffer& commands, std::size_t view) const {
  if (hasImage_)
    commands.bindDescriptorSets(vk::PipelineBindPoint::eGraphics, *layout_, 0, image_.set(), nullptr);
  uniforms_.bind(commands, view, *layout_, 1);
}

void PanelPass::drawPanels(const vk::raii::CommandBuffer& commands, std::size_t view,
                           std::span<const Panel> panels) const {
  if (panels.empty() || !hasImage_) return;
  bind(commands, view);
  for (const Panel& panel : panels) {
    commands.bindPipeline(vk::PipelineBindPoint::eGraphics, panel.onTop ? *onTop_ : *panel_);
    Eigen::Matrix4d sheet = Eigen::Matrix4d::Identity();
    sheet.topLeftCorner<3, 3>() = panel.X_WP.q.toRotationMatrix();
    sheet.col(0) *= panel.width;
    sheet.col(1) *= panel.height;
    sheet.topRightCorner<3, 1>() = panel.X_WP.p;
    PanelPush push{};
    put(push.sheet, sheet);
    put(push.imageRect, {panel.left, panel.top, panel.right}, panel.bottom);
    commands.pushConstants<PanelPush>(*layout_, kDrawStages, 0, push);
    commands.draw(4, 1, 0, 0);
  }
}

void PanelPass::maskHidden(const vk::raii::CommandBuffer& commands, std::uint32_t layer, const View& view,
                           std::span<const Eigen::Vector2f> corners) const {
  if (corners.size() < 3) return;
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *hidden_);
  for (std::size_t k = 0; k + 2 < corners.size(); k += 3) {
    PanelPush push{};
    push.imageRect[0] = static_cast<float>(layer);
    for (std::size_t c = 0; c < 3; ++c) {
      const Eigen::Vector2d tangents = corners[k + c].cast<double>();
      push.sheet[4 * c] =
          static_cast<float>((2 * tangents.x() - view.right - view.left) / (view.right - view.left));
      push.sheet[4 * c + 1] =
          static_cast<float>((view.up + view.down - 2 * tangents.y()) / (view.up - view.down));
    }
    commands.pushConstants<PanelPush>(*layout_, kDrawStages, 0, push);
    commands.draw(3, 1, 0, 0);
  }
}

void PanelPass::drawVignette(const vk::raii::CommandBuffer& commands, std::size_t view,
                             const Vignette& vignette) const {
  if (!(vignette.rim > 0) && !(vignette.all > 0)) return;
  bind(commands, view);
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *vignette_);
  PanelPush push{};
  push.sheet[0] = static_cast<float>(vignette.rim);
  push.sheet[1] = static_cast<float>(vignette.all);
  commands.pushConstants<PanelPush>(*layout_, kDrawStages, 0, push);
  commands.draw(3, 1, 0, 0);
}

}  // namespace tenon::xr
