// A descriptor set with one sampled image for fragment shaders.
#pragma once

#include <span>

#include "xr/vulkan/vulkan.h"

namespace tenon::xr {

class ImageDescriptor {
 public:
  /// Set 0, binding 0. The reference must outlive it. Throws vk::SystemError.
  ImageDescriptor(const vk::raii::Device& device, const vk::SamplerCreateInfo& sampler);

  /// Replaces the image, which shaders must be able to read whenever the set is used.
  void setImage(vk::ImageView image) const;
  vk::DescriptorSet set() const { return set_; }
  /// A pipeline layout of this set, `further` ones and one push constant range. Throws vk::SystemError.
  vk::raii::PipelineLayout makePipelineLayout(const vk::PushConstantRange& push,
                                              std::span<const vk::DescriptorSetLayout> further = {}) const;

 private:
  const vk::raii::Device& device_;
  vk::raii::Sampler sampler_;
  vk::raii::DescriptorSetLayout setLayout_ = nullptr;
  vk::raii::DescriptorPool pool_ = nullptr;
  vk::DescriptorSet set_;  ///< destroyed with its pool
};

}  // namespace tenon::xr
