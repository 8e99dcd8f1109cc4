// See graphics_pipeline.h.
#include "xr/render/graphics_pipeline.h"

#include <array>
#include <vector>

namespace tenon::xr {

namespace {

std::vector<vk::SpecializationMapEntry> mapEntries(std::size_t count) {
  std::vector<vk::SpecializationMapEntry> entries;
  for (std::uint32_t k = 0; k < count; ++k)
    entries.push_back({.constantID = k,
                       .offset = k * static_cast<std::uint32_t>(sizeof(std::int32_t)),
                       .size = sizeof(std::int32_t)});
  return entries;
}

vk::PipelineColorBlendAttachmentState blendState(const PipelineDescription& d) {
  using C = vk::ColorComponentFlagBits;
  return {.blendEnable = d.blend,
          .srcColorBlendFactor = vk::BlendFactor::eSrcAlpha,
          .dstColorBlendFactor = vk::BlendFactor::eOneMinusSrcAlpha,
          .srcAlphaBlendFactor = vk::BlendFactor::eOne,
          .dstAlphaBlendFactor = vk::BlendFactor::eOneMinusSrcAlpha,
          .colorWriteMask = d.fragment.empty() ? vk::ColorComponentFlags() : C::eR | C::eG | C::eB | C::eA};
}

}  // namespace

vk::raii::Pipeline makeGraphicsPipeline(const vk::raii::Device& device, vk::PipelineLayout layout,
                                        const PipelineDescription& d) {
  const std::vector<vk::SpecializationMapEntry> entries = mapEntries(d.constants.size());
  const auto constants =
      vk::SpecializationInfo{.dataSize = d.constants.size_bytes(), .pData = d.constants.data()}.setMapEntries(
          entries);
  std::vector<vk::raii::ShaderModule> modules;
  std::vector<vk::PipelineShaderStageCreateInfo> stages;
  const auto addStage = [&](SpirvWords words, vk::ShaderStageFlagBits stage) {
    if (words.empty()) return;
    modules.push_back(device.createShaderModule({.codeSize = words.size_bytes(), .pCode = words.data()}));
    stages.push_back(
        {.stage = stage, .module = *modules.back(), .pName = "main", .pSpecializationInfo = &constants});
  };
  addStage(d.vertex, vk::ShaderStageFlagBits::eVertex);
  addStage(d.fragment, vk::ShaderStageFlagBits::eFragment);

  const auto input = vk::PipelineVertexInputStateCreateInfo()
                         .setVertexBindingDescriptions(d.bindings)
                         .setVertexAttributeDescriptions(d.attributes);
  const vk::PipelineInputAssemblyStateCreateInfo assembly{.topology = d.topology};
  const vk::PipelineViewportStateCreateInfo viewport{.viewportCount = 1, .scissorCount = 1};
  const vk::PipelineRasterizationStateCreateInfo raster{
      .cullMode = d.cull, .frontFace = vk::FrontFace::eCounterClockwise, .lineWidth = 1};
  const vk::PipelineMultisampleStateCreateInfo multisample{.rasterizationSamples = d.samples};
  const vk::PipelineColorBlendAttachmentState attachment = blendState(d);
  constexpr std::array kDynamic{vk::DynamicState::eViewport, vk::DynamicState::eScissor};
  const auto dynamic = vk::PipelineDynamicStateCreateInfo().setDynamicStates(kDynamic);
  vk::PipelineRenderingCreateInfo rendering{.viewMask = d.viewMask,
                                            .depthAttachmentFormat = d.depthFormat,
                                            .stencilAttachmentFormat = d.stencilFormat};
  vk::PipelineColorBlendStateCreateInfo blend;
  if (d.colorFormat != vk::Format::eUndefined) {
    rendering.setColorAttachmentFormats(d.colorFormat);
    blend.setAttachments(attachment);
  }
  const auto info = vk::GraphicsPipelineCreateInfo{.pNext = &rendering,
                                                   .pVertexInputState = &input,
                                                   .pInputAssemblyState = &assembly,
                                                   .pViewportState = &viewport,
                                                   .pRasterizationState = &raster,
                                                   .pMultisampleState = &multisample,
                                                   .pDepthStencilState = &d.depth,
                                                   .pColorBlendState = &blend,
                                                   .pDynamicState = &dynamic,
                                                   .layout = layout}
                        .setStages(stages);
  return device.createGraphicsPipeline(nullptr, info);
}

}  // namespace tenon::xr
