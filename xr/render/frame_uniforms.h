// Uniform buffers and descriptors of a frame: lights and section plane once, a matrix for each view.
#pragma once

#include <span>

#include "xr/render/gpu_data.h"
#include "xr/view.h"
#include "xr/vulkan/device_memory.h"

namespace tenon::xr {

class FrameUniforms {
 public:
  /// The references must outlive it. Throws vk::SystemError.
  FrameUniforms(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device);

  /// Uploads a frame and its views. Throws vk::SystemError where memory runs out.
  void upload(const GpuFrame& frame, std::span<const View> views, vk::Sampler shadowSampler,
              vk::ImageView shadows);
  /// Records the binding of the frame with view number `view`.
  void bind(const vk::raii::CommandBuffer& commands, std::size_t view) const;
  vk::PipelineLayout layout() const { return *layout_; }

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
