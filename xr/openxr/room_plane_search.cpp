// See room_plane_search.h.
#include "xr/openxr/room_plane_search.h"

#include <cmath>

#include "xr/openxr/xr_values.h"

namespace tenon::xr {

namespace {

constexpr XrSpaceLocationFlags kLocated =
    XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT;

}  // namespace

std::optional<RoomPlane> planeOf(const XrPlaneDetectorLocationEXT& location) {
  const auto X_SP = poseOf(location.pose);
  const double width = static_cast<double>(location.extents.width),
               height = static_cast<double>(location.extents.height);
  if (!X_SP || !std::isfinite(width) || !std::isfinite(height) || width <= 0 || height <= 0)
    return std::nullopt;
  const physics::Vector3d y = X_SP->q * physics::Vector3d::UnitY(), z = X_SP->q * physics::Vector3d::UnitZ();
  const bool isNormalY = std::abs(y.y()) >= std::abs(z.y());
  const physics::Vector3d& normal = isNormalY ? y : z;
  RoomPlane plane;
  plane.center = X_SP->p;
  plane.toEdge1 = 0.5 * width * (X_SP->q * physics::Vector3d::UnitX());
  plane.toEdge2 = 0.5 * height * (isNormalY ? z : y);
  const double level = std::cos(RoomPlaneSearch::kMaxTilt);
  plane.isUpward =
      location.orientation == XR_PLANE_DETECTOR_ORIENTATION_HORIZONTAL_UPWARD_EXT
          ? std::abs(normal.y()) >= level
          : location.orientation == XR_PLANE_DETECTOR_ORIENTATION_ARBITRARY_EXT && normal.y() >= level;
  plane.isPlatform = location.semanticType == XR_PLANE_DETECTOR_SEMANTIC_TYPE_PLATFORM_EXT;
  return plane;
}

bool RoomPlaneSearch::isOffered(const OpenXrSession& session, XrSystemId system) {
  const XrCalls& xr = session.calls();
  if (!xr.has(XR_EXT_PLANE_DETECTION_EXTENSION_NAME) || xr.CreatePlaneDetectorEXT == nullptr ||
      xr.DestroyPlaneDetectorEXT == nullptr || xr.BeginPlaneDetectionEXT == nullptr ||
      xr.GetPlaneDetectionStateEXT == nullptr || xr.GetPlaneDetectionsEXT == nullptr)
    return false;
  XrSystemPlaneDetectionPropertiesEXT ability{};
  ability.type = XR_TYPE_SYSTEM_PLANE_DETECTION_PROPERTIES_EXT;
  XrSystemProperties properties{};
  properties.type = XR_TYPE_SYSTEM_PROPERTIES;
  properties.next = &ability;
  return XR_SUCCEEDED(xr.GetSystemProperties(xr.instance, system, &properties)) &&
         (ability.supportedFeatures & XR_PLANE_DETECTION_CAPABILITY_PLANE_DETECTION_BIT_EXT) != 0;
}

RoomPlaneSearch::RoomPlaneSearch(const OpenXrSession& session, const physics::Vector3d& p_SHead, XrTime time)
    : session_(session) {
  const XrCalls& xr = session.calls();
  XrPlaneDetectorCreateInfoEXT info{};
  info.type = XR_TYPE_PLANE_DETECTOR_CREATE_INFO_EXT;
  xr.check(xr.CreatePlaneDetectorEXT(session.handle(), &info, &detector_), "xrCreatePlaneDetectorEXT");
  // All orientations: headsets that do not recognize them call each one arbitrary.
  XrPlaneDetectorBeginInfoEXT begin{};
  begin.type = XR_TYPE_PLANE_DETECTOR_BEGIN_INFO_EXT;
  begin.baseSpace = session.room();
  begin.time = time;
  begin.maxPlanes = kMaxPlanes;
  begin.minArea = static_cast<float>(kMinArea);
  begin.boundingBoxPose = poseOf(physics::Pose::at(p_SHead));
  const auto edge = static_cast<float>(kBox);
  begin.boundingBoxExtent = {edge, edge, edge};
  try {
    xr.check(xr.BeginPlaneDetectionEXT(detector_, &begin), "xrBeginPlaneDetectionEXT");
  } catch (...) {
    xr.DestroyPlaneDetectorEXT(detector_);
    throw;
  }
}

RoomPlaneSearch::~RoomPlaneSearch() {
  session_.calls().DestroyPlaneDetectorEXT(detector_);
}

std::optional<std::vector<RoomPlane>> RoomPlaneSearch::poll(XrTime time, int& rejected) {
  const XrCalls& xr = session_.calls();
  XrPlaneDetectionStateEXT state = XR_PLANE_DETECTION_STATE_NONE_EXT;
  xr.check(xr.GetPlaneDetectionStateEXT(detector_, &state), "xrGetPlaneDetectionStateEXT");
  switch (state) {
    case XR_PLANE_DETECTION_STATE_PENDING_EXT:
      return std::nullopt;
    case XR_PLANE_DETECTION_STATE_DONE_EXT:
      return planes(time, rejected);
    case XR_PLANE_DETECTION_STATE_FATAL_EXT:
      throw OpenXrError(XR_ERROR_RUNTIME_FAILURE, "the runtime reports XR_PLANE_DETECTION_STATE_FATAL_EXT");
    default:
      return std::vector<RoomPlane>();
  }
}

std::vector<RoomPlane> RoomPlaneSearch::planes(XrTime time, int& rejected) const {
  const XrCalls& xr = session_.calls();
  XrPlaneDetectorGetInfoEXT info{};
  info.type = XR_TYPE_PLANE_DETECTOR_GET_INFO_EXT;
  info.baseSpace = session_.room();
  info.time = time;
  XrPlaneDetectorLocationEXT empty{};
  empty.type = XR_TYPE_PLANE_DETECTOR_LOCATION_EXT;
  const auto locations =
      enumerated(xr, "xrGetPlaneDetectionsEXT", empty,
                 [&](std::uint32_t capacity, std::uint32_t* count, XrPlaneDetectorLocationEXT* found) {
                   XrPlaneDetectorLocationsEXT all{};
                   all.type = XR_TYPE_PLANE_DETECTOR_LOCATIONS_EXT;
                   all.planeLocationCapacityInput = capacity;
                   all.planeLocations = found;
                   const XrResult result = xr.GetPlaneDetectionsEXT(detector_, &info, &all);
                   *count = all.planeLocationCountOutput;
                   return result;
                 });
  std::vector<RoomPlane> out;
  for (const XrPlaneDetectorLocationEXT& location : locations) {
    if ((location.locationFlags & kLocated) != kLocated) continue;
    if (const auto plane = planeOf(location))
      out.push_back(*plane);
    else
      ++rejected;
  }
  return out;
}

}  // namespace tenon::xr
