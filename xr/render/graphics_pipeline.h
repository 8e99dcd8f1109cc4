// Makes a graphics pipeline from a short description; what the description leaves out has the usual value.
#pragma once

#include <cstdint>
#include <span>

#include "xr/vulkan/vulkan.h"

namespace tenon::xr {

using SpirvWords = std::span<const std::uint32_t>;

/// Front faces are counter-clockwise; viewport and scissor are dynamic states.
struct PipelineDescription {
  SpirvWords vertex, fragment;              ///< no fragment shader: no color is written
  std::span<const std::int32_t> constants;  ///< specialization constants 0, 1, …
  /// Vertex input; none: the vertex shader makes the vertices from their index.
  std::span<const vk::VertexInputBindingDescription> bindings;
  std::span<const vk::VertexInputAttributeDescription> attributes;
  vk::PrimitiveTopology topology = vk::PrimitiveTopology::eTriangleList;
  vk::CullModeFlags cull = vk::CullModeFlagBits::eNone;
  vk::SampleCountFlagBits samples = vk::SampleCountFlagBits::e1;
  vk::Format colorFormat = vk::Format::eUndefined;  ///< undefined: no color attachment
  vk::Format depthFormat = vk::Format::eUndefined;
  vk::Format stencilFormat = vk::Format::eUndefined;
  vk::PipelineDepthStencilStateCreateInfo depth;
  std::uint32_t viewMask = 0;  ///< see viewMaskOf()
  bool blend = false;          ///< over the color attachment, by the fragment's alpha
};

/// The views that one pass draws into the layers of its target, each into its own; 0: one layer, without
/// them.
constexpr std::uint32_t viewMaskOf(std::uint32_t layers) {
  return layers > 1 ? (1U << layers) - 1 : 0;
}

/// Throws vk::SystemError.
vk::raii::Pipeline makeGraphicsPipeline(const vk::raii::Device& device, vk::PipelineLayout layout,
                                        const PipelineDescription& description);

}  // namespace tenon::xr
