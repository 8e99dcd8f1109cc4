// Names of OpenXR that are newer than Debian 12's headers (1.0.20), with the values of the registry (xr.xml,
// 1.1.47; XR_KHR_generic_controller: 1.1.50). Includes OpenXR's headers.
#pragma once

#define XR_NO_PROTOTYPES 1
#include <openxr/openxr.h>

#include <cstdint>

#ifndef XR_FB_render_model
#define XR_FB_render_model 1
#define XR_FB_RENDER_MODEL_EXTENSION_NAME "XR_FB_render_model"
#define XR_MAX_RENDER_MODEL_NAME_SIZE_FB 64
#define XR_TYPE_RENDER_MODEL_PATH_INFO_FB static_cast<XrStructureType>(1000119000)
#define XR_TYPE_RENDER_MODEL_PROPERTIES_FB static_cast<XrStructureType>(1000119001)
#define XR_TYPE_RENDER_MODEL_BUFFER_FB static_cast<XrStructureType>(1000119002)
#define XR_TYPE_RENDER_MODEL_LOAD_INFO_FB static_cast<XrStructureType>(1000119003)
#define XR_TYPE_RENDER_MODEL_CAPABILITIES_REQUEST_FB static_cast<XrStructureType>(1000119005)
#define XR_RENDER_MODEL_SUPPORTS_GLTF_2_0_SUBSET_1_BIT_FB 1
using XrRenderModelKeyFB = std::uint64_t;
using XrRenderModelFlagsFB = XrFlags64;
struct XrRenderModelPathInfoFB {
  XrStructureType type;
  void* next;
  XrPath path;
};
struct XrRenderModelPropertiesFB {
  XrStructureType type;
  void* next;
  std::uint32_t vendorId;
  char modelName[XR_MAX_RENDER_MODEL_NAME_SIZE_FB];
  XrRenderModelKeyFB modelKey;
  std::uint32_t modelVersion;
  XrRenderModelFlagsFB flags;
};
struct XrRenderModelCapabilitiesRequestFB {
  XrStructureType type;
  void* next;
  XrRenderModelFlagsFB flags;
};
struct XrRenderModelLoadInfoFB {
  XrStructureType type;
  void* next;
  XrRenderModelKeyFB modelKey;
};
struct XrRenderModelBufferFB {
  XrStructureType type;
  void* next;
  std::uint32_t bufferCapacityInput;
  std::uint32_t bufferCountOutput;
  std::uint8_t* buffer;
};
using PFN_xrEnumerateRenderModelPathsFB = XrResult(XRAPI_PTR*)(XrSession, std::uint32_t, std::uint32_t*,
                                                               XrRenderModelPathInfoFB*);
using PFN_xrGetRenderModelPropertiesFB = XrResult(XRAPI_PTR*)(XrSession, XrPath, XrRenderModelPropertiesFB*);
using PFN_xrLoadRenderModelFB = XrResult(XRAPI_PTR*)(XrSession, const XrRenderModelLoadInfoFB*,
                                                     XrRenderModelBufferFB*);
#endif

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
