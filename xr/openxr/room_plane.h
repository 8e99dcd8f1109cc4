// A flat surface of the real room. Without OpenXR's headers.
#pragma once

#include "physics/math/pose.h"

namespace tenon::xr {

/// A rectangle in the room's frame S (meters, y up).
struct RoomPlane {
  physics::Vector3d center = physics::Vector3d::Zero();
  /// From the center to the middle of two adjacent edges, perpendicular to each other.
  physics::Vector3d toEdge1 = physics::Vector3d::Zero(), toEdge2 = physics::Vector3d::Zero();
  bool isUpward = false;    ///< horizontal within RoomPlaneSearch::kMaxTilt, and seen from above
  bool isPlatform = false;  ///< the runtime recognizes a table or the like

  double area() const { return 4 * toEdge1.norm() * toEdge2.norm(); }  ///< [m²]
};

}  // namespace tenon::xr
