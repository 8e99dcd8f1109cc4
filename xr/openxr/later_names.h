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

#ifndef XR_EXT_plane_detection
#define XR_EXT_plane_detection 1
#define XR_EXT_PLANE_DETECTION_EXTENSION_NAME "XR_EXT_plane_detection"
#define XR_TYPE_PLANE_DETECTOR_CREATE_INFO_EXT static_cast<XrStructureType>(1000429001)
#define XR_TYPE_PLANE_DETECTOR_BEGIN_INFO_EXT static_cast<XrStructureType>(1000429002)
#define XR_TYPE_PLANE_DETECTOR_GET_INFO_EXT static_cast<XrStructureType>(1000429003)
#define XR_TYPE_PLANE_DETECTOR_LOCATIONS_EXT static_cast<XrStructureType>(1000429004)
#define XR_TYPE_PLANE_DETECTOR_LOCATION_EXT static_cast<XrStructureType>(1000429005)
#define XR_TYPE_SYSTEM_PLANE_DETECTION_PROPERTIES_EXT static_cast<XrStructureType>(1000429007)
#define XR_PLANE_DETECTION_CAPABILITY_PLANE_DETECTION_BIT_EXT 1
XR_DEFINE_HANDLE(XrPlaneDetectorEXT)
enum XrPlaneDetectorOrientationEXT : std::int32_t {
  XR_PLANE_DETECTOR_ORIENTATION_HORIZONTAL_UPWARD_EXT = 0,
  XR_PLANE_DETECTOR_ORIENTATION_HORIZONTAL_DOWNWARD_EXT = 1,
  XR_PLANE_DETECTOR_ORIENTATION_VERTICAL_EXT = 2,
  XR_PLANE_DETECTOR_ORIENTATION_ARBITRARY_EXT = 3
};
enum XrPlaneDetectorSemanticTypeEXT : std::int32_t {
  XR_PLANE_DETECTOR_SEMANTIC_TYPE_UNDEFINED_EXT = 0,
  XR_PLANE_DETECTOR_SEMANTIC_TYPE_CEILING_EXT = 1,
  XR_PLANE_DETECTOR_SEMANTIC_TYPE_FLOOR_EXT = 2,
  XR_PLANE_DETECTOR_SEMANTIC_TYPE_WALL_EXT = 3,
  XR_PLANE_DETECTOR_SEMANTIC_TYPE_PLATFORM_EXT = 4
};
enum XrPlaneDetectionStateEXT : std::int32_t {
  XR_PLANE_DETECTION_STATE_NONE_EXT = 0,
  XR_PLANE_DETECTION_STATE_PENDING_EXT = 1,
  XR_PLANE_DETECTION_STATE_DONE_EXT = 2,
  XR_PLANE_DETECTION_STATE_ERROR_EXT = 3,
  XR_PLANE_DETECTION_STATE_FATAL_EXT = 4
};
struct XrExtent3DfEXT {
  float width, height, depth;
};
struct XrSystemPlaneDetectionPropertiesEXT {
  XrStructureType type;
  void* next;
  XrFlags64 supportedFeatures;
};
struct XrPlaneDetectorCreateInfoEXT {
  XrStructureType type;
  const void* next;
  XrFlags64 flags;
};
struct XrPlaneDetectorBeginInfoEXT {
  XrStructureType type;
  const void* next;
  XrSpace baseSpace;
  XrTime time;
  std::uint32_t orientationCount;
  const XrPlaneDetectorOrientationEXT* orientations;
  std::uint32_t semanticTypeCount;
  const XrPlaneDetectorSemanticTypeEXT* semanticTypes;
  std::uint32_t maxPlanes;
  float minArea;
  XrPosef boundingBoxPose;
  XrExtent3DfEXT boundingBoxExtent;
};
struct XrPlaneDetectorGetInfoEXT {
  XrStructureType type;
  const void* next;
  XrSpace baseSpace;
  XrTime time;
};
struct XrPlaneDetectorLocationEXT {
  XrStructureType type;
  void* next;
  std::uint64_t planeId;
  XrSpaceLocationFlags locationFlags;
  XrPosef pose;
  XrExtent2Df extents;
  XrPlaneDetectorOrientationEXT orientation;
  XrPlaneDetectorSemanticTypeEXT semanticType;
  std::uint32_t polygonBufferCount;
};
struct XrPlaneDetectorLocationsEXT {
  XrStructureType type;
  void* next;
  std::uint32_t planeLocationCapacityInput;
  std::uint32_t planeLocationCountOutput;
  XrPlaneDetectorLocationEXT* planeLocations;
};
using PFN_xrCreatePlaneDetectorEXT = XrResult(XRAPI_PTR*)(XrSession, const XrPlaneDetectorCreateInfoEXT*,
                                                          XrPlaneDetectorEXT*);
using PFN_xrDestroyPlaneDetectorEXT = XrResult(XRAPI_PTR*)(XrPlaneDetectorEXT);
using PFN_xrBeginPlaneDetectionEXT = XrResult(XRAPI_PTR*)(XrPlaneDetectorEXT,
                                                          const XrPlaneDetectorBeginInfoEXT*);
using PFN_xrGetPlaneDetectionStateEXT = XrResult(XRAPI_PTR*)(XrPlaneDetectorEXT, XrPlaneDetectionStateEXT*);
using PFN_xrGetPlaneDetectionsEXT = XrResult(XRAPI_PTR*)(XrPlaneDetectorEXT, const XrPlaneDetectorGetInfoEXT*,
                                                         XrPlaneDetectorLocationsEXT*);
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
