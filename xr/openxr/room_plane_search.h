// Finds flat surfaces of the real room by XR_EXT_plane_detection. Includes OpenXR's headers.
#pragma once

#include <numbers>
#include <optional>
#include <vector>

#include "xr/openxr/room_plane.h"
#include "xr/openxr/xr_session.h"

namespace tenon::xr {

/// One search. It runs in the runtime; no call waits for it.
class RoomPlaneSearch {
 public:
  static constexpr double kMaxTilt = 5 * std::numbers::pi / 180;  ///< of an upward plane [rad]
  static constexpr double kBox = 5;         ///< edges of the searched box around the head [m]
  static constexpr double kMinArea = 0.05;  ///< of a plane [m²]
  static constexpr int kMaxPlanes = 64;

  /// True if the runtime has the extension and the headset the ability.
  static bool isOffered(const OpenXrSession& session, XrSystemId system);

  /// Begins to search around the head at `p_SHead`. `time`: display time of the frame. The reference must
  /// outlive it. Throws OpenXrError, HeadsetLost.
  RoomPlaneSearch(const OpenXrSession& session, const physics::Vector3d& p_SHead, XrTime time);
  ~RoomPlaneSearch();
  RoomPlaneSearch(const RoomPlaneSearch&) = delete;
  RoomPlaneSearch& operator=(const RoomPlaneSearch&) = delete;

  /// The planes in the room's frame at `time`, once the search has ended; empty if there are none, or if the
  /// runtime could not search this time. `rejected` is increased by the number of invalid poses. Throws
  /// OpenXrError also if it must not be searched again, HeadsetLost.
  std::optional<std::vector<RoomPlane>> poll(XrTime time, int& rejected);

 private:
  std::vector<RoomPlane> planes(XrTime time, int& rejected) const;

  const OpenXrSession& session_;
  XrPlaneDetectorEXT detector_ = XR_NULL_HANDLE;
};

/// None if pose or extents are invalid. Runtimes differ in the axis of the pose that is the plane's normal, y
/// or z: it is the one nearer to the vertical. A plane whose orientation the runtime does not recognize is
/// upward if its normal is.
std::optional<RoomPlane> planeOf(const XrPlaneDetectorLocationEXT& location);

}  // namespace tenon::xr
