// Finds this machine's displays for `tenon doctor`; works without any.
#pragma once

#include <string>

namespace tenon::xr {

struct DisplayProbe {
  bool available = false;
  std::string detail;  ///< "1920 × 1080 at 60 Hz, scale 1, Vulkan can draw on it", or the problem
  std::string remedy;  ///< empty if `available`
};

/// Probes in an isolated process. Takes at most ten seconds. Never throws.
DisplayProbe probeDisplay();

}  // namespace tenon::xr
