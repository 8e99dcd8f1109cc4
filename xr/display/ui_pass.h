// Draws the output of Dear ImGui over an image. ImGui's Vulkan back end is not used: it links the Vulkan
// loader, which this program opens at run time, and supports neither dynamic rendering nor sRGB targets.
#pragma once

#include <cstdint>

#include "xr/display/image.h"
#include "xr/render/graphics_pipeline.h"
#include "xr/render/image_descriptor.h"
#include "xr/vulkan/device_memory.h"

struct ImDrawCmd;
struct ImDrawData;
struct ImDrawList;

namespace tenon::xr {

class UiPass {
 public:
  /// Uploads the glyphs of ImGui's current context, whose fonts must be set. The references must outlive it.
  /// Throws vk::SystemError.
  UiPass(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, std::uint32_t family,
         vk::Format format);

  /// Replaces the image of pictureSheet(). Not while commands of draw() run. Throws vk::SystemError where
  /// memory runs out.
  void setPictures(const Image& sheet);
  /// Records drawing `data` over a color attachment of this size. One frame at a time: the commands recorded
  /// before must have finished. Throws vk::SystemError where memory runs out.
  void draw(const vk::raii::CommandBuffer& commands, vk::ImageView target, vk::Extent2D extent,
            const ImDrawData& data);

 private:
  void uploadFont();
  /// A sampled image with these pixels.
  DeviceImage uploaded(vk::Extent2D extent, vk::Format format, const void* pixels, std::size_t bytes) const;
  vk::raii::Pipeline makePipeline(vk::Format format, SpirvWords fragment, bool blends) const;
  void upload(const ImDrawData& data);
  void drawCommand(const vk::raii::CommandBuffer& commands, const ImDrawList& list, const ImDrawCmd& command,
                   std::uint32_t firstIndex, std::int32_t firstVertex) const;

  const vk::raii::PhysicalDevice& physical_;
  const vk::raii::Device& device_;
  std::uint32_t family_;
  DeviceImage fontImage_, pictureImage_;
  ImageDescriptor font_, pictures_;
  bool hasPictures_ = false;
  vk::raii::PipelineLayout layout_;
  vk::raii::Pipeline blended_ = nullptr, opaque_ = nullptr, picture_ = nullptr;
  MappedBuffer vertices_, indices_;
};

}  // namespace tenon::xr
