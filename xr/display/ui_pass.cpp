// One texture: glyphs, of which one is plain white.
#include "xr/display/ui_pass.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "xr/vulkan/vulkan_device.h"

namespace tenon::xr {

namespace {

constexpr std::uint32_t kVertex[] = {
#include "shaders/ui.vert.inc"
};
constexpr std::uint32_t kFragment[] = {
#include "shaders/ui.frag.inc"
};
constexpr std::uint32_t kPlainFragment[] = {
#include "shaders/plain.frag.inc"
};

/// From pixels of the interface to −1…1.
struct Push {
  float scale[2], shift[2];
};

/// The pixels of the target that a command may change; empty where none.
vk::Rect2D scissorOf(const ImDrawCmd& command, const ImDrawData& data, vk::Extent2D extent) {
  const auto pixel = [](float place, float origin, float scale, std::uint32_t most) {
    return static_cast<std::int32_t>(std::clamp((place - origin) * scale, 0.0f, static_cast<float>(most)));
  };
  const ImVec2 o = data.DisplayPos, s = data.FramebufferScale;
  const std::int32_t left = pixel(command.ClipRect.x, o.x, s.x, extent.width),
                     top = pixel(command.ClipRect.y, o.y, s.y, extent.height),
                     right = pixel(command.ClipRect.z, o.x, s.x, extent.width),
                     bottom = pixel(command.ClipRect.w, o.y, s.y, extent.height);
  return {{left, top},
          {static_cast<std::uint32_t>(std::max(right - left, 0)),
           static_cast<std::uint32_t>(std::max(bottom - top, 0))}};
}

constexpr float kLarge = 4096;  ///< of what is worth a draw of its own [pixels]

/// Whether six indices are a large rectangle in one colour that lets nothing through: a panel's ground, as
/// ImDrawList::PrimRect() makes it.
bool isGround(const ImDrawList& list, const ImDrawCmd& command, unsigned first) {
  if (first + 6 > command.ElemCount) return false;
  const ImDrawIdx* const index = list.IdxBuffer.Data + command.IdxOffset + first;
  const auto a = index[0];
  constexpr std::array<unsigned, 6> kRectangle{0, 1, 2, 0, 2, 3};
  for (unsigned k = 0; k < 6; ++k)
    if (index[k] != a + kRectangle[k]) return false;
  const ImDrawVert* const corner = list.VtxBuffer.Data + command.VtxOffset + a;
  for (int k = 1; k < 4; ++k)
    if (corner[k].col != corner->col || corner[k].uv.x != corner->uv.x || corner[k].uv.y != corner->uv.y)
      return false;
  const ImVec2 low = corner[0].pos, high = corner[2].pos;
  return corner->col >> IM_COL32_A_SHIFT == 255 && corner[1].pos.x == high.x && corner[1].pos.y == low.y &&
         corner[3].pos.x == low.x && corner[3].pos.y == high.y &&
         (high.x - low.x) * (high.y - low.y) >= kLarge;
}

}  // namespace

UiPass::UiPass(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, std::uint32_t family,
               vk::Format format)
    : physical_(physical), device_(device) {
  makeFont(family);
  makePipeline(format);
}

void UiPass::makeFont(std::uint32_t family) {
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
  const vk::Extent2D extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
  using U = vk::ImageUsageFlagBits;
  using L = vk::ImageLayout;
  constexpr auto kColour = vk::ImageAspectFlagBits::eColor;
  font_ = DeviceImage(physical_, device_, extent, vk::Format::eR8Unorm, vk::SampleCountFlagBits::e1,
                      U::eSampled | U::eTransferDst, kColour);
  const std::size_t bytes = std::size_t(extent.width) * extent.height;
  const MappedBuffer staging(physical_, device_, bytes, vk::BufferUsageFlagBits::eTransferSrc);
  std::memcpy(staging.data, pixels, bytes);
  const Frame frame(device_, family);
  const vk::raii::CommandBuffer& commands = frame.begin();
  transition(commands, *font_.image, kColour, L::eUndefined, L::eTransferDstOptimal);
  commands.copyBufferToImage(*staging.buffer, *font_.image, L::eTransferDstOptimal,
                             vk::BufferImageCopy{.imageSubresource = {kColour, 0, 0, 1},
                                                 .imageExtent = {extent.width, extent.height, 1}});
  transition(commands, *font_.image, kColour, L::eTransferDstOptimal, L::eShaderReadOnlyOptimal);
  frame.submit(device_.getQueue(family, 0));
  frame.wait();
  sampler_ = device_.createSampler({.magFilter = vk::Filter::eLinear, .minFilter = vk::Filter::eLinear});
}

void UiPass::makePipeline(vk::Format format) {
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
  const vk::DescriptorImageInfo glyphs{
      .sampler = *sampler_, .imageView = *font_.view, .imageLayout = vk::ImageLayout::eShaderReadOnlyOptimal};
  device_.updateDescriptorSets(
      vk::WriteDescriptorSet{
          .dstSet = set_, .dstBinding = 0, .descriptorCount = 1, .descriptorType = T::eCombinedImageSampler}
          .setImageInfo(glyphs),
      nullptr);
  const vk::PushConstantRange push{
      .stageFlags = vk::ShaderStageFlagBits::eVertex, .offset = 0, .size = sizeof(Push)};
  layout_ = device_.createPipelineLayout(
      vk::PipelineLayoutCreateInfo().setSetLayouts(*setLayout_).setPushConstantRanges(push));

  pipeline_ = pipelineOf(format, kFragment, true);
  plain_ = pipelineOf(format, kPlainFragment, false);
}

vk::raii::Pipeline UiPass::pipelineOf(vk::Format format, std::span<const std::uint32_t> words,
                                      bool blends) const {
  const vk::raii::ShaderModule vertex =
      device_.createShaderModule({.codeSize = sizeof kVertex, .pCode = kVertex});
  const vk::raii::ShaderModule fragment =
      device_.createShaderModule({.codeSize = words.size_bytes(), .pCode = words.data()});
  const std::array<vk::PipelineShaderStageCreateInfo, 2> stages{
      {{.stage = vk::ShaderStageFlagBits::eVertex, .module = *vertex, .pName = "main"},
       {.stage = vk::ShaderStageFlagBits::eFragment, .module = *fragment, .pName = "main"}}};
  const vk::VertexInputBindingDescription stride{.binding = 0, .stride = sizeof(ImDrawVert)};
  const std::array<vk::VertexInputAttributeDescription, 3> attributes{
      {{.location = 0, .format = vk::Format::eR32G32Sfloat, .offset = offsetof(ImDrawVert, pos)},
       {.location = 1, .format = vk::Format::eR32G32Sfloat, .offset = offsetof(ImDrawVert, uv)},
       {.location = 2, .format = vk::Format::eR8G8B8A8Unorm, .offset = offsetof(ImDrawVert, col)}}};
  const auto input = vk::PipelineVertexInputStateCreateInfo()
                         .setVertexBindingDescriptions(stride)
                         .setVertexAttributeDescriptions(attributes);
  const vk::PipelineInputAssemblyStateCreateInfo assembly{.topology = vk::PrimitiveTopology::eTriangleList};
  const vk::PipelineViewportStateCreateInfo viewport{.viewportCount = 1, .scissorCount = 1};
  const vk::PipelineRasterizationStateCreateInfo raster{.lineWidth = 1};
  const vk::PipelineMultisampleStateCreateInfo multisample{.rasterizationSamples =
                                                               vk::SampleCountFlagBits::e1};
  using C = vk::ColorComponentFlagBits;
  const vk::PipelineColorBlendAttachmentState over{.blendEnable = blends,
                                                   .srcColorBlendFactor = vk::BlendFactor::eSrcAlpha,
                                                   .dstColorBlendFactor = vk::BlendFactor::eOneMinusSrcAlpha,
                                                   .srcAlphaBlendFactor = vk::BlendFactor::eZero,
                                                   .dstAlphaBlendFactor = vk::BlendFactor::eOne,
                                                   .colorWriteMask = C::eR | C::eG | C::eB | C::eA};
  const auto blend = vk::PipelineColorBlendStateCreateInfo().setAttachments(over);
  const std::array<vk::DynamicState, 2> changing{vk::DynamicState::eViewport, vk::DynamicState::eScissor};
  const auto dynamic = vk::PipelineDynamicStateCreateInfo().setDynamicStates(changing);
  const auto rendering = vk::PipelineRenderingCreateInfo().setColorAttachmentFormats(format);
  return device_.createGraphicsPipeline(nullptr,
                                        vk::GraphicsPipelineCreateInfo{.pNext = &rendering,
                                                                       .pVertexInputState = &input,
                                                                       .pInputAssemblyState = &assembly,
                                                                       .pViewportState = &viewport,
                                                                       .pRasterizationState = &raster,
                                                                       .pMultisampleState = &multisample,
                                                                       .pColorBlendState = &blend,
                                                                       .pDynamicState = &dynamic,
                                                                       .layout = *layout_}
                                            .setStages(stages));
}

void UiPass::upload(const ImDrawData& data) {
  using U = vk::BufferUsageFlagBits;
  grow(vertices_, physical_, device_, data.TotalVtxCount * sizeof(ImDrawVert), U::eVertexBuffer);
  grow(indices_, physical_, device_, data.TotalIdxCount * sizeof(ImDrawIdx), U::eIndexBuffer);
  auto* vertex = static_cast<ImDrawVert*>(vertices_.data);
  auto* index = static_cast<ImDrawIdx*>(indices_.data);
  for (int k = 0; k < data.CmdListsCount; ++k) {
    const ImDrawList& list = *data.CmdLists[k];
    vertex = std::copy(list.VtxBuffer.begin(), list.VtxBuffer.end(), vertex);
    index = std::copy(list.IdxBuffer.begin(), list.IdxBuffer.end(), index);
  }
}

/// Grounds of panels are most of what the interface covers: a processor fills them without looking up glyphs.
void UiPass::drawCommand(const vk::raii::CommandBuffer& commands, const ImDrawList& list,
                         const ImDrawCmd& command, std::uint32_t firstIndex, std::int32_t firstVertex) const {
  const auto draw = [&](const vk::raii::Pipeline& pipeline, unsigned from, unsigned to) {
    if (from == to) return;
    commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipeline);
    commands.drawIndexed(to - from, 1, firstIndex + from, firstVertex, 0);
  };
  unsigned drawn = 0;
  for (unsigned k = 0; k < command.ElemCount; k += 3) {
    if (!isGround(list, command, k)) continue;
    draw(pipeline_, drawn, k);
    draw(plain_, k, k + 6);
    drawn = k + 6;
    k += 3;
  }
  draw(pipeline_, drawn, command.ElemCount);
}

void UiPass::draw(const vk::raii::CommandBuffer& commands, vk::ImageView target, vk::Extent2D extent,
                  const ImDrawData& data) {
  if (data.TotalVtxCount == 0 || !(data.DisplaySize.x > 0) || !(data.DisplaySize.y > 0)) return;
  upload(data);
  const vk::RenderingAttachmentInfo color{.imageView = target,
                                          .imageLayout = vk::ImageLayout::eColorAttachmentOptimal,
                                          .loadOp = vk::AttachmentLoadOp::eLoad,
                                          .storeOp = vk::AttachmentStoreOp::eStore};
  commands.beginRendering(
      vk::RenderingInfo{.renderArea = {{0, 0}, extent}, .layerCount = 1}.setColorAttachments(color));
  commands.bindDescriptorSets(vk::PipelineBindPoint::eGraphics, *layout_, 0, set_, nullptr);
  commands.bindVertexBuffers(0, *vertices_.buffer, vk::DeviceSize(0));
  commands.bindIndexBuffer(*indices_.buffer, 0,
                           sizeof(ImDrawIdx) == 2 ? vk::IndexType::eUint16 : vk::IndexType::eUint32);
  commands.setViewport(0, vk::Viewport{.width = static_cast<float>(extent.width),
                                       .height = static_cast<float>(extent.height),
                                       .maxDepth = 1});
  const float across = 2 / data.DisplaySize.x, down = 2 / data.DisplaySize.y;
  const Push push{{across, down}, {-1 - data.DisplayPos.x * across, -1 - data.DisplayPos.y * down}};
  commands.pushConstants<Push>(*layout_, vk::ShaderStageFlagBits::eVertex, 0, push);
  std::uint32_t firstIndex = 0;
  std::int32_t firstVertex = 0;
  for (int k = 0; k < data.CmdListsCount; ++k) {
    const ImDrawList& list = *data.CmdLists[k];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const vk::Rect2D scissor = scissorOf(command, data, extent);
      if (scissor.extent.width == 0 || scissor.extent.height == 0) continue;
      commands.setScissor(0, scissor);
      drawCommand(commands, list, command, firstIndex + command.IdxOffset,
                  firstVertex + static_cast<std::int32_t>(command.VtxOffset));
    }
    firstIndex += static_cast<std::uint32_t>(list.IdxBuffer.Size);
    firstVertex += list.VtxBuffer.Size;
  }
  commands.endRendering();
}

}  // namespace tenon::xr
