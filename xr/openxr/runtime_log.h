// Messages of loader, layers and runtime, by XR_EXT_debug_utils. Includes OpenXR's headers.
#pragma once

#include <functional>
#include <memory>

#include "xr/openxr/xr_calls.h"

namespace tenon::xr {

/// Receives one line of text, on any thread.
using LogCallback = std::function<void(const std::string&)>;

class RuntimeLog {
 public:
  /// Passes warnings and errors to `logMessage`, each text once, since some repeat in every frame. Silent if
  /// the extension is not enabled. The reference must outlive it.
  RuntimeLog(const XrCalls& calls, LogCallback logMessage);
  ~RuntimeLog();
  RuntimeLog(const RuntimeLog&) = delete;
  RuntimeLog& operator=(const RuntimeLog&) = delete;

 private:
  struct Messages;

  const XrCalls& calls_;
  std::unique_ptr<Messages> messages_;
  XrDebugUtilsMessengerEXT messenger_ = XR_NULL_HANDLE;
};

}  // namespace tenon::xr
