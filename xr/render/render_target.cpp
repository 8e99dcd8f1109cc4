// See render_target.h.
#include "xr/render/render_target.h"

#include <algorithm>

#include "xr/render/formats.h"
#include "xr/render/graphics_pipeline.h"

namespace tenon::xr {

namespace {

using Aspect = vk::ImageAspectFlagBits;
using Layout = vk::ImageLayout;

}  // namespace

FrameAttachments::FrameAttachments(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                                   vk::Format format, vk::SampleCountFlagBits samples, std::uint32_t layers)
    : physical_(physical), device_(device), format_(format), samples_(samples), layers_(layers) {}

/// Smaller targets use a part, so that a changing resolution makes no new images.
void FrameAttachments::grow(vk::Extent2D extent) {
  if (extent.width <= extent_.width && extent.height <= extent_.height) return;
  extent = vk::Extent2D{std::max(extent.width, extent_.width), std::max(extent.height, extent_.height)};
  using U = vk::ImageUsageFlagBits;
  color_ = DeviceImage(physical_, device_, extent, format_, samples_, U::eColorAttachment, Aspect::eColor,
                       layers_);
  depth_ = DeviceImage(physical_, device_, extent, kDepthFormat, samples_, U::eDepthStencilAttachment,
                       Aspect::eDepth | Aspect::eStencil, layers_);
  extent_ = extent;
}

vk::RenderingAttachmentInfo FrameAttachments::colorInfo(const RenderTarget& target, bool keepsContent) const {
  const bool resolves = samples_ != vk::SampleCountFlagBits::e1;
  vk::RenderingAttachmentInfo color{
      .imageView = resolves ? *color_.view : target.view,
      .imageLayout = Layout::eColorAttachmentOptimal,
      .loadOp = keepsContent ? vk::AttachmentLoadOp::eLoad : vk::AttachmentLoadOp::eClear,
      .storeOp = vk::AttachmentStoreOp::eStore};
  if (resolves) {
    color.resolveMode = vk::ResolveModeFlagBits::eAverage;
    color.resolveImageView = target.view;
    color.resolveImageLayout = Layout::eColorAttachmentOptimal;
    color.storeOp = vk::AttachmentStoreOp::eDontCare;
  }
  return color;
}

vk::RenderingAttachmentInfo FrameAttachments::depthInfo(const RenderTarget& target, bool keepsContent) const {
  vk::RenderingAttachmentInfo depth{
      .imageView = *depth_.view,
      .imageLayout = Layout::eDepthStencilAttachmentOptimal,
      .loadOp = keepsContent ? vk::AttachmentLoadOp::eDontCare : vk::AttachmentLoadOp::eClear,
      .storeOp = vk::AttachmentStoreOp::eDontCare,
      .clearValue = {.depthStencil = {0, 0}}};
  if (!target.depth) return depth;
  if (samples_ != vk::SampleCountFlagBits::e1) {
    depth.resolveMode = vk::ResolveModeFlagBits::eSampleZero;
    depth.resolveImageView = target.depthView;
    depth.resolveImageLayout = Layout::eDepthStencilAttachmentOptimal;
  } else {
    depth.imageView = target.depthView;
    depth.storeOp = vk::AttachmentStoreOp::eStore;
  }
  return depth;
}

void FrameAttachments::begin(const vk::raii::CommandBuffer& commands, const RenderTarget& target,
                             bool keepsContent) {
  grow(target.extent);
  const ImageLayers own{0, layers_};
  transition(commands, *color_.image, Aspect::eColor, Layout::eUndefined, Layout::eColorAttachmentOptimal,
             own);
  transition(commands, target.image, Aspect::eColor, keepsContent ? target.layoutBefore : Layout::eUndefined,
             Layout::eColorAttachmentOptimal, target.layers);
  transition(commands, *depth_.image, Aspect::eDepth | Aspect::eStencil, Layout::eUndefined,
             Layout::eDepthStencilAttachmentOptimal, own);
  if (target.depth)
    transition(commands, target.depth, Aspect::eDepth | Aspect::eStencil, Layout::eUndefined,
               Layout::eDepthStencilAttachmentOptimal, target.layers);
  const vk::RenderingAttachmentInfo color = colorInfo(target, keepsContent);
  const vk::RenderingAttachmentInfo depth = depthInfo(target, keepsContent);
  commands.beginRendering(vk::RenderingInfo{.renderArea = {{0, 0}, target.extent},
                                            .layerCount = 1,
                                            .viewMask = viewMaskOf(layers_),
                                            .pDepthAttachment = &depth,
                                            .pStencilAttachment = &depth}
                              .setColorAttachments(color));
}

void FrameAttachments::end(const vk::raii::CommandBuffer& commands, const RenderTarget& target) {
  commands.endRendering();
  transition(commands, target.image, Aspect::eColor, Layout::eColorAttachmentOptimal, target.layoutAfter,
             target.layers);
}

}  // namespace tenon::xr
