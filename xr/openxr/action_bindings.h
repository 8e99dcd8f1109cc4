// Bindings of the hands' actions, and what the runtime made of them. Includes OpenXR's headers.
#pragma once

#include <array>

#include "xr/openxr/control_names.h"
#include "xr/openxr/xr_calls.h"

namespace tenon::xr {

inline constexpr std::array kHandPaths{"/user/hand/left", "/user/hand/right"};

struct HandActionHandles {
  XrAction grip = XR_NULL_HANDLE, aim = XR_NULL_HANDLE, haptics = XR_NULL_HANDLE;
  XrAction palm = XR_NULL_HANDLE;                   ///< pose on the palm, of the grip's orientation
  XrAction position = XR_NULL_HANDLE;               ///< see InteractionProfile::position
  std::array<XrAction, kHandActionCount> inputs{};  ///< by HandAction

  XrAction of(HandAction action) const { return inputs[static_cast<std::size_t>(action)]; }
};

/// Throws OpenXrError, HeadsetLost.
XrPath pathOf(const XrCalls& xr, const std::string& text);

/// Suggests the bindings of all profiles of which the instance has the extension or version. A profile that
/// the runtime rejects is skipped. Throws OpenXrError, HeadsetLost.
void suggestBindings(const XrCalls& xr, const HandActionHandles& actions);

/// The current profile of a hand (0 left, 1 right) and the names of its inputs. Throws OpenXrError,
/// HeadsetLost.
ControlNames boundControls(const XrCalls& xr, XrSession session, const HandActionHandles& actions,
                           std::size_t hand);

}  // namespace tenon::xr
