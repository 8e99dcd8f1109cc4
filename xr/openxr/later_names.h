// Names of OpenXR that are newer than Debian 12's headers (1.0.20), with the values of the registry (xr.xml,
// 1.1.47; XR_KHR_generic_controller: 1.1.50; XR_EXT_render_model: reference pages of 1.1). Includes OpenXR's
// headers.
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

#ifndef XR_EXT_uuid
#define XR_EXT_uuid 1
#define XR_EXT_UUID_EXTENSION_NAME "XR_EXT_uuid"
struct XrUuidEXT {
  std::uint8_t data[16];
};
#endif

#ifndef XR_EXT_render_model
#define XR_EXT_render_model 1
#define XR_EXT_RENDER_MODEL_EXTENSION_NAME "XR_EXT_render_model"
#define XR_MAX_RENDER_MODEL_ASSET_NODE_NAME_SIZE_EXT 64
#define XR_TYPE_RENDER_MODEL_CREATE_INFO_EXT static_cast<XrStructureType>(1000300000)
#define XR_TYPE_RENDER_MODEL_PROPERTIES_GET_INFO_EXT static_cast<XrStructureType>(1000300001)
#define XR_TYPE_RENDER_MODEL_PROPERTIES_EXT static_cast<XrStructureType>(1000300002)
#define XR_TYPE_RENDER_MODEL_SPACE_CREATE_INFO_EXT static_cast<XrStructureType>(1000300003)
#define XR_TYPE_RENDER_MODEL_STATE_GET_INFO_EXT static_cast<XrStructureType>(1000300004)
#define XR_TYPE_RENDER_MODEL_STATE_EXT static_cast<XrStructureType>(1000300005)
#define XR_TYPE_RENDER_MODEL_ASSET_CREATE_INFO_EXT static_cast<XrStructureType>(1000300006)
#define XR_TYPE_RENDER_MODEL_ASSET_DATA_GET_INFO_EXT static_cast<XrStructureType>(1000300007)
#define XR_TYPE_RENDER_MODEL_ASSET_DATA_EXT static_cast<XrStructureType>(1000300008)
#define XR_TYPE_RENDER_MODEL_ASSET_PROPERTIES_GET_INFO_EXT static_cast<XrStructureType>(1000300009)
#define XR_TYPE_RENDER_MODEL_ASSET_PROPERTIES_EXT static_cast<XrStructureType>(1000300010)
#define XR_ERROR_RENDER_MODEL_ASSET_UNAVAILABLE_EXT static_cast<XrResult>(-1000300001)
XR_DEFINE_ATOM(XrRenderModelIdEXT)
XR_DEFINE_HANDLE(XrRenderModelEXT)
XR_DEFINE_HANDLE(XrRenderModelAssetEXT)
struct XrRenderModelCreateInfoEXT {
  XrStructureType type;
  const void* next;
  XrRenderModelIdEXT renderModelId;
  std::uint32_t gltfExtensionCount;
  const char* const* gltfExtensions;
};
struct XrRenderModelPropertiesGetInfoEXT {
  XrStructureType type;
  const void* next;
};
struct XrRenderModelPropertiesEXT {
  XrStructureType type;
  void* next;
  XrUuidEXT cacheId;
  std::uint32_t animatableNodeCount;
};
struct XrRenderModelSpaceCreateInfoEXT {
  XrStructureType type;
  const void* next;
  XrRenderModelEXT renderModel;
};
struct XrRenderModelStateGetInfoEXT {
  XrStructureType type;
  const void* next;
  XrTime displayTime;
};
struct XrRenderModelNodeStateEXT {
  XrPosef nodePose;
  XrBool32 isVisible;
};
struct XrRenderModelStateEXT {
  XrStructureType type;
  void* next;
  std::uint32_t nodeStateCount;
  XrRenderModelNodeStateEXT* nodeStates;
};
struct XrRenderModelAssetCreateInfoEXT {
  XrStructureType type;
  const void* next;
  XrUuidEXT cacheId;
};
struct XrRenderModelAssetDataGetInfoEXT {
  XrStructureType type;
  const void* next;
};
struct XrRenderModelAssetDataEXT {
  XrStructureType type;
  void* next;
  std::uint32_t bufferCapacityInput;
  std::uint32_t bufferCountOutput;
  std::uint8_t* buffer;
};
struct XrRenderModelAssetPropertiesGetInfoEXT {
  XrStructureType type;
  const void* next;
};
struct XrRenderModelAssetNodePropertiesEXT {
  char uniqueName[XR_MAX_RENDER_MODEL_ASSET_NODE_NAME_SIZE_EXT];
};
struct XrRenderModelAssetPropertiesEXT {
  XrStructureType type;
  void* next;
  std::uint32_t nodePropertyCount;
  XrRenderModelAssetNodePropertiesEXT* nodeProperties;
};
using PFN_xrCreateRenderModelEXT = XrResult(XRAPI_PTR*)(XrSession, const XrRenderModelCreateInfoEXT*,
                                                        XrRenderModelEXT*);
using PFN_xrDestroyRenderModelEXT = XrResult(XRAPI_PTR*)(XrRenderModelEXT);
using PFN_xrGetRenderModelPropertiesEXT = XrResult(XRAPI_PTR*)(XrRenderModelEXT,
                                                               const XrRenderModelPropertiesGetInfoEXT*,
                                                               XrRenderModelPropertiesEXT*);
using PFN_xrCreateRenderModelSpaceEXT = XrResult(XRAPI_PTR*)(XrSession,
                                                             const XrRenderModelSpaceCreateInfoEXT*,
                                                             XrSpace*);
using PFN_xrCreateRenderModelAssetEXT = XrResult(XRAPI_PTR*)(XrSession,
                                                             const XrRenderModelAssetCreateInfoEXT*,
                                                             XrRenderModelAssetEXT*);
using PFN_xrDestroyRenderModelAssetEXT = XrResult(XRAPI_PTR*)(XrRenderModelAssetEXT);
using PFN_xrGetRenderModelAssetDataEXT = XrResult(XRAPI_PTR*)(XrRenderModelAssetEXT,
                                                              const XrRenderModelAssetDataGetInfoEXT*,
                                                              XrRenderModelAssetDataEXT*);
using PFN_xrGetRenderModelAssetPropertiesEXT = XrResult(XRAPI_PTR*)(
    XrRenderModelAssetEXT, const XrRenderModelAssetPropertiesGetInfoEXT*, XrRenderModelAssetPropertiesEXT*);
using PFN_xrGetRenderModelStateEXT = XrResult(XRAPI_PTR*)(XrRenderModelEXT,
                                                          const XrRenderModelStateGetInfoEXT*,
                                                          XrRenderModelStateEXT*);
#endif

#ifndef XR_EXT_interaction_render_model
#define XR_EXT_interaction_render_model 1
#define XR_EXT_INTERACTION_RENDER_MODEL_EXTENSION_NAME "XR_EXT_interaction_render_model"
#define XR_TYPE_INTERACTION_RENDER_MODEL_IDS_ENUMERATE_INFO_EXT static_cast<XrStructureType>(1000301000)
#define XR_TYPE_EVENT_DATA_INTERACTION_RENDER_MODELS_CHANGED_EXT static_cast<XrStructureType>(1000301002)
#define XR_TYPE_INTERACTION_RENDER_MODEL_TOP_LEVEL_USER_PATH_GET_INFO_EXT \
  static_cast<XrStructureType>(1000301003)
struct XrInteractionRenderModelIdsEnumerateInfoEXT {
  XrStructureType type;
  const void* next;
};
struct XrEventDataInteractionRenderModelsChangedEXT {
  XrStructureType type;
  const void* next;
};
struct XrInteractionRenderModelTopLevelUserPathGetInfoEXT {
  XrStructureType type;
  const void* next;
  std::uint32_t topLevelUserPathCount;
  const XrPath* topLevelUserPaths;
};
using PFN_xrEnumerateInteractionRenderModelIdsEXT =
    XrResult(XRAPI_PTR*)(XrSession, const XrInteractionRenderModelIdsEnumerateInfoEXT*, std::uint32_t,
                         std::uint32_t*, XrRenderModelIdEXT*);
using PFN_xrGetRenderModelPoseTopLevelUserPathEXT = XrResult(XRAPI_PTR*)(
    XrRenderModelEXT, const XrInteractionRenderModelTopLevelUserPathGetInfoEXT*, XrPath*);
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
