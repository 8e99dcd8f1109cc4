// One texture holds the glyphs, one of which is plain white, another one the pictures.
#include "xr/display/ui_pass.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "xr/display/picture_sheet.h"
#include "xr/render/graphics_pipeline.h"
#include "xr/vulkan/vulkan_device.h"

namespace tenon::xr {

namespace {

constexpr std::uint32_t kVertex[] = {
#include "shaders/ui.vert.inc"
};
constexpr std::uint32_t kFragment[] = {
#include "shaders/ui.frag.inc"
};
constexpr std::uint32_t kPictureFragment[] = {
#include "shaders/picture.frag.inc"
};
constexpr std::uint32_t kPlainFragment[] = {
#include "shaders/plain.frag.inc"
};

/// Push constants: from pixels of the interface to −1…1.
struct UiPush {
  float scale[2], shift[2];
};

/// The scissor of a command in pixels of the target; may be empty.
vk::Rect2D scissorOf(const ImDrawCmd& command, const ImDrawData& data, vk::Extent2D extent) {
  const auto pixel = [](float position, float origin, float scale, std::uint32_t max) {
    return static_cast<std::int32_t>(std::clamp((position - origin) * scale, 0.0f, static_cast<float>(max)));
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

constexpr float kMinArea = 4096;  ///< of a background with its own draw call [pixels]

/// True if six indices are a large, opaque rectangle of one color: a panel's background, as
/// ImDrawList::PrimRect() makes it.
bool isBackground(const ImDrawList& list, const ImDrawCmd& command, unsigned first) {
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
         (high.x - low.x) * (high.y - low.y) >= kMinArea;
}

}  // namespace

UiPass::UiPass(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, std::uint32_t family,
               vk::Format format)
    : physical_(physical),
      device_(device),
      family_(family),
      font_(device, {.magFilter = vk::Filter::eLinear, .minFilter = vk::Filter::eLinear}),
      pictures_(device, {.magFilter = vk::Filter::eLinear, .minFilter = vk::Filter::eLinear}),
      layout_(font_.makePipelineLayout(
          {.stageFlags = vk::ShaderStageFlagBits::eVertex, .offset = 0, .size = sizeof(UiPush)})) {
  uploadFont();
  blended_ = makePipeline(format, kFragment, true);
  picture_ = makePipeline(format, kPictureFragment, true);
  opaque_ = makePipeline(format, kPlainFragment, false);
}

void UiPass::uploadFont() {
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
  const vk::Extent2D extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
  fontImage_ = uploaded(extent, vk::Format::eR8Unorm, pixels, std::size_t(extent.width) * extent.height);
  font_.setImage(*fontImage_.view);
}

void UiPass::setPictures(const Image& sheet) {
  const vk::Extent2D extent{static_cast<std::uint32_t>(sheet.width),
                            static_cast<std::uint32_t>(sheet.height)};
  pictureImage_ = uploaded(extent, vk::Format::eR8G8B8A8Srgb, sheet.rgba.data(), sheet.rgba.size());
  pictures_.setImage(*pictureImage_.view);
  hasPictures_ = true;
}

DeviceImage UiPass::uploaded(vk::Extent2D extent, vk::Format format, const void* pixels,
                             std::size_t bytes) const {
  using U = vk::ImageUsageFlagBits;
  using L = vk::ImageLayout;
  constexpr auto kColor = vk::ImageAspectFlagBits::eColor;
  DeviceImage image(physical_, device_, extent, format, vk::SampleCountFlagBits::e1,
                    U::eSampled | U::eTransferDst, kColor);
  const MappedBuffer staging(physical_, device_, bytes, vk::BufferUsageFlagBits::eTransferSrc);
  std::memcpy(staging.data, pixels, bytes);
  const Frame frame(device_, family_);
  const vk::raii::CommandBuffer& commands = frame.begin();
  transition(commands, *image.image, kColor, L::eUndefined, L::eTransferDstOptimal);
  commands.copyBufferToImage(*staging.buffer, *image.image, L::eTransferDstOptimal,
                             vk::BufferImageCopy{.imageSubresource = {kColor, 0, 0, 1},
                                                 .imageExtent = {extent.width, extent.height, 1}});
  transition(commands, *image.image, kColor, L::eTransferDstOptimal, L::eShaderReadOnlyOptimal);
  frame.submit(device_.getQueue(family_, 0));
  frame.wait();
  return image;
}

vk::raii::Pipeline UiPass::makePipeline(vk::Format format, SpirvWords fragment, bool blends) const {
  constexpr vk::VertexInputBindingDescription kBinding{.binding = 0, .stride = sizeof(ImDrawVert)};
  constexpr std::array<vk::VertexInputAttributeDescription, 3> kAttributes{
      {{.location = 0, .format = vk::Format::eR32G32Sfloat, .offset = offsetof(ImDrawVert, pos)},
       {.location = 1, .format = vk::Format::eR32G32Sfloat, .offset = offsetof(ImDrawVert, uv)},
       {.location = 2, .format = vk::Format::eR8G8B8A8Unorm, .offset = offsetof(ImDrawVert, col)}}};
  return makeGraphicsPipeline(device_, *layout_,
                              {.vertex = kVertex,
                               .fragment = fragment,
                               .bindings = {&kBinding, 1},
                               .attributes = kAttributes,
                               .colorFormat = format,
                               .blend = blends});
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

/// Backgrounds are most of the covered area: software rendering fills them faster without a texture.
void UiPass::drawCommand(const vk::raii::CommandBuffer& commands, const ImDrawList& list,
                         const ImDrawCmd& command, std::uint32_t firstIndex, std::int32_t firstVertex) const {
  const auto draw = [&](const vk::raii::Pipeline& pipeline, unsigned from, unsigned to) {
    if (from == to) return;
    commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipeline);
    commands.drawIndexed(to - from, 1, firstIndex + from, firstVertex, 0);
  };
  if (command.TextureId == pictureSheet()) {
    if (!hasPictures_) return;
    commands.bindDescriptorSets(vk::PipelineBindPoint::eGraphics, *layout_, 0, pictures_.set(), nullptr);
    draw(picture_, 0, command.ElemCount);
    return commands.bindDescriptorSets(vk::PipelineBindPoint::eGraphics, *layout_, 0, font_.set(), nullptr);
  }
  unsigned drawn = 0;
  for (unsigned k = 0; k < command.ElemCount; k += 3) {
    if (!isBackground(list, command, k)) continue;
    draw(blended_, drawn, k);
    draw(opaque_, k, k + 6);
    drawn = k + 6;
    k += 3;
  }
  draw(blended_, drawn, command.ElemCount);
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
  commands.bindDescriptorSets(vk::PipelineBindPoint::eGraphics, *layout_, 0, font_.set(), nullptr);
  commands.bindVertexBuffers(0, *vertices_.buffer, vk::DeviceSize(0));
  commands.bindIndexBuffer(*indices_.buffer, 0,
                           sizeof(ImDrawIdx) == 2 ? vk::IndexType::eUint16 : vk::IndexType::eUint32);
  commands.setViewport(0, vk::Viewport{.width = static_cast<float>(extent.width),
                                       .height = static_cast<float>(extent.height),
                                       .maxDepth = 1});
  const float across = 2 / data.DisplaySize.x, down = 2 / data.DisplaySize.y;
  const UiPush push{{across, down}, {-1 - data.DisplayPos.x * across, -1 - data.DisplayPos.y * down}};
  commands.pushConstants<UiPush>(*layout_, vk::ShaderStageFlagBits::eVertex, 0, push);
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
