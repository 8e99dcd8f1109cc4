// The OpenXR functions in use, loaded at run time, and errors from their results.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "xr/openxr/headset_lost.h"
#include "xr/openxr/openxr.h"
#include "xr/openxr/xr_functions.h"

namespace tenon::xr {

/// A failed call; the text has its name and result.
class OpenXrError : public std::runtime_error {
 public:
  OpenXrError(XrResult failure, const std::string& text) : std::runtime_error(text), result(failure) {}
  XrResult result;
};

/// The dispatch table of one instance: functions by their names without xr. Those of extensions that are not
/// enabled may be null: see has().
struct XrCalls {
  XrInstance instance = XR_NULL_HANDLE;
  XrVersion version = kOpenXr10;        ///< of the API that the instance was created with
  std::vector<std::string> extensions;  ///< enabled extensions
#define TENON_XR_DECLARE(Name) PFN_xr##Name Name = nullptr;
  TENON_XR_FUNCTIONS(TENON_XR_DECLARE)
  TENON_XR_EXTENSION_FUNCTIONS(TENON_XR_DECLARE)
#undef TENON_XR_DECLARE

  bool has(const char* extension) const {
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
  }

  /// Throws HeadsetLost if runtime, session or headset is lost, OpenXrError for any other failure.
  void check(XrResult result, const char* call) const {
    if (XR_FAILED(result)) fail(result, call);
  }
  /// True if the result means that runtime, session or headset is lost.
  static bool isLoss(XrResult result);
  [[noreturn]] void fail(XrResult result, const char* call) const;
  /// "XR_ERROR_INSTANCE_LOST".
  std::string nameOf(XrResult result) const;
};

/// The loader's xrGetInstanceProcAddr; null without a loader.
PFN_xrGetInstanceProcAddr openXrLoader();

/// Creates an instance of OpenXR 1.1, or of 1.0 where loader or runtime are older, with the required
/// extensions and the available ones of the optional extensions, and loads its functions. Throws OpenXrError,
/// HeadsetLost.
XrCalls makeInstance(PFN_xrGetInstanceProcAddr find, const std::vector<const char*>& required,
                     const std::vector<const char*>& optional);

/// Calls an enumeration function twice: for the count and for the items. More than `most` are a failure.
template <class Item, class Enumerate>
std::vector<Item> enumerated(const XrCalls& xr, const char* call, const Item& empty,
                             const Enumerate& enumerate,
                             std::size_t most = std::numeric_limits<std::uint32_t>::max()) {
  std::uint32_t count = 0;
  xr.check(enumerate(0, &count, nullptr), call);
  if (count > most)
    throw OpenXrError(XR_ERROR_LIMIT_REACHED,
                      fmt::format("{} returned {} items, more than {}", call, count, most));
  std::vector<Item> items(count, empty);
  if (count > 0) xr.check(enumerate(count, &count, items.data()), call);
  items.resize(count, empty);
  return items;
}

}  // namespace tenon::xr
