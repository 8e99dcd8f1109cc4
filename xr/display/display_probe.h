// What displays this machine has, asked without needing any: for `tenon doctor`.
#pragma once

#include <string>

namespace tenon::xr {

struct DisplayProbe {
  bool available = false;
  std::string detail;  ///< "1920 × 1080 at 60 Hz, scale 1, Vulkan can draw on it", or what is wrong
  std::string remedy;  ///< empty where it is there
};

/// Asks in a process apart. Takes at most ten seconds. Never throws.
DisplayProbe probeDisplay();

}  // namespace tenon::xr
