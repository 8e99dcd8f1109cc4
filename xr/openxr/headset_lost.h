// Errors for a headset or runtime that is lost during a session, or not ready yet. Without OpenXR's headers.
#pragma once

#include <stdexcept>

#include "xr/vulkan/graphics_unavailable.h"

namespace tenon::xr {

/// The session has ended; the text says why.
class HeadsetLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The runtime is not running or the headset is not connected; a retry may succeed.
class HeadsetUnavailable : public GraphicsUnavailable {
 public:
  using GraphicsUnavailable::GraphicsUnavailable;
};

}  // namespace tenon::xr
