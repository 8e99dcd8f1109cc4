// The graphics pipelines of a frame.
#pragma once

#include "xr/render/vulkan.h"

namespace tenon::xr {

inline constexpr vk::Format kDepthFormat = vk::Format::eD32SfloatS8Uint;
inline constexpr vk::Format kShadowFormat = vk::Format::eD32Sfloat;

/// Of many lights, so many of which are the key light's: known to the shaders when they are made.
struct LightCounts {
  int keys = 0, all = 0;
};

struct Pipelines {
  vk::raii::Pipeline shadow = nullptr;
  vk::raii::Pipeline outside = nullptr;  ///< faces seen from outside; stencil 0
  vk::raii::Pipeline cut = nullptr;      ///< faces seen from inside, in plain colour; stencil by the draw
  vk::raii::Pipeline face =
      nullptr;  ///< the section plane where the stencil is as told: its depth, light, hatches
  vk::raii::Pipeline ground = nullptr;
  vk::raii::Pipeline backdrop = nullptr;
  vk::raii::Pipeline glass = nullptr;  ///< blended over what is there, without depth
  vk::raii::Pipeline arrows = nullptr;
  vk::raii::Pipeline hidden = nullptr;  ///< the same, blended, where something is in front
  vk::raii::Pipeline edges = nullptr;   ///< lines, blended likewise
  vk::raii::Pipeline blank = nullptr;   ///< depth and stencil as before the first face; no colour

  Pipelines() = default;
  /// All but `shadow` take from the commands whether stencils are tested.
  Pipelines(const vk::raii::Device& device, vk::PipelineLayout layout, vk::Format colour,
            vk::SampleCountFlagBits samples, const LightCounts& lights);
};

/// Where in the target is drawn: viewport and scissor.
void setViewport(const vk::raii::CommandBuffer& commands, const vk::Rect2D& r);

}  // namespace tenon::xr
