// Finds this machine's OpenXR runtime and headset for `tenon doctor`; works without either.
#pragma once

#include <functional>
#include <string>

namespace tenon::xr {

struct OpenXrProbe {
  bool loader = false;       ///< libopenxr_loader.so.1 is installed
  bool runtime = false;      ///< a runtime responded
  std::string runtimeName;   ///< reported by the runtime; empty without one
  std::string version;       ///< of the runtime, "25.0.0"; empty without one
  bool vulkan = false;       ///< the runtime supports Vulkan
  bool headset = false;      ///< `vulkan`, and a head-mounted display is ready
  bool isRetryable = false;  ///< starting the runtime or connecting the headset may help
  std::string problem;       ///< the first missing item; empty if there is none
  std::string remedy;        ///< empty if there is no problem
};

/// Probes loader, runtime and headset in an isolated process: a broken runtime becomes a `problem`. Takes at
/// most 15 s, or until `shouldCancel`, polled 20 times a second, returns true. Never throws for failures of
/// the runtime.
OpenXrProbe probeOpenXr(const std::function<bool()>& shouldCancel = {});

}  // namespace tenon::xr
