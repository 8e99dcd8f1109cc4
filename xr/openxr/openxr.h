// OpenXR's headers with Vulkan, without prototypes. Slow to compile: include it in few files.
#pragma once

#include "xr/vulkan/vulkan.h"

#define XR_NO_PROTOTYPES 1
#define XR_USE_GRAPHICS_API_VULKAN 1
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

#include "xr/openxr/later_names.h"
