// Formats of the depth images.
#pragma once

#include "xr/vulkan/vulkan.h"

namespace tenon::xr {

inline constexpr vk::Format kDepthFormat = vk::Format::eD32SfloatS8Uint;
inline constexpr vk::Format kShadowFormat = vk::Format::eD32Sfloat;

}  // namespace tenon::xr
