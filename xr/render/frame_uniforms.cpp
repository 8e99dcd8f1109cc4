// See frame_uniforms.h.
#include "xr/render/frame_uniforms.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tenon::xr {

namespace {

/// Distance of views in their buffer: no device requires a larger alignment [bytes]. At each there is the
/// view and the next one.
constexpr std::size_t kViewStride = 256;
constexpr std::uint32_t kBindings = 5;  ///< of shaders/frame.glsl
using ViewsOfPass = std::array<GpuView, 2>;
static_assert(sizeof(ViewsOfPass) <= kViewStride);

/// Of an orthographic view the eye is far behind the camera, so that all lines of sight are nearly parallel,
/// and w is the depth by which edges are drawn nearer: 0.5 ‰ of the distance of a perspective camera that
/// shows as much.
void putEye(float (&to)[4], const View& view) {
  if (!view.isOrthographic()) return put(to, view.X_WC.p, 0);
  constexpr double kFar = 100, kEdgeBias = 0.5e-3 * 1.92;
  put(to, view.X_WC.p + kFar * view.farPlane * (view.X_WC.q * physics::Vector3d::UnitZ()),
      kEdgeBias * (view.up - view.down) / (view.farPlane - view.nearPlane));
}

}  // namespace

FrameUniforms::FrameUniforms(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device)
    : physical_(physical), device_(device) {
  makeDescriptors();
}

void FrameUniforms::makeDescriptors() {
  using T = vk::DescriptorType;
  const std::array<T, kBindings> types{T::eUniformBuffer, T::eUniformBufferDynamic, T::eCombinedImageSampler,
                                       T::eCombinedImageSampler, T::eCombinedImageSampler};
  std::array<vk::DescriptorSetLayoutBinding, kBindings> bindings;
  std::array<vk::DescriptorPoolSize, kBindings> sizes;
  for (std::uint32_t k = 0; k < kBindings; ++k) {
    bindings[k] = vk::DescriptorSetLayoutBinding{
        .binding = k, .descriptorType = types[k], .descriptorCount = 1, .stageFlags = kDrawStages};
    sizes[k] = vk::DescriptorPoolSize{.type = types[k], .descriptorCount = 1};
  }
  setLayout_ = device_.createDescriptorSetLayout(vk::DescriptorSetLayoutCreateInfo().setBindings(bindings));
  const vk::PushConstantRange push{.stageFlags = kDrawStages, .offset = 0, .size = sizeof(GpuDraw)};
  layout_ = device_.createPipelineLayout(
      vk::PipelineLayoutCreateInfo().setSetLayouts(*setLayout_).setPushConstantRanges(push));
  pool_ = device_.createDescriptorPool(vk::DescriptorPoolCreateInfo{.maxSets = 1}.setPoolSizes(sizes));
  set_ = (*device_)
             .allocateDescriptorSets(
                 vk::DescriptorSetAllocateInfo{.descriptorPool = *pool_}.setSetLayouts(*setLayout_),
                 *device_.getDispatcher())
             .front();
}

void FrameUniforms::upload(const GpuFrame& frame, std::span<const View> views,
                           const std::array<vk::DescriptorImageInfo, 3>& shadows) {
  grow(frame_, physical_, device_, sizeof frame, vk::BufferUsageFlagBits::eUniformBuffer);
  std::memcpy(frame_.data, &frame, sizeof frame);
  grow(views_, physical_, device_, kViewStride * views.size(), vk::BufferUsageFlagBits::eUniformBuffer);
  for (std::size_t k = 0; k < views.size(); ++k) {
    ViewsOfPass pass;
    for (std::size_t eye = 0; eye < pass.size(); ++eye) {
      const View& view = views[std::min(k + eye, views.size() - 1)];
      put(pass[eye].viewProjection, viewProjection(view));
      putEye(pass[eye].eye, view);
      put(pass[eye].tangents, {view.left, view.up, view.right}, view.down);
    }
    std::memcpy(static_cast<char*>(views_.data) + kViewStride * k, &pass, sizeof pass);
  }
  using T = vk::DescriptorType;
  const vk::DescriptorBufferInfo frameInfo{.buffer = *frame_.buffer, .offset = 0, .range = VK_WHOLE_SIZE};
  const vk::DescriptorBufferInfo viewInfo{
      .buffer = *views_.buffer, .offset = 0, .range = sizeof(ViewsOfPass)};
  std::array<vk::WriteDescriptorSet, kBindings> writes;
  for (std::uint32_t k = 0; k < kBindings; ++k)
    writes[k] = vk::WriteDescriptorSet{.dstSet = set_, .dstBinding = k, .descriptorCount = 1};
  writes[0].setDescriptorType(T::eUniformBuffer).setPBufferInfo(&frameInfo);
  writes[1].setDescriptorType(T::eUniformBufferDynamic).setPBufferInfo(&viewInfo);
  for (std::size_t k = 0; k < shadows.size(); ++k)
    writes[2 + k].setDescriptorType(T::eCombinedImageSampler).setPImageInfo(&shadows[k]);
  device_.updateDescriptorSets(writes, nullptr);
}

void FrameUniforms::bind(const vk::raii::CommandBuffer& commands, std::size_t view, vk::PipelineLayout layout,
                         std::uint32_t set) const {
  commands.bindDescriptorSets(vk::PipelineBindPoint::eGraphics, layout, set, set_,
                              static_cast<std::uint32_t>(kViewStride * view));
}

}  // namespace tenon::xr
