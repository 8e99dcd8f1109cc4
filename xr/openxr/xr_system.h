// The runtime and the headset it has: what there is before a session begins. With OpenXR's headers.
#pragma once

#include <functional>

#include "xr/openxr/runtime_log.h"
#include "xr/openxr/xr_calls.h"
#include "xr/vulkan/vulkan_device.h"

namespace tenon::xr {

/// Throws HeadsetUnavailable where a runtime that is started or a headset that is connected would do,
/// GraphicsUnavailable where loader, runtime or XR_KHR_vulkan_enable2 is missing: other people's code is
/// asked in a process apart first, so a broken one becomes a line. `shouldCancel` as of probeOpenXr().
void requireHeadset(const std::function<bool()>& shouldCancel = {});

class OpenXrSystem {
 public:
  /// What the runtime complains of goes to `tell`. Throws HeadsetLost where runtime or headset went
  /// away since they were required, GraphicsUnavailable where the runtime cannot be used.
  explicit OpenXrSystem(LogCallback logMessage);
  ~OpenXrSystem();
  OpenXrSystem(const OpenXrSystem&) = delete;
  OpenXrSystem& operator=(const OpenXrSystem&) = delete;

  const XrCalls& calls() const { return calls_; }
  XrSystemId id() const { return id_; }
  /// "Monado(XRT) 25.0.0".
  const std::string& runtimeName() const { return runtimeName_; }
  /// As the runtime calls the headset.
  const std::string& headsetName() const { return headsetName_; }

  // Vulkan as the runtime wants it, for makeInstance() and makeDevice() of vulkan_device.h.
  InstanceFactory instanceFactory() const;
  DeviceFactory deviceFactory() const;
  /// The device that the headset hangs on. Throws GraphicsUnavailable where it cannot draw what is to be
  /// drawn.
  ChosenDevice chooseDevice(const vk::raii::Instance& instance) const;

 private:
  void end();

  XrCalls calls_;
  std::optional<RuntimeLog> log_;
  XrSystemId id_ = XR_NULL_SYSTEM_ID;
  std::string runtimeName_, headsetName_;
};

}  // namespace tenon::xr
