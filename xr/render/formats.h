// Formats of the images that the renderer makes itself.
#pragma once

#include "xr/vulkan/vulkan.h"

namespace tenon::xr {

inline constexpr vk::Format kDepthFormat = vk::Format::eD32SfloatS8Uint;
inline constexpr vk::Format kShadowFormat = vk::Format::eD32Sfloat;
inline constexpr vk::Format kMomentsFormat = vk::Format::eR32G32Sfloat;

}  // namespace tenon::xr
