// See planes.h.
#include "tests/support/xr_faults/planes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <string>

#include "tests/support/xr_faults/layer_state.h"
#include "xr/openxr/later_names.h"

namespace tenon::faults {

namespace {

XrPlaneDetectionStateEXT planesState() {
  const std::string state = valueOf("planes");
  return state == "pending" ? XR_PLANE_DETECTION_STATE_PENDING_EXT
         : state == "done"  ? XR_PLANE_DETECTION_STATE_DONE_EXT
         : state == "fatal" ? XR_PLANE_DETECTION_STATE_FATAL_EXT
                            : XR_PLANE_DETECTION_STATE_ERROR_EXT;
}

std::vector<XrPlaneDetectorLocationEXT> wantedPlanes() {
  std::vector<XrPlaneDetectorLocationEXT> all;
  for (const std::string& line : valuesOf("plane")) {
    XrPlaneDetectorLocationEXT plane{};
    int orientation = 0, type = 0;
    std::string word;
    std::istringstream(line) >> plane.pose.position.x >> plane.pose.position.y >> plane.pose.position.z >>
        plane.extents.width >> plane.extents.height >> orientation >> type >> word;
    plane.type = XR_TYPE_PLANE_DETECTOR_LOCATION_EXT;
    plane.planeId = all.size() + 1;
    plane.locationFlags = XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT;
    plane.pose.orientation = {0, 0, 0, 1};
    plane.orientation = static_cast<XrPlaneDetectorOrientationEXT>(orientation);
    plane.semanticType = static_cast<XrPlaneDetectorSemanticTypeEXT>(type);
    if (word == "nan")
      plane.pose.position.y = plane.pose.orientation.w = std::numeric_limits<float>::quiet_NaN();
    all.push_back(plane);
  }
  return all;
}

const char* faultOfSearch(const XrPlaneDetectorBeginInfoEXT& begin) {
  if (begin.type != XR_TYPE_PLANE_DETECTOR_BEGIN_INFO_EXT) return "a search for planes of another type";
  if (begin.baseSpace == XR_NULL_HANDLE || begin.time <= 0)
    return "a search for planes without space or time";
  if (begin.maxPlanes == 0) return "a search for no planes";
  const XrExtent3DfEXT& box = begin.boundingBoxExtent;
  const XrQuaternionf& q = begin.boundingBoxPose.orientation;
  if (!(box.width > 0 && box.height > 0 && box.depth > 0 && q.w * q.w + q.x * q.x > 0.9f))
    return "a search for planes in no box";
  return "";
}

XrResult givePlanes(XrPlaneDetectorLocationsEXT& to) {
  const std::vector<XrPlaneDetectorLocationEXT> all = wantedPlanes();
  to.planeLocationCountOutput = static_cast<std::uint32_t>(all.size());
  if (to.planeLocationCapacityInput == 0) return XR_SUCCESS;
  if (to.planeLocationCapacityInput < all.size()) return XR_ERROR_SIZE_INSUFFICIENT;
  std::copy(all.begin(), all.end(), to.planeLocations);
  return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL createPlaneDetectorEXT(XrSession /*handle*/,
                                                      const XrPlaneDetectorCreateInfoEXT* info,
                                                      XrPlaneDetectorEXT* made) {
  if (!isEnabled(XR_EXT_PLANE_DETECTION_EXTENSION_NAME)) complain("planes without their extension");
  if (info->type != XR_TYPE_PLANE_DETECTOR_CREATE_INFO_EXT) complain("planes of another type");
  if (const auto failure = failureOf("CreatePlaneDetectorEXT")) return static_cast<XrResult>(*failure);
  *made = reinterpret_cast<XrPlaneDetectorEXT>(3);
  note("planes created");
  return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL destroyPlaneDetectorEXT(XrPlaneDetectorEXT /*made*/) {
  note("planes destroyed");
  return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL beginPlaneDetectionEXT(XrPlaneDetectorEXT /*made*/,
                                                      const XrPlaneDetectorBeginInfoEXT* info) {
  if (const char* const fault = faultOfSearch(*info); *fault != 0) complain(fault);
  note("planes searched");
  return resultOf("BeginPlaneDetectionEXT");
}

XRAPI_ATTR XrResult XRAPI_CALL getPlaneDetectionStateEXT(XrPlaneDetectorEXT /*made*/,
                                                         XrPlaneDetectionStateEXT* state) {
  *state = planesState();
  return resultOf("GetPlaneDetectionStateEXT");
}

XRAPI_ATTR XrResult XRAPI_CALL getPlaneDetectionsEXT(XrPlaneDetectorEXT /*made*/,
                                                     const XrPlaneDetectorGetInfoEXT* info,
                                                     XrPlaneDetectorLocationsEXT* locations) {
  if (info->baseSpace == XR_NULL_HANDLE || info->time <= 0) complain("planes without space or time");
  if (planesState() != XR_PLANE_DETECTION_STATE_DONE_EXT) {
    complain("planes taken from a search that is not done");
    return XR_ERROR_CALL_ORDER_INVALID;
  }
  if (const auto failure = failureOf("GetPlaneDetectionsEXT")) return static_cast<XrResult>(*failure);
  return givePlanes(*locations);
}

}  // namespace

bool givesPlanes() {
  return !valueOf("planes").empty();
}

void addPlaneAbility(XrSystemProperties& properties) {
  for (auto* next = static_cast<XrBaseOutStructure*>(properties.next); next != nullptr; next = next->next)
    if (next->type == XR_TYPE_SYSTEM_PLANE_DETECTION_PROPERTIES_EXT)
      reinterpret_cast<XrSystemPlaneDetectionPropertiesEXT*>(next)->supportedFeatures =
          XR_PLANE_DETECTION_CAPABILITY_PLANE_DETECTION_BIT_EXT;
}

PFN_xrVoidFunction planeFunction(const std::string& name) {
  static const std::map<std::string, PFN_xrVoidFunction> functions{
      {"xrCreatePlaneDetectorEXT", plain(createPlaneDetectorEXT)},
      {"xrDestroyPlaneDetectorEXT", plain(destroyPlaneDetectorEXT)},
      {"xrBeginPlaneDetectionEXT", plain(beginPlaneDetectionEXT)},
      {"xrGetPlaneDetectionStateEXT", plain(getPlaneDetectionStateEXT)},
      {"xrGetPlaneDetectionsEXT", plain(getPlaneDetectionsEXT)},
  };
  const auto found = functions.find(name);
  return !givesPlanes() || found == functions.end() ? nullptr : found->second;
}

}  // namespace tenon::faults
