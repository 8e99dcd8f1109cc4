// The graphics pipelines of a frame.
#pragma once

#include "xr/render/vulkan.h"

namespace tenon::xr {

inline constexpr vk::Format kDepthFormat = vk::Format::eD32SfloatS8Uint;
inline constexpr vk::Format kShadowFormat = vk::Format::eD32Sfloat;

/// As the shaders lay it out.
struct PushConstants {
  float viewProjection[16];  ///< column by column
  float eye[4];              ///< position [m]; w: of shadows the light, else whether opacity counts
};

struct Pipelines {
  vk::raii::Pipeline shadow = nullptr;
  vk::raii::Pipeline outside = nullptr;   ///< faces seen from outside; stencil 0
  vk::raii::Pipeline cut = nullptr;       ///< faces seen from inside, as cut faces; stencil 1
  vk::raii::Pipeline cutDepth = nullptr;  ///< the section plane's depth where the stencil is 1
  vk::raii::Pipeline ground = nullptr;
  vk::raii::Pipeline backdrop = nullptr;
  vk::raii::Pipeline glass = nullptr;   ///< blended over what is there, without depth
  vk::raii::Pipeline hidden = nullptr;  ///< the same, where something is in front

  Pipelines() = default;
  Pipelines(const vk::raii::Device& device, vk::PipelineLayout layout, vk::Format colour,
            vk::SampleCountFlagBits samples);
};

}  // namespace tenon::xr
