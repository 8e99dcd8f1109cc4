// The images that the program submits, as files, by the line `images` of fault_list.h: what a compositor
// would read.
#pragma once

#include <vulkan/vulkan.h>

#define XR_NO_PROTOTYPES 1
#define XR_USE_GRAPHICS_API_VULKAN 1
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

#include <cstdint>

namespace tenon::faults {

/// Remembers the device of a session, and the swapchains with their images.
void rememberDevice(const XrSessionCreateInfo& info);
void rememberSwapchain(XrSwapchain swapchain, const XrSwapchainCreateInfo& info);
void rememberImages(XrSwapchain swapchain, std::uint32_t count, const XrSwapchainImageBaseHeader* images);
/// True for the swapchain of depth that was made last: of a session with insets, theirs.
bool isLastDepth(XrSwapchain swapchain);
void rememberAcquired(XrSwapchain swapchain, std::uint32_t index);

/// Before an image is released: reads a color image if there is a line `images`.
void readImage(XrSwapchain swapchain);
/// At the end of a frame: writes view0.ppm and so on, the parts that the layer shows, and removes the line.
void writeImages(const XrCompositionLayerProjection& layer);

}  // namespace tenon::faults
