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
constexpr std::uint32_t kCutFragment[] = {
#include "shaders/cut.frag.inc"
};
constexpr std::uint32_t kPlaneVertex[] = {
#include "shaders/plane.vert.inc"
};
constexpr std::uint32_t kFaceFragment[] = {
#include "shaders/face.frag.inc"
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

struct Description {
  Words vertex, fragment;
  bool mesh = true;  ///< reads vertices; else makes them from their number
  vk::PrimitiveTopology topology = vk::PrimitiveTopology::eTriangleList;
  vk::CullModeFlags cull = vk::CullModeFlagBits::eBack;
  vk::CompareOp depth = vk::CompareOp::eGreater;
  bool depthWrite = true;
  bool blend = false;
  bool multiply = false;  ///< with what is there
  float bias = 0;         ///< towards the eye, in steps of depth
  vk::CompareOp stencil = vk::CompareOp::eAlways;
  bool stencilTold = false;  ///< the value that is written or compared comes with the draw; else 0
  bool positions = false;    ///< reads positions alone
  bool shadow = false;
};

vk::raii::Pipeline make(const vk::raii::Device& device, vk::PipelineLayout layout, vk::Format colour,
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
  const vk::PipelineRasterizationStateCreateInfo raster{.cullMode = d.cull,
                                                        .frontFace = vk::FrontFace::eCounterClockwise,
                                                        .depthBiasEnable = d.bias != 0,
                                                        .depthBiasConstantFactor = d.bias,
                                                        .lineWidth = 1};
  const vk::PipelineMultisampleStateCreateInfo multisample{
      .rasterizationSamples = d.shadow ? vk::SampleCountFlagBits::e1 : samples};
  const bool compares = d.stencil != vk::CompareOp::eAlways;
  const vk::StencilOpState stencil{.failOp = vk::StencilOp::eKeep,
                                   .passOp = compares ? vk::StencilOp::eKeep : vk::StencilOp::eReplace,
                                   .depthFailOp = vk::StencilOp::eKeep,
                                   .compareOp = d.stencil,
                                   .compareMask = 0xff,
                                   .writeMask = 0xff};
  const vk::PipelineDepthStencilStateCreateInfo depth{.depthTestEnable = true,
                                                      .depthWriteEnable = d.depthWrite,
                                                      .depthCompareOp = d.depth,
                                                      .front = stencil,
                                                      .back = stencil};
  using C = vk::ColorComponentFlagBits;
  const vk::PipelineColorBlendAttachmentState attachment{
      .blendEnable = d.blend || d.multiply,
      .srcColorBlendFactor = d.multiply ? vk::BlendFactor::eZero : vk::BlendFactor::eSrcAlpha,
      .dstColorBlendFactor = d.multiply ? vk::BlendFactor::eSrcColor : vk::BlendFactor::eOneMinusSrcAlpha,
      .srcAlphaBlendFactor = vk::BlendFactor::eZero,
      .dstAlphaBlendFactor = vk::BlendFactor::eOne,
      .colorWriteMask = d.fragment.empty() ? vk::ColorComponentFlags() : C::eR | C::eG | C::eB | C::eA};
  vk::PipelineColorBlendStateCreateInfo blend;
  if (!d.shadow) blend.setAttachments(attachment);
  std::vector<vk::DynamicState> changing{vk::DynamicState::eViewport, vk::DynamicState::eScissor};
  if (!d.shadow) changing.push_back(vk::DynamicState::eStencilTestEnable);
  if (d.stencilTold) changing.push_back(vk::DynamicState::eStencilReference);
  const auto dynamic = vk::PipelineDynamicStateCreateInfo().setDynamicStates(changing);
  vk::PipelineRenderingCreateInfo rendering{.depthAttachmentFormat = d.shadow ? kShadowFormat : kDepthFormat};
  if (!d.shadow) {
    rendering.setColorAttachmentFormats(colour);
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

Pipelines::Pipelines(const vk::raii::Device& device, vk::PipelineLayout layout, vk::Format colour,
                     vk::SampleCountFlagBits samples, const LightCounts& lights) {
  const auto build = [&](const Description& d) { return make(device, layout, colour, samples, lights, d); };
  constexpr auto kStrip = vk::PrimitiveTopology::eTriangleStrip;
  constexpr auto kBoth = vk::CullModeFlagBits::eNone;
  shadow = build({.vertex = kShadowVertex,
                  .cull = kBoth,
                  .depth = vk::CompareOp::eLess,
                  .positions = true,
                  .shadow = true});
  outside = build({.vertex = kSolidVertex, .fragment = kSolidFragment});
  // Nearer by a hair, so that where one part touches another inside a cut, the cut face wins.
  cut = build({.vertex = kSolidVertex,
               .fragment = kCutFragment,
               .cull = vk::CullModeFlagBits::eFront,
               .bias = 64,
               .stencilTold = true});
  face = build({.vertex = kPlaneVertex,
                .fragment = kFaceFragment,
                .mesh = false,
                .topology = kStrip,
                .cull = kBoth,
                .depth = vk::CompareOp::eAlways,
                .multiply = true,
                .stencil = vk::CompareOp::eEqual,
                .stencilTold = true});
  ground = build({.vertex = kGroundVertex, .fragment = kGroundFragment, .mesh = false, .topology = kStrip});
  backdrop = build({.vertex = kBackdropVertex,
                    .fragment = kBackdropFragment,
                    .mesh = false,
                    .cull = kBoth,
                    .depth = vk::CompareOp::eGreaterOrEqual,
                    .depthWrite = false});
  glass = build({.vertex = kSolidVertex, .fragment = kSolidFragment, .depthWrite = false, .blend = true});
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
  blank = build({.vertex = kBackdropVertex, .mesh = false, .cull = kBoth, .depth = vk::CompareOp::eAlways});
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

}  // namespace tenon::xr
