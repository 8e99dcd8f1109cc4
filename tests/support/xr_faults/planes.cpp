// See planes.h.
#include "tests/support/xr_faults/planes.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <string>

#include "tests/support/xr_faults/fault_list.h"

namespace tenon::faults {

bool givesPlanes() {
  return !valueOf("planes").empty();
}

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

const char* faultOf(const XrPlaneDetectorBeginInfoEXT& begin) {
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

void addPlaneAbility(XrSystemProperties& properties) {
  for (auto* next = static_cast<XrBaseOutStructure*>(properties.next); next != nullptr; next = next->next)
    if (next->type == XR_TYPE_SYSTEM_PLANE_DETECTION_PROPERTIES_EXT)
      reinterpret_cast<XrSystemPlaneDetectionPropertiesEXT*>(next)->supportedFeatures =
          XR_PLANE_DETECTION_CAPABILITY_PLANE_DETECTION_BIT_EXT;
}

}  // namespace tenon::faults
