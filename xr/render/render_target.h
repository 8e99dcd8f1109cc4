// The image that a frame is drawn into, and the attachments of its rendering pass.
#pragma once

#include <array>
#include <span>

#include <Eigen/Core>

#include "xr/vulkan/device_memory.h"

namespace tenon::xr {

/// An image to draw into, and its layout afterwards; or some layers of an image, one for each view.
struct RenderTarget {
  vk::Image image;
  vk::ImageView view;
  vk::Extent2D extent;
  vk::ImageLayout layoutAfter = vk::ImageLayout::eUndefined;
  /// Optional depth image in kDepthFormat (depth as in view.h); in eDepthStencilAttachmentOptimal afterwards.
  vk::Image depth = nullptr;
  vk::ImageView depthView = nullptr;
  vk::ImageLayout layoutBefore = vk::ImageLayout::eUndefined;  ///< needed if the image's content is kept
  ImageLayers layers = {};  ///< those of `view` and `depthView`; several: see RendererOptions::multiview
  /// Of each layer, triangles of the image that are not seen, three corners each, as tangents (right, up) of
  /// the view; they must outlive the drawing. Only for targets of one view a layer.
  std::array<std::span<const Eigen::Vector2f>, 2> hidden = {};
};

/// Multisampled color and depth, at least of the size of the targets, with `layers` layers.
class FrameAttachments {
 public:
  /// The references must outlive it.
  FrameAttachments(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                   vk::Format format, vk::SampleCountFlagBits samples, std::uint32_t layers);

  /// Makes room for targets of this size. Commands that use the attachments must have been executed.
  void grow(vk::Extent2D extent);
  /// Records the begin of rendering into a target; `keepsContent`: over what the target holds. Throws
  /// vk::SystemError where memory runs out.
  void begin(const vk::raii::CommandBuffer& commands, const RenderTarget& target, bool keepsContent);
  /// Records the end of rendering and the layout that the target requires.
  static void end(const vk::raii::CommandBuffer& commands, const RenderTarget& target);

 private:
  vk::RenderingAttachmentInfo colorInfo(const RenderTarget& target, bool keepsContent) const;
  vk::RenderingAttachmentInfo depthInfo(const RenderTarget& target, bool keepsContent) const;

  const vk::raii::PhysicalDevice& physical_;
  const vk::raii::Device& device_;
  vk::Format format_;
  vk::SampleCountFlagBits samples_;
  std::uint32_t layers_;
  DeviceImage color_, depth_;
  vk::Extent2D extent_;
};

}  // namespace tenon::xr
