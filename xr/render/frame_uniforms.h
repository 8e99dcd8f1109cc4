// Uniform buffers and descriptors of a frame: lights and section plane once, and its views.
#pragma once

#include <array>
#include <span>

#include "xr/render/gpu_data.h"
#include "xr/view.h"
#include "xr/vulkan/device_memory.h"

namespace tenon::xr {

class FrameUniforms {
 public:
  /// The references must outlive it. Throws vk::SystemError.
  FrameUniforms(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device);

  /// Uploads a frame and its views, with the images of ShadowAtlas::images(). Throws vk::SystemError where
  /// memory runs out.
  void upload(const GpuFrame& frame, std::span<const View> views,
              const std::array<vk::DescriptorImageInfo, 3>& shadows);
  /// Records the binding of the frame with view number `view`, and the next one for passes of two views.
  void bind(const vk::raii::CommandBuffer& commands, std::size_t view) const {
    bind(commands, view, *layout_, 0);
  }
  /// The same as set number `set` of another layout.
  void bind(const vk::raii::CommandBuffer& commands, std::size_t view, vk::PipelineLayout layout,
            std::uint32_t set) const;
  vk::PipelineLayout layout() const { return *layout_; }
  vk::DescriptorSetLayout setLayout() const { return *setLayout_; }

 private:
  void makeDescriptors();

  const vk::raii::PhysicalDevice& physical_;
  const vk::raii::Device& device_;
  vk::raii::DescriptorSetLayout setLayout_ = nullptr;
  vk::raii::PipelineLayout layout_ = nullptr;
  vk::raii::DescriptorPool pool_ = nullptr;
  vk::DescriptorSet set_;  ///< destroyed with its pool
  MappedBuffer frame_, views_;
};

}  // namespace tenon::xr
