// Whether the device draws two views in one pass (multiview) correctly.
#pragma once

#include "xr/vulkan/vulkan_device.h"

namespace tenon::xr {

/// Draws a triangle that reaches beyond the image into two layers at once, with a color of its own for each,
/// and compares the result: some drivers draw such triangles into the first layer only, and report no error.
/// False also where the device reports an error; throws vk::DeviceLostError, GraphicsUnavailable. `commands`
/// must not be in use.
bool drawsMultiview(const ChosenDevice& chosen, const vk::raii::Device& device, const vk::raii::Queue& queue,
                    const Frame& commands, vk::SampleCountFlagBits samples);

}  // namespace tenon::xr
