// OpenXR's headers with Vulkan, without prototypes. Slow to compile: include it in few files.
#pragma once

#include "xr/vulkan/vulkan.h"

#define XR_NO_PROTOTYPES 1
#define XR_USE_GRAPHICS_API_VULKAN 1
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

namespace tenon::xr {

/// XR_EXT_local_floor, which Debian's headers lack: the local space with its origin on the floor.
inline constexpr const char* kLocalFloorExtension = "XR_EXT_local_floor";
inline constexpr auto kLocalFloorSpace = static_cast<XrReferenceSpaceType>(1000426000);

}  // namespace tenon::xr
