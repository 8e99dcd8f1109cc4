// See image_descriptor.h.
#include "xr/render/image_descriptor.h"

#include <vector>

namespace tenon::xr {

namespace {

constexpr auto kSampledImage = vk::DescriptorType::eCombinedImageSampler;

}  // namespace

ImageDescriptor::ImageDescriptor(const vk::raii::Device& device, const vk::SamplerCreateInfo& sampler)
    : device_(device), sampler_(device.createSampler(sampler)) {
  const vk::DescriptorSetLayoutBinding binding{.binding = 0,
                                               .descriptorType = kSampledImage,
                                               .descriptorCount = 1,
                                               .stageFlags = vk::ShaderStageFlagBits::eFragment};
  setLayout_ = device_.createDescriptorSetLayout(vk::DescriptorSetLayoutCreateInfo().setBindings(binding));
  const vk::DescriptorPoolSize size{.type = kSampledImage, .descriptorCount = 1};
  pool_ = device_.createDescriptorPool(vk::DescriptorPoolCreateInfo{.maxSets = 1}.setPoolSizes(size));
  set_ = (*device_)
             .allocateDescriptorSets(
                 vk::DescriptorSetAllocateInfo{.descriptorPool = *pool_}.setSetLayouts(*setLayout_),
                 *device_.getDispatcher())
             .front();
}

void ImageDescriptor::setImage(vk::ImageView image) const {
  const vk::DescriptorImageInfo info{
      .sampler = *sampler_, .imageView = image, .imageLayout = vk::ImageLayout::eShaderReadOnlyOptimal};
  device_.updateDescriptorSets(
      vk::WriteDescriptorSet{
          .dstSet = set_, .dstBinding = 0, .descriptorCount = 1, .descriptorType = kSampledImage}
          .setImageInfo(info),
      nullptr);
}

vk::raii::PipelineLayout ImageDescriptor::makePipelineLayout(
    const vk::PushConstantRange& push, std::span<const vk::DescriptorSetLayout> further) const {
  std::vector<vk::DescriptorSetLayout> sets{*setLayout_};
  sets.insert(sets.end(), further.begin(), further.end());
  return device_.createPipelineLayout(
      vk::PipelineLayoutCreateInfo().setSetLayouts(sets).setPushConstantRanges(push));
}

}  // namespace tenon::xr
