// The graphics pipelines of a frame.
#pragma once

#include "xr/render/pixel_map.h"
#include "xr/vulkan/vulkan.h"

namespace tenon::xr {

/// Numbers of lights: of the key light and in all. Specialization constants of the shaders.
struct LightCounts {
  int keys = 0, all = 0;
};

struct Pipelines {
  vk::raii::Pipeline shadow = nullptr;
  vk::raii::Pipeline outside = nullptr;  ///< front faces of parts
  /// Adds to the stencil, without depth test: +1 for each back face of a part, -1 for each front face.
  vk::raii::Pipeline capCount = nullptr;
  /// The section plane where the stencil is not 0: depth, light, hatching. Sets the stencil to 0 again.
  vk::raii::Pipeline cap = nullptr;
  vk::raii::Pipeline ground = nullptr;
  vk::raii::Pipeline backdrop = nullptr;
  vk::raii::Pipeline transparent = nullptr;  ///< blended, writes no depth
  vk::raii::Pipeline arrows = nullptr;
  vk::raii::Pipeline hidden = nullptr;  ///< arrows behind parts, blended
  vk::raii::Pipeline edges = nullptr;   ///< sharp edges as blended lines
  vk::raii::Pipeline blank = nullptr;   ///< clears depth and stencil; writes no color

  Pipelines() = default;
  /// Throws vk::SystemError.
  Pipelines(const vk::raii::Device& device, vk::PipelineLayout layout, vk::Format color,
            vk::SampleCountFlagBits samples, const LightCounts& lights, std::uint32_t viewMask);
};

/// Sets viewport and scissor.
void setViewport(const vk::raii::CommandBuffer& commands, const PixelRect& r);
/// Sets the scissor alone.
void setScissor(const vk::raii::CommandBuffer& commands, const PixelRect& r);

}  // namespace tenon::xr
