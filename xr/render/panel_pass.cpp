// Two pipelines that make their vertices themselves, and push constants.
#include "xr/render/panel_pass.h"

#include <array>
#include <cstdint>

#include "xr/render/gpu_data.h"
#include "xr/render/pipelines.h"

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
constexpr std::uint32_t kVignetteFragment[] = {
#include "shaders/vignette.frag.inc"
};

/// As the shaders have it.
struct PanelPush {
  float clip[16];
  float piece[4];
};

}  // namespace

PanelPass::PanelPass(const vk::raii::Device& device, vk::Format color, vk::SampleCountFlagBits samples)
    : device_(device) {
  sampler_ = device_.createSampler({.magFilter = vk::Filter::eLinear,
                                    .minFilter = vk::Filter::eLinear,
                                    .addressModeU = vk::SamplerAddressMode::eClampToEdge,
                                    .addressModeV = vk::SamplerAddressMode::eClampToEdge});
  makeDescriptors();
  panel_ = make(kPanelVertex, kPanelFragment, color, samples, Kind::panel);
  onTop_ = make(kPanelVertex, kPanelFragment, color, samples, Kind::onTop);
  vignette_ = make(kVignetteVertex, kVignetteFragment, color, samples, Kind::vignette);
}

void PanelPass::makeDescriptors() {
  using T = vk::DescriptorType;
  const vk::DescriptorSetLayoutBinding binding{.binding = 0,
                                               .descriptorType = T::eCombinedImageSampler,
                                               .descriptorCount = 1,
                                               .stageFlags = vk::ShaderStageFlagBits::eFragment};
  setLayout_ = device_.createDescriptorSetLayout(vk::DescriptorSetLayoutCreateInfo().setBindings(binding));
  const vk::DescriptorPoolSize size{.type = T::eCombinedImageSampler, .descriptorCount = 1};
  pool_ = device_.createDescriptorPool(vk::DescriptorPoolCreateInfo{.maxSets = 1}.setPoolSizes(size));
  set_ = (*device_)
             .allocateDescriptorSets(
                 vk::DescriptorSetAllocateInfo{.descriptorPool = *pool_}.setSetLayouts(*setLayout_),
                 *device_.getDispatcher())
             .front();  // goes with its pool
  const vk::PushConstantRange push{.stageFlags = kDrawStages, .offset = 0, .size = sizeof(PanelPush)};
  layout_ = device_.createPipelineLayout(
      vk::PipelineLayoutCreateInfo().setSetLayouts(*setLayout_).setPushConstantRanges(push));
}

vk::raii::Pipeline PanelPass::make(std::span<const std::uint32_t> vertex,
                                   std::span<const std::uint32_t> fragment, vk::Format color,
                                   vk::SampleCountFlagBits samples, Kind kind) const {
  const bool isVignette = kind == Kind::vignette;
  const vk::raii::ShaderModule first =
      device_.createShaderModule({.codeSize = vertex.size_bytes(), .pCode = vertex.data()});
  const vk::raii::ShaderModule second =
      device_.createShaderModule({.codeSize = fragment.size_bytes(), .pCode = fragment.data()});
  const std::array<vk::PipelineShaderStageCreateInfo, 2> stages{
      {{.stage = vk::ShaderStageFlagBits::eVertex, .module = *first, .pName = "main"},
       {.stage = vk::ShaderStageFlagBits::eFragment, .module = *second, .pName = "main"}}};
  const vk::PipelineVertexInputStateCreateInfo input;
  const vk::PipelineInputAssemblyStateCreateInfo assembly{
      .topology = isVignette ? vk::PrimitiveTopology::eTriangleList : vk::PrimitiveTopology::eTriangleStrip};
  const vk::PipelineViewportStateCreateInfo viewport{.viewportCount = 1, .scissorCount = 1};
  const vk::PipelineRasterizationStateCreateInfo raster{.frontFace = vk::FrontFace::eCounterClockwise,
                                                        .lineWidth = 1};
  const vk::PipelineMultisampleStateCreateInfo multisample{.rasterizationSamples = samples};
  const vk::PipelineDepthStencilStateCreateInfo depth{
      .depthTestEnable = true,
      .depthWriteEnable = kind == Kind::panel,
      .depthCompareOp = kind != Kind::panel ? vk::CompareOp::eAlways : vk::CompareOp::eGreater};
  using C = vk::ColorComponentFlagBits;
  const vk::PipelineColorBlendAttachmentState over{.blendEnable = isVignette,
                                                   .srcColorBlendFactor = vk::BlendFactor::eSrcAlpha,
                                                   .dstColorBlendFactor = vk::BlendFactor::eOneMinusSrcAlpha,
                                                   .srcAlphaBlendFactor = vk::BlendFactor::eZero,
                                                   .dstAlphaBlendFactor = vk::BlendFactor::eOne,
                                                   .colorWriteMask = C::eR | C::eG | C::eB | C::eA};
  const auto blend = vk::PipelineColorBlendStateCreateInfo().setAttachments(over);
  const std::array<vk::DynamicState, 2> changing{vk::DynamicState::eViewport, vk::DynamicState::eScissor};
  const auto dynamic = vk::PipelineDynamicStateCreateInfo().setDynamicStates(changing);
  const auto rendering = vk::PipelineRenderingCreateInfo{.depthAttachmentFormat = kDepthFormat,
                                                         .stencilAttachmentFormat = kDepthFormat}
                             .setColorAttachmentFormats(color);
  return device_.createGraphicsPipeline(nullptr,
                                        vk::GraphicsPipelineCreateInfo{.pNext = &rendering,
                                                                       .pVertexInputState = &input,
                                                                       .pInputAssemblyState = &assembly,
                                                                       .pViewportState = &viewport,
                                                                       .pRasterizationState = &raster,
                                                                       .pMultisampleState = &multisample,
                                                                       .pDepthStencilState = &depth,
                                                                       .pColorBlendState = &blend,
                                                                       .pDynamicState = &dynamic,
                                                                       .layout = *layout_}
                                            .setStages(stages));
}

void PanelPass::show(vk::ImageView image) {
  const vk::DescriptorImageInfo shown{
      .sampler = *sampler_, .imageView = image, .imageLayout = vk::ImageLayout::eShaderReadOnlyOptimal};
  device_.updateDescriptorSets(
      vk::WriteDescriptorSet{.dstSet = set_,
                             .dstBinding = 0,
                             .descriptorCount = 1,
                             .descriptorType = vk::DescriptorType::eCombinedImageSampler}
          .setImageInfo(shown),
      nullptr);
  hasImage_ = true;
}

void PanelPass::drawPanels(const vk::raii::CommandBuffer& commands, const View& view,
                           std::span<const Panel> panels) const {
  if (panels.empty() || !hasImage_) return;
  commands.bindDescriptorSets(vk::PipelineBindPoint::eGraphics, *layout_, 0, set_, nullptr);
  const Eigen::Matrix4d toClip = viewProjection(view);
  for (const Panel& panel : panels) {
    commands.bindPipeline(vk::PipelineBindPoint::eGraphics, panel.onTop ? *onTop_ : *panel_);
    Eigen::Matrix4d sheet = Eigen::Matrix4d::Identity();
    sheet.topLeftCorner<3, 3>() = panel.X_WP.q.toRotationMatrix();
    sheet.col(0) *= panel.width;
    sheet.col(1) *= panel.height;
    sheet.topRightCorner<3, 1>() = panel.X_WP.p;
    PanelPush push{};
    put(push.clip, Eigen::Matrix4d(toClip * sheet));
    put(push.piece, {panel.left, panel.top, panel.right}, panel.bottom);
    commands.pushConstants<PanelPush>(*layout_, kDrawStages, 0, push);
    commands.draw(4, 1, 0, 0);
  }
}

void PanelPass::drawVignette(const vk::raii::CommandBuffer& commands, const View& view,
                             const Vignette& vignette) const {
  if (!(vignette.rim > 0) && !(vignette.all > 0)) return;
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *vignette_);
  PanelPush push{};
  push.clip[0] = static_cast<float>(vignette.rim);
  push.clip[1] = static_cast<float>(vignette.all);
  put(push.piece, {view.left, view.up, view.right}, view.down);
  commands.pushConstants<PanelPush>(*layout_, kDrawStages, 0, push);
  commands.draw(3, 1, 0, 0);
}

}  // namespace tenon::xr
