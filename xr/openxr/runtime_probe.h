// Which OpenXR runtime and headset this machine has, asked without needing either: for `tenon doctor`.
#pragma once

#include <functional>
#include <string>

namespace tenon::xr {

struct OpenXrProbe {
  bool loader = false;       ///< libopenxr_loader.so.1 is there
  bool runtime = false;      ///< a runtime answered
  std::string runtimeName;   ///< as the runtime calls itself; empty without one
  std::string version;       ///< of the runtime, "25.0.0"; empty without one
  bool vulkan = false;       ///< the runtime takes pictures drawn with Vulkan
  bool headset = false;      ///< that holds, and the runtime has a head-mounted display ready now
  bool isRetryable = false;  ///< what is missing comes when the runtime is started or the headset connected
  std::string problem;       ///< the first thing that is missing; empty where all is there
  std::string remedy;        ///< what to do about it
};

/// Asks loader, runtime and headset in a process apart: a broken runtime becomes a `problem`. Takes at
/// most fifteen seconds, less where `shouldCancel`, asked some times a second, says so. Never throws for what
/// the runtime does.
OpenXrProbe probeOpenXr(const std::function<bool()>& shouldCancel = {});

}  // namespace tenon::xr
