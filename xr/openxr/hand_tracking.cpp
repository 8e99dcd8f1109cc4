// See hand_tracking.h.
#include "xr/openxr/hand_tracking.h"

#include <algorithm>

#include "xr/openxr/xr_values.h"

namespace tenon::xr {

static_assert(kJointCount == XR_HAND_JOINT_COUNT_EXT);
static_assert(static_cast<int>(Joint::palm) == XR_HAND_JOINT_PALM_EXT &&
              static_cast<int>(Joint::thumbTip) == XR_HAND_JOINT_THUMB_TIP_EXT &&
              static_cast<int>(Joint::indexTip) == XR_HAND_JOINT_INDEX_TIP_EXT &&
              static_cast<int>(Joint::littleTip) == XR_HAND_JOINT_LITTLE_TIP_EXT);

HandTracking::HandTracking(const OpenXrSession& session) : session_(session) {
  const XrCalls& xr = session.calls();
  if (xr.CreateHandTrackerEXT == nullptr) return;
  for (std::size_t k = 0; k < trackers_.size(); ++k) {
    XrHandTrackerCreateInfoEXT info{};
    info.type = XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT;
    info.hand = k == 0 ? XR_HAND_LEFT_EXT : XR_HAND_RIGHT_EXT;
    info.handJointSet = XR_HAND_JOINT_SET_DEFAULT_EXT;
    // Headsets without hand tracking fail here; they have controllers.
    const XrResult result = xr.CreateHandTrackerEXT(session.handle(), &info, &trackers_[k]);
    if (XrCalls::isLoss(result)) xr.fail(result, "xrCreateHandTrackerEXT");
    if (XR_FAILED(result)) trackers_[k] = XR_NULL_HANDLE;
  }
}

HandTracking::~HandTracking() {
  for (const XrHandTrackerEXT tracker : trackers_)
    if (tracker != XR_NULL_HANDLE) session_.calls().DestroyHandTrackerEXT(tracker);
}

std::array<Controller, 2> HandTracking::sample(XrTime time, int& rejected) const {
  return {sample(0, time, rejected), sample(1, time, rejected)};
}

Controller HandTracking::sample(std::size_t hand, XrTime time, int& rejected) const {
  if (trackers_[hand] == XR_NULL_HANDLE) return {};
  const XrCalls& xr = session_.calls();
  XrHandJointsLocateInfoEXT info{};
  info.type = XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT;
  info.baseSpace = session_.room();
  info.time = time;
  std::array<XrHandJointLocationEXT, kJointCount> located{};
  XrHandJointLocationsEXT locations{};
  locations.type = XR_TYPE_HAND_JOINT_LOCATIONS_EXT;
  locations.jointCount = kJointCount;
  locations.jointLocations = located.data();
  xr.check(xr.LocateHandJointsEXT(trackers_[hand], &info, &locations), "xrLocateHandJointsEXT");
  constexpr XrSpaceLocationFlags kValid =
      XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT;
  // Palm and wrist must be tracked, not inferred; an occluded finger may be inferred.
  const auto isTracked = [&](Joint joint) {
    return (located[static_cast<std::size_t>(joint)].locationFlags &
            XR_SPACE_LOCATION_POSITION_TRACKED_BIT) != 0;
  };
  const bool isComplete =
      locations.isActive == XR_TRUE && isTracked(Joint::palm) && isTracked(Joint::wrist) &&
      std::all_of(located.begin(), located.end(), [](const XrHandJointLocationEXT& joint) {
        return (joint.locationFlags & kValid) == kValid;
      });
  if (!isComplete) return {};
  HandJoints joints;
  for (std::size_t k = 0; k < kJointCount; ++k) {
    const auto X = poseOf(located[k].pose);
    if (!X) {
      ++rejected;
      return {};
    }
    joints[k] = *X;
  }
  return controllerOf(joints);
}

}  // namespace tenon::xr
