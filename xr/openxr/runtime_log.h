// What loader, layers and runtime complain of, by XR_EXT_debug_utils. With OpenXR's headers.
#pragma once

#include <functional>
#include <memory>

#include "xr/openxr/xr_calls.h"

namespace tenon::xr {

/// Takes a line of text, on any thread.
using LogCallback = std::function<void(const std::string&)>;

class RuntimeLog {
 public:
  /// Passes warnings and errors on to `tell` while it lives, each text once: some come in every frame.
  /// Nothing where the extension is not enabled. The reference must outlive it.
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
