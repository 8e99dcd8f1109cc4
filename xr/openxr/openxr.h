// OpenXR as this room uses it: headers alone, with Vulkan. Slow to compile: include it in few files.
#pragma once

#include "xr/render/vulkan.h"

#define XR_NO_PROTOTYPES 1
#define XR_USE_GRAPHICS_API_VULKAN 1
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>
