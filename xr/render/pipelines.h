// The graphics pipelines of a frame.
#pragma once

#include "xr/render/pixel_map.h"
#include "xr/vulkan/vulkan.h"

namespace tenon::xr {

inline constexpr vk::Format kDepthFormat = vk::Format::eD32SfloatS8Uint;
inline constexpr vk::Format kShadowFormat = vk::Format::eD32Sfloat;

/// Of many lights, so many of which are the key light's: known to the shaders when they are made.
struct LightCounts {
  int keys = 0, all = 0;
};

struct Pipelines {
  vk::raii::Pipeline shadow = nullptr;
  vk::raii::Pipeline outside = nullptr;  ///< faces seen from outside
  /// Adds to the stencil, without depth test: +1 for each face of a part seen from inside, -1 from outside.
  vk::raii::Pipeline capCount = nullptr;
  /// The section plane where the stencil is not 0: depth, light, hatching. Sets the stencil to 0 again.
  vk::raii::Pipeline cap = nullptr;
  vk::raii::Pipeline ground = nullptr;
  vk::raii::Pipeline backdrop = nullptr;
  vk::raii::Pipeline transparent = nullptr;  ///< blended over what is there, without depth
  vk::raii::Pipeline arrows = nullptr;
  vk::raii::Pipeline hidden = nullptr;  ///< the same, blended, where something is in front
  vk::raii::Pipeline edges = nullptr;   ///< lines, blended likewise
  vk::raii::Pipeline blank = nullptr;   ///< depth and stencil as before the first face; no colour

  Pipelines() = default;
  Pipelines(const vk::raii::Device& device, vk::PipelineLayout layout, vk::Format color,
            vk::SampleCountFlagBits samples, const LightCounts& lights);
};

/// Where in the target is drawn: viewport and scissor.
void setViewport(const vk::raii::CommandBuffer& commands, const PixelRect& r);
/// The scissor alone.
void setScissor(const vk::raii::CommandBuffer& commands, const PixelRect& r);

}  // namespace tenon::xr
