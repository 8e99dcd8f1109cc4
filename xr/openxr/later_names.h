// Names of OpenXR that are newer than Debian 12's headers (1.0.20), with the values of the registry (xr.xml,
// 1.1.47; XR_KHR_generic_controller: 1.1.50). Includes OpenXR's headers.
#pragma once

#define XR_NO_PROTOTYPES 1
#include <openxr/openxr.h>

namespace tenon::xr {

/// The instance versions that are requested, the newest first.
inline constexpr XrVersion kOpenXr11 = XR_MAKE_VERSION(1, 1, 0), kOpenXr10 = XR_MAKE_VERSION(1, 0, 0);

/// The local space with its origin on the floor: of OpenXR 1.1, and of an extension before.
inline constexpr const char* kLocalFloorExtension = "XR_EXT_local_floor";
inline constexpr auto kLocalFloorSpace = static_cast<XrReferenceSpaceType>(1000426000);

/// `grip_surface/pose`, which touches the palm: of OpenXR 1.1 and of this extension.
inline constexpr const char* kMaintenance1Extension = "XR_KHR_maintenance1";
/// The same pose as `palm_ext/pose`.
inline constexpr const char* kPalmPoseExtension = "XR_EXT_palm_pose";

/// Whether the headset is worn: an event with this type and content.
inline constexpr const char* kUserPresenceExtension = "XR_EXT_user_presence";
inline constexpr auto kUserPresenceChanged = static_cast<XrStructureType>(1000470000);
struct UserPresenceChanged {
  XrStructureType type;
  const void* next;
  XrSession session;
  XrBool32 isUserPresent;
};

}  // namespace tenon::xr
