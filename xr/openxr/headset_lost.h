// What is thrown where the headset or its runtime goes away during a session, or is not there yet. Free of
// OpenXR's headers.
#pragma once

#include <stdexcept>

#include "xr/vulkan/graphics_unavailable.h"

namespace tenon::xr {

/// Says what happened, in words for a person. Nothing more can be shown.
class HeadsetLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Nothing of what the program needs is missing but a runtime that runs, or a headset that is connected.
class HeadsetUnavailable : public GraphicsUnavailable {
 public:
  using GraphicsUnavailable::GraphicsUnavailable;
};

}  // namespace tenon::xr
