// Draws what Dear ImGui made over a picture. Its own Vulkan back end is not used: it links the Vulkan loader,
// which this program opens only when there is one, and knows neither dynamic rendering nor targets that
// encode sRGB.
#pragma once

#include <cstdint>
#include <span>

#include "xr/vulkan/device_memory.h"

struct ImDrawCmd;
struct ImDrawData;
struct ImDrawList;

namespace tenon::xr {

class UiPass {
 public:
  /// Takes the glyphs from ImGui's present context, whose fonts must have been chosen, to the device.
  UiPass(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, std::uint32_t family,
         vk::Format format);

  /// Records it onto a colour attachment of this size, over what is there. One frame at a time: what was
  /// recorded must be done before the next call. Throws vk::SystemError where memory runs out.
  void draw(const vk::raii::CommandBuffer& commands, vk::ImageView target, vk::Extent2D extent,
            const ImDrawData& data);

 private:
  void makeFont(std::uint32_t family);
  void makePipeline(vk::Format format);
  vk::raii::Pipeline pipelineOf(vk::Format format, std::span<const std::uint32_t> words, bool blends) const;
  void upload(const ImDrawData& data);
  void drawCommand(const vk::raii::CommandBuffer& commands, const ImDrawList& list, const ImDrawCmd& command,
                   std::uint32_t firstIndex, std::int32_t firstVertex) const;

  const vk::raii::PhysicalDevice& physical_;
  const vk::raii::Device& device_;
  DeviceImage font_;
  vk::raii::Sampler sampler_ = nullptr;
  vk::raii::DescriptorSetLayout setLayout_ = nullptr;
  vk::raii::DescriptorPool pool_ = nullptr;
  vk::DescriptorSet set_;
  vk::raii::PipelineLayout layout_ = nullptr;
  vk::raii::Pipeline pipeline_ = nullptr, plain_ = nullptr;
  MappedBuffer vertices_, indices_;
};

}  // namespace tenon::xr
