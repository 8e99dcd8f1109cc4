// See render_target.h.
#include "xr/render/render_target.h"

#include <algorithm>

#include "xr/render/formats.h"

namespace tenon::xr {

namespace {

using Aspect = vk::ImageAspectFlagBits;
using Layout = vk::ImageLayout;

}  // namespace

FrameAttachments::FrameAttachments(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                                   vk::Format format, vk::SampleCountFlagBits samples)
    : physical_(physical), device_(device), format_(format), samples_(samples) {}

/// Smaller targets use a part, so that a changing resolution makes no new images.
void FrameAttachments::grow(vk::Extent2D extent) {
  if (extent.width <= extent_.width && extent.height <= extent_.height) return;
  extent = vk::Extent2D{std::max(extent.width, extent_.width), std::max(extent.height, extent_.height)};
  using U = vk::ImageUsageFlagBits;
  color_ = DeviceImage(physical_, device_, extent, format_, samples_, U::eColorAttachment, Aspect::eColor);
  depth_ = DeviceImage(physical_, device_, extent, kDepthFormat, samples_, U::eDepthStencilAttachment,
                       Aspect::eDepth | Aspect::eStencil);
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
  transition(commands, *color_.image, Aspect::eColor, Layout::eUndefined, Layout::eColorAttachmentOptimal);
  transition(commands, target.image, Aspect::eColor, keepsContent ? target.layoutBefore : Layout::eUndefined,
             Layout::eColorAttachmentOptimal);
  transition(commands, *depth_.image, Aspect::eDepth | Aspect::eStencil, Layout::eUndefined,
             Layout::eDepthStencilAttachmentOptimal);
  if (target.depth)
    transition(commands, target.depth, Aspect::eDepth | Aspect::eStencil, Layout::eUndefined,
               Layout::eDepthStencilAttachmentOptimal);
  const vk::RenderingAttachmentInfo color = colorInfo(target, keepsContent);
  const vk::RenderingAttachmentInfo depth = depthInfo(target, keepsContent);
  commands.beginRendering(vk::RenderingInfo{.renderArea = {{0, 0}, target.extent},
                                            .layerCount = 1,
                                            .pDepthAttachment = &depth,
                                            .pStencilAttachment = &depth}
                              .setColorAttachments(color));
}

void FrameAttachments::end(const vk::raii::CommandBuffer& commands, const RenderTarget& target) {
  commands.endRendering();
  transition(commands, target.image, Aspect::eColor, Layout::eColorAttachmentOptimal, target.layoutAfter);
}

}  // namespace tenon::xr
