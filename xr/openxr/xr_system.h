// The OpenXR instance and its head-mounted display, before a session. Includes OpenXR's headers.
#pragma once

#include <functional>

#include "xr/openxr/runtime_log.h"
#include "xr/openxr/view_configuration.h"
#include "xr/openxr/xr_calls.h"
#include "xr/vulkan/vulkan_device.h"

namespace tenon::xr {

/// Throws HeadsetUnavailable if starting the runtime or connecting the headset may help, GraphicsUnavailable
/// if loader, runtime or XR_KHR_vulkan_enable2 is missing. The runtime is probed in an isolated process
/// first, so a broken one becomes an error message. `shouldCancel`: see probeOpenXr().
void requireHeadset(const std::function<bool()>& shouldCancel = {});

class OpenXrSystem {
 public:
  /// Messages of the runtime go to `logMessage`. Throws HeadsetLost if runtime or headset was lost since
  /// requireHeadset(), GraphicsUnavailable if the runtime cannot be used.
  OpenXrSystem(LogCallback logMessage, EyeViews views);
  ~OpenXrSystem();
  OpenXrSystem(const OpenXrSystem&) = delete;
  OpenXrSystem& operator=(const OpenXrSystem&) = delete;

  const XrCalls& calls() const { return calls_; }
  XrSystemId id() const { return id_; }
  const ViewConfiguration& views() const { return *views_; }
  ViewConfiguration& views() { return *views_; }
  /// "Monado(XRT) 25.0.0 (OpenXR 1.1)", with the version of the instance.
  const std::string& runtimeName() const { return runtimeName_; }
  /// Reported by the runtime.
  const std::string& headsetName() const { return headsetName_; }

  // The runtime's Vulkan creation functions, for makeInstance() and makeDevice() of vulkan_device.h.
  InstanceFactory instanceFactory() const;
  DeviceFactory deviceFactory() const;
  /// The device of the headset. Throws GraphicsUnavailable if it cannot run the renderer.
  ChosenDevice chooseDevice(const vk::raii::Instance& instance) const;

 private:
  void end();

  XrCalls calls_;
  std::optional<RuntimeLog> log_;
  XrSystemId id_ = XR_NULL_SYSTEM_ID;
  std::optional<ViewConfiguration> views_;
  std::string runtimeName_, headsetName_;
};

}  // namespace tenon::xr
