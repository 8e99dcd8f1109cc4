// One description with defaults, and what each pipeline does otherwise. Depth is reversed: nearer is greater.
#include "xr/render/pipelines.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tenon::xr {

namespace {

using Words = std::span<const std::uint32_t>;

// Compiled from shaders/ by the build.
constexpr std::uint32_t kSolidVertex[] = {
#include "shaders/solid.vert.inc"
};
constexpr std::uint32_t kSolidFragment[] = {
#include "shaders/solid.frag.inc"
};
constexpr std::uint32_t kArrowFragment[] = {
#include "shaders/arrow.frag.inc"
};
constexpr std::uint32_t kPlaneVertex[] = {
#include "shaders/plane.vert.inc"
};
constexpr std::uint32_t kCapFragment[] = {
#include "shaders/cap.frag.inc"
};
constexpr std::uint32_t kGroundVertex[] = {
#include "shaders/ground.vert.inc"
};
constexpr std::uint32_t kGroundFragment[] = {
#include "shaders/ground.frag.inc"
};
constexpr std::uint32_t kBackdropVertex[] = {
#include "shaders/backdrop.vert.inc"
};
constexpr std::uint32_t kBackdropFragment[] = {
#include "shaders/backdrop.frag.inc"
};
constexpr std::uint32_t kEdgeVertex[] = {
#include "shaders/edge.vert.inc"
};
constexpr std::uint32_t kEdgeFragment[] = {
#include "shaders/edge.frag.inc"
};
constexpr std::uint32_t kShadowVertex[] = {
#include "shaders/shadow.vert.inc"
};

/// What a pipeline does with the stencil. It is 0 before the first part and after the cap of each.
enum class Stencil { keep, count, fillAndClear, clear };

vk::StencilOpState stateOf(Stencil stencil, vk::StencilOp counts) {
  using O = vk::StencilOp;
  const bool fills = stencil == Stencil::fillAndClear;
  const O after = stencil == Stencil::keep ? O::eKeep : stencil == Stencil::count ? counts : O::eZero;
  return {.failOp = O::eKeep,
          .passOp = after,
          .depthFailOp = fills ? O::eZero : O::eKeep,
          .compareOp = fills ? vk::CompareOp::eNotEqual : vk::CompareOp::eAlways,
          .compareMask = 0xff,
          .writeMask = 0xff,
          .reference = 0};
}

struct Description {
  Words vertex, fragment;
  bool mesh = true;  ///< reads vertices; else makes them from their number
  vk::PrimitiveTopology topology = vk::PrimitiveTopology::eTriangleList;
  vk::CullModeFlags cull = vk::CullModeFlagBits::eBack;
  vk::CompareOp depth = vk::CompareOp::eGreater;
  bool depthWrite = true;
  bool blend = false;
  Stencil stencil = Stencil::keep;
  bool positions = false;  ///< reads positions alone
  bool shadow = false;
};

vk::raii::Pipeline make(const vk::raii::Device& device, vk::PipelineLayout layout, vk::Format color,
                        vk::SampleCountFlagBits samples, const LightCounts& lights, const Description& d) {
  // As shaders/frame.glsl numbers them.
  const std::array<std::int32_t, 3> values{lights.keys, lights.all, d.blend ? 1 : 0};
  std::array<vk::SpecializationMapEntry, 3> constants;
  for (std::uint32_t k = 0; k < constants.size(); ++k)
    constants[k] = vk::SpecializationMapEntry{.constantID = k,
                                              .offset = k * static_cast<std::uint32_t>(sizeof values[0]),
                                              .size = sizeof values[0]};
  const auto known =
      vk::SpecializationInfo{.dataSize = sizeof values, .pData = values.data()}.setMapEntries(constants);
  std::vector<vk::raii::ShaderModule> modules;
  std::vector<vk::PipelineShaderStageCreateInfo> stages;
  const auto add = [&](Words words, vk::ShaderStageFlagBits stage) {
    if (words.empty()) return;
    modules.push_back(device.createShaderModule({.codeSize = words.size_bytes(), .pCode = words.data()}));
    stages.push_back(
        {.stage = stage, .module = *modules.back(), .pName = "main", .pSpecializationInfo = &known});
  };
  add(d.vertex, vk::ShaderStageFlagBits::eVertex);
  add(d.fragment, vk::ShaderStageFlagBits::eFragment);

  const vk::VertexInputBindingDescription binding{.binding = 0, .stride = 6 * sizeof(float)};
  const std::array<vk::VertexInputAttributeDescription, 2> attributes{
      {{.location = 0, .format = vk::Format::eR32G32B32Sfloat, .offset = 0},
       {.location = 1, .format = vk::Format::eR32G32B32Sfloat, .offset = 3 * sizeof(float)}}};
  vk::PipelineVertexInputStateCreateInfo input;
  if (d.mesh) {
    input.setVertexBindingDescriptions(binding);
    input.setVertexAttributeDescriptions(attributes);
    if (d.positions) input.vertexAttributeDescriptionCount = 1;
  }
  const vk::PipelineInputAssemblyStateCreateInfo assembly{.topology = d.topology};
  const vk::PipelineViewportStateCreateInfo viewport{.viewportCount = 1, .scissorCount = 1};
  const vk::PipelineRasterizationStateCreateInfo raster{
      .cullMode = d.cull, .frontFace = vk::FrontFace::eCounterClockwise, .lineWidth = 1};
  const vk::PipelineMultisampleStateCreateInfo multisample{
      .rasterizationSamples = d.shadow ? vk::SampleCountFlagBits::e1 : samples};
  const vk::PipelineDepthStencilStateCreateInfo depth{
      .depthTestEnable = true,
      .depthWriteEnable = d.depthWrite,
      .depthCompareOp = d.depth,
      .stencilTestEnable = d.stencil != Stencil::keep,
      .front = stateOf(d.stencil, vk::StencilOp::eDecrementAndWrap),
      .back = stateOf(d.stencil, vk::StencilOp::eIncrementAndWrap)};
  using C = vk::ColorComponentFlagBits;
  const vk::PipelineColorBlendAttachmentState attachment{
      .blendEnable = d.blend,
      .srcColorBlendFactor = vk::BlendFactor::eSrcAlpha,
      .dstColorBlendFactor = vk::BlendFactor::eOneMinusSrcAlpha,
      .srcAlphaBlendFactor = vk::BlendFactor::eZero,
      .dstAlphaBlendFactor = vk::BlendFactor::eOne,
      .colorWriteMask = d.fragment.empty() ? vk::ColorComponentFlags() : C::eR | C::eG | C::eB | C::eA};
  vk::PipelineColorBlendStateCreateInfo blend;
  if (!d.shadow) blend.setAttachments(attachment);
  constexpr std::array kChanging{vk::DynamicState::eViewport, vk::DynamicState::eScissor};
  const auto dynamic = vk::PipelineDynamicStateCreateInfo().setDynamicStates(kChanging);
  vk::PipelineRenderingCreateInfo rendering{.depthAttachmentFormat = d.shadow ? kShadowFormat : kDepthFormat};
  if (!d.shadow) {
    rendering.setColorAttachmentFormats(color);
    rendering.stencilAttachmentFormat = kDepthFormat;
  }
  auto info = vk::GraphicsPipelineCreateInfo{.pNext = &rendering,
                                             .pVertexInputState = &input,
                                             .pInputAssemblyState = &assembly,
                                             .pViewportState = &viewport,
                                             .pRasterizationState = &raster,
                                             .pMultisampleState = &multisample,
                                             .pDepthStencilState = &depth,
                                             .pColorBlendState = &blend,
                                             .pDynamicState = &dynamic,
                                             .layout = layout}
                  .setStages(stages);
  return device.createGraphicsPipeline(nullptr, info);
}

}  // namespace

Pipelines::Pipelines(const vk::raii::Device& device, vk::PipelineLayout layout, vk::Format color,
                     vk::SampleCountFlagBits samples, const LightCounts& lights) {
  const auto build = [&](const Description& d) { return make(device, layout, color, samples, lights, d); };
  constexpr auto kStrip = vk::PrimitiveTopology::eTriangleStrip;
  constexpr auto kBoth = vk::CullModeFlagBits::eNone;
  shadow = build({.vertex = kShadowVertex,
                  .cull = kBoth,
                  .depth = vk::CompareOp::eLess,
                  .positions = true,
                  .shadow = true});
  outside = build({.vertex = kSolidVertex, .fragment = kSolidFragment});
  capCount = build({.vertex = kSolidVertex,
                    .cull = kBoth,
                    .depth = vk::CompareOp::eAlways,
                    .depthWrite = false,
                    .stencil = Stencil::count});
  cap = build({.vertex = kPlaneVertex,
               .fragment = kCapFragment,
               .mesh = false,
               .topology = kStrip,
               .cull = kBoth,
               .stencil = Stencil::fillAndClear});
  ground = build({.vertex = kGroundVertex, .fragment = kGroundFragment, .mesh = false, .topology = kStrip});
  backdrop = build({.vertex = kBackdropVertex,
                    .fragment = kBackdropFragment,
                    .mesh = false,
                    .cull = kBoth,
                    .depth = vk::CompareOp::eGreaterOrEqual,
                    .depthWrite = false});
  transparent =
      build({.vertex = kSolidVertex, .fragment = kSolidFragment, .depthWrite = false, .blend = true});
  arrows = build({.vertex = kSolidVertex, .fragment = kArrowFragment});
  hidden = build({.vertex = kSolidVertex,
                  .fragment = kArrowFragment,
                  .depth = vk::CompareOp::eLess,
                  .depthWrite = false,
                  .blend = true});
  edges = build({.vertex = kEdgeVertex,
                 .fragment = kEdgeFragment,
                 .topology = vk::PrimitiveTopology::eLineList,
                 .depthWrite = false,
                 .blend = true,
                 .positions = true});
  blank = build({.vertex = kBackdropVertex,
                 .mesh = false,
                 .cull = kBoth,
                 .depth = vk::CompareOp::eAlways,
                 .stencil = Stencil::clear});
}

void setViewport(const vk::raii::CommandBuffer& commands, const PixelRect& r) {
  const vk::Viewport viewport{.x = static_cast<float>(r.left),
                              .y = static_cast<float>(r.top),
                              .width = static_cast<float>(r.right - r.left),
                              .height = static_cast<float>(r.bottom - r.top),
                              .minDepth = 0,
                              .maxDepth = 1};
  commands.setViewport(0, viewport);
  setScissor(commands, r);
}

void setScissor(const vk::raii::CommandBuffer& commands, const PixelRect& r) {
  commands.setScissor(0, vk::Rect2D{{r.left, r.top},
                                    {static_cast<std::uint32_t>(r.right - r.left),
                                     static_cast<std::uint32_t>(r.bottom - r.top)}});
}

}  // namespace tenon::xr
