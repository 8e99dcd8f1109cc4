// The functions of OpenXR that are called, found in the loader at run time, and what their results mean.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "xr/openxr/headset_lost.h"
#include "xr/openxr/openxr.h"

namespace tenon::xr {

/// A call that failed, with its name and result in the text.
class OpenXrError : public std::runtime_error {
 public:
  OpenXrError(XrResult itsResult, const std::string& text) : std::runtime_error(text), result(itsResult) {}
  XrResult result;
};

// Each X(Name) is the function xrName.
// clang-format off
#define TENON_XR_FUNCTIONS(X)          \
  X(AcquireSwapchainImage)             \
  X(ApplyHapticFeedback)               \
  X(AttachSessionActionSets)           \
  X(BeginFrame)                        \
  X(BeginSession)                      \
  X(CreateAction)                      \
  X(CreateActionSet)                   \
  X(CreateActionSpace)                 \
  X(CreateReferenceSpace)              \
  X(CreateSession)                     \
  X(CreateSwapchain)                   \
  X(CreateVulkanDeviceKHR)             \
  X(CreateVulkanInstanceKHR)           \
  X(DestroyActionSet)                  \
  X(DestroyInstance)                   \
  X(DestroySession)                    \
  X(DestroySpace)                      \
  X(DestroySwapchain)                  \
  X(EndFrame)                          \
  X(EndSession)                        \
  X(EnumerateEnvironmentBlendModes)    \
  X(EnumerateReferenceSpaces)          \
  X(EnumerateSwapchainFormats)         \
  X(EnumerateSwapchainImages)          \
  X(EnumerateViewConfigurationViews)   \
  X(GetActionStateFloat)               \
  X(GetActionStatePose)                \
  X(GetActionStateVector2f)            \
  X(GetInstanceProperties)             \
  X(GetSystem)                         \
  X(GetSystemProperties)               \
  X(GetVulkanGraphicsDevice2KHR)       \
  X(GetVulkanGraphicsRequirements2KHR) \
  X(LocateSpace)                       \
  X(LocateViews)                       \
  X(PollEvent)                         \
  X(ReleaseSwapchainImage)             \
  X(RequestExitSession)                \
  X(ResultToString)                    \
  X(StringToPath)                      \
  X(SuggestInteractionProfileBindings) \
  X(SyncActions)                       \
  X(WaitFrame)                         \
  X(WaitSwapchainImage)
// clang-format on

/// Functions of one instance, by their names without xr.
struct XrCalls {
  XrInstance instance = XR_NULL_HANDLE;
#define TENON_XR_DECLARE(Name) PFN_xr##Name Name = nullptr;
  TENON_XR_FUNCTIONS(TENON_XR_DECLARE)
#undef TENON_XR_DECLARE

  /// Throws HeadsetLost where runtime, session or headset went away, OpenXrError for any other failure.
  void check(XrResult result, const char* call) const {
    if (XR_FAILED(result)) fail(result, call);
  }
  [[noreturn]] void fail(XrResult result, const char* call) const;
  /// "XR_ERROR_INSTANCE_LOST".
  std::string nameOf(XrResult result) const;
};

/// The loader's one function; null where there is no loader.
PFN_xrGetInstanceProcAddr openXrLoader();

/// Makes an instance with these extensions and fills in its functions. Throws OpenXrError.
XrCalls makeInstance(PFN_xrGetInstanceProcAddr find, const std::vector<const char*>& extensions);

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
