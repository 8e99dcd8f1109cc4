// The graphics pipelines of a frame.
#pragma once

#include "xr/render/vulkan.h"

namespace tenon::xr {

inline constexpr vk::Format kDepthFormat = vk::Format::eD32SfloatS8Uint;
inline constexpr vk::Format kShadowFormat = vk::Format::eD32Sfloat;

/// As the shaders lay it out.
struct PushConstants {
  float viewProjection[16];  ///< column by column
  float eye[4];              ///< position [m]; w: as shaders/frame.glsl has it
};

struct Pipelines {
  vk::raii::Pipeline shadow = nullptr;
  vk::raii::Pipeline outside = nullptr;  ///< faces seen from outside; stencil 0
  vk::raii::Pipeline cut = nullptr;      ///< faces seen from inside, in plain colour; stencil by the draw
  vk::raii::Pipeline face =
      nullptr;  ///< the section plane where the stencil is as told: its depth, light, hatches
  vk::raii::Pipeline ground = nullptr;
  vk::raii::Pipeline backdrop = nullptr;
  vk::raii::Pipeline glass = nullptr;   ///< blended over what is there, without depth
  vk::raii::Pipeline hidden = nullptr;  ///< the same, where something is in front
  vk::raii::Pipeline edges = nullptr;   ///< lines, blended likewise

  Pipelines() = default;
  Pipelines(const vk::raii::Device& device, vk::PipelineLayout layout, vk::Format colour,
            vk::SampleCountFlagBits samples);
};

}  // namespace tenon::xr
