// The functions of OpenXR that are called, found in the loader at run time, and what their results mean.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "xr/openxr/headset_lost.h"
#include "xr/openxr/openxr.h"
#include "xr/openxr/xr_functions.h"

namespace tenon::xr {

/// A call that failed, with its name and result in the text.
class OpenXrError : public std::runtime_error {
 public:
  OpenXrError(XrResult itsResult, const std::string& text) : std::runtime_error(text), result(itsResult) {}
  XrResult result;
};

/// Functions of one instance, by their names without xr. Those of extensions are null where the extension is
/// not enabled.
struct XrCalls {
  XrInstance instance = XR_NULL_HANDLE;
  std::vector<std::string> extensions;  ///< that are enabled
#define TENON_XR_DECLARE(Name) PFN_xr##Name Name = nullptr;
  TENON_XR_FUNCTIONS(TENON_XR_DECLARE)
  TENON_XR_EXTENSION_FUNCTIONS(TENON_XR_DECLARE)
#undef TENON_XR_DECLARE

  bool has(const char* extension) const {
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
  }

  /// Throws HeadsetLost where runtime, session or headset went away, OpenXrError for any other failure.
  void check(XrResult result, const char* call) const {
    if (XR_FAILED(result)) fail(result, call);
  }
  /// Runtime, session or headset went away.
  static bool isLoss(XrResult result);
  [[noreturn]] void fail(XrResult result, const char* call) const;
  /// "XR_ERROR_INSTANCE_LOST".
  std::string nameOf(XrResult result) const;
};

/// The loader's one function; null where there is no loader.
PFN_xrGetInstanceProcAddr openXrLoader();

/// Makes an instance with the extensions that are needed, and of those that are wished for with what is
/// offered, and fills in its functions. Throws OpenXrError, HeadsetLost.
XrCalls makeInstance(PFN_xrGetInstanceProcAddr find, const std::vector<const char*>& needed,
                     const std::vector<const char*>& wished);

/// What a runtime enumerates in two calls, the first of which counts.
template <class Item, class Enumerate>
std::vector<Item> enumerated(const XrCalls& xr, const char* call, const Item& empty, const Enumerate& call2) {
  std::uint32_t count = 0;
  xr.check(call2(0, &count, nullptr), call);
  std::vector<Item> items(count, empty);
  if (count > 0) xr.check(call2(count, &count, items.data()), call);
  items.resize(count, empty);
  return items;
}

}  // namespace tenon::xr
