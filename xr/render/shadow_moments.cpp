// One pass for each level, with a triangle for each map. All levels stay in the general layout.
#include "xr/render/shadow_moments.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "xr/render/formats.h"
#include "xr/render/gpu_data.h"
#include "xr/render/graphics_pipeline.h"
#include "xr/render/pipelines.h"

namespace tenon::xr {

namespace {

constexpr std::uint32_t kMomentsVertex[] = {
#include "shaders/moments.vert.inc"
};
constexpr std::uint32_t kMomentsFragment[] = {
#include "shaders/moments.frag.inc"
};
constexpr std::uint32_t kMomentsBlurFragment[] = {
#include "shaders/moments_blur.frag.inc"
};

constexpr std::uint32_t kMomentLevels = 4, kFineLevel = 1, kWideLevel = 3;
constexpr auto kColor = vk::ImageAspectFlagBits::eColor;

/// As in shaders/moments.glsl.
struct MapConstants {
  float ground[4]{};
  std::int32_t rect[4]{};
};

PixelRect atLevel(const PixelRect& r, std::size_t level) {
  return {r.left >> level, r.top >> level, r.right >> level, r.bottom >> level};
}

/// The depth in a light's map of points on the ground is linear: its value at the map's corner, and its
/// change per pixel.
void putGround(float (&to)[4], const SkyLight& light, const Bounds& bounds, double height, double pixels) {
  if (!std::isfinite(height)) return put(to, {1, 0, 0}, 0);
  const Eigen::Vector3d right = light.toward.unitOrthogonal(), up = light.toward.cross(right);
  // Along the light from the plane through the center, in units of the radius, at (x, y) in -1…1:
  // ((height - center.z) / radius - x right.z - y up.z) / toward.z; depth is half of 1 minus that.
  const double z = light.toward.z(), middle = (height - bounds.center.z()) / bounds.radius / z;
  const double across = right.z() / z, down = up.z() / z;
  put(to, {0.5 - 0.5 * (middle + across + down), across / pixels, down / pixels}, 0);
}

}  // namespace

ShadowMoments::ShadowMoments(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                             const DeviceImage& atlas, vk::Extent2D extent, std::span<const SkyLight> lights,
                             std::span<const PixelRect> maps)
    : device_(device),
      lights_(lights.begin(), lights.end()),
      maps_(maps.begin(), maps.end()),
      extent_(extent) {
  using U = vk::ImageUsageFlagBits;
  moments_ = DeviceImage(physical, device, extent, kMomentsFormat, vk::SampleCountFlagBits::e1,
                         U::eColorAttachment | U::eSampled, kColor, 1, kMomentLevels);
  constexpr auto kEdge = vk::SamplerAddressMode::eClampToEdge;
  // Optional for floats of 32 bits; without it shadows have steps.
  const bool filters = static_cast<bool>(physical.getFormatProperties(kMomentsFormat).optimalTilingFeatures &
                                         vk::FormatFeatureFlagBits::eSampledImageFilterLinear);
  const vk::Filter filter = filters ? vk::Filter::eLinear : vk::Filter::eNearest;
  linear_ = device.createSampler(
      {.magFilter = filter, .minFilter = filter, .addressModeU = kEdge, .addressModeV = kEdge});
  nearest_ = device.createSampler({.addressModeU = kEdge, .addressModeV = kEdge});
  makeLevels(atlas);
  const auto make = [&](SpirvWords fragment) {
    return makeGraphicsPipeline(
        device, *layout_, {.vertex = kMomentsVertex, .fragment = fragment, .colorFormat = kMomentsFormat});
  };
  first_ = make(kMomentsFragment);
  blur_ = make(kMomentsBlurFragment);
}

std::array<vk::DescriptorImageInfo, 2> ShadowMoments::images() const {
  const auto of = [&](std::size_t level) {
    return vk::DescriptorImageInfo{
        .sampler = *linear_, .imageView = *levels_[level].view, .imageLayout = vk::ImageLayout::eGeneral};
  };
  return {of(kFineLevel), of(kWideLevel)};
}

void ShadowMoments::makeLevels(const DeviceImage& atlas) {
  constexpr auto kSampled = vk::DescriptorType::eCombinedImageSampler;
  const vk::DescriptorSetLayoutBinding binding{
      .descriptorType = kSampled, .descriptorCount = 1, .stageFlags = vk::ShaderStageFlagBits::eFragment};
  setLayout_ = device_.createDescriptorSetLayout(vk::DescriptorSetLayoutCreateInfo().setBindings(binding));
  const vk::PushConstantRange push{
      .stageFlags = vk::ShaderStageFlagBits::eFragment, .offset = 0, .size = sizeof(MapConstants)};
  layout_ = device_.createPipelineLayout(
      vk::PipelineLayoutCreateInfo().setSetLayouts(*setLayout_).setPushConstantRanges(push));
  const vk::DescriptorPoolSize size{.type = kSampled, .descriptorCount = kMomentLevels};
  pool_ =
      device_.createDescriptorPool(vk::DescriptorPoolCreateInfo{.maxSets = kMomentLevels}.setPoolSizes(size));
  const std::vector<vk::DescriptorSetLayout> layouts(kMomentLevels, *setLayout_);
  const std::vector<vk::DescriptorSet> sets = (*device_).allocateDescriptorSets(
      vk::DescriptorSetAllocateInfo{.descriptorPool = *pool_}.setSetLayouts(layouts),
      *device_.getDispatcher());
  for (std::uint32_t level = 0; level < kMomentLevels; ++level) {
    const vk::DescriptorImageInfo source{
        .sampler = *nearest_,
        .imageView = level == 0 ? *atlas.view : *levels_.back().view,
        .imageLayout = level == 0 ? vk::ImageLayout::eShaderReadOnlyOptimal : vk::ImageLayout::eGeneral};
    device_.updateDescriptorSets(
        vk::WriteDescriptorSet{.dstSet = sets[level], .descriptorType = kSampled}.setImageInfo(source),
        nullptr);
    levels_.push_back({device_.createImageView({.image = *moments_.image,
                                                .viewType = vk::ImageViewType::e2D,
                                                .format = kMomentsFormat,
                                                .subresourceRange = {kColor, level, 1, 0, 1}}),
                       sets[level]});
  }
}

void ShadowMoments::drawLevel(const vk::raii::CommandBuffer& commands, std::size_t level,
                              const Bounds& bounds, double groundHeight) const {
  const vk::RenderingAttachmentInfo color{.imageView = *levels_[level].view,
                                          .imageLayout = vk::ImageLayout::eGeneral,
                                          .loadOp = vk::AttachmentLoadOp::eDontCare,
                                          .storeOp = vk::AttachmentStoreOp::eStore};
  const vk::Extent2D size{extent_.width >> level, extent_.height >> level};
  commands.beginRendering(
      vk::RenderingInfo{.renderArea = {{0, 0}, size}, .layerCount = 1}.setColorAttachments(color));
  commands.bindPipeline(vk::PipelineBindPoint::eGraphics, level == 0 ? *first_ : *blur_);
  commands.bindDescriptorSets(vk::PipelineBindPoint::eGraphics, *layout_, 0, levels_[level].source, nullptr);
  for (std::size_t k = 0; k < maps_.size(); ++k) {
    const PixelRect source = atLevel(maps_[k], level == 0 ? 0 : level - 1);
    MapConstants constants;
    putGround(constants.ground, lights_[k], bounds, groundHeight, source.right - source.left);
    const std::array rect{source.left, source.top, source.right, source.bottom};
    std::copy(rect.begin(), rect.end(), constants.rect);
    setViewport(commands, atLevel(maps_[k], level));
    commands.pushConstants<MapConstants>(*layout_, vk::ShaderStageFlagBits::eFragment, 0, constants);
    commands.draw(3, 1, 0, 0);
  }
  commands.endRendering();
}

void ShadowMoments::filter(const vk::raii::CommandBuffer& commands, const Bounds& bounds,
                           double groundHeight) const {
  using L = vk::ImageLayout;
  transition(commands, *moments_.image, kColor, L::eUndefined, L::eGeneral);
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    drawLevel(commands, level, bounds, groundHeight);
    transition(commands, *moments_.image, kColor, L::eGeneral, L::eGeneral);
  }
}

}  // namespace tenon::xr
