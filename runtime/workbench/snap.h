// Poses that align a feature of a part with one of another part.
#pragma once

#include "content/model/scene.h"
#include "xr/appearance/pick.h"

namespace tenon::runtime {

/// How a feature of one part comes to lie on a feature of another.
struct Snap {
  xr::PickedFeature moving, target;
  double distance = 0;  ///< along the target's axis, out of it [m]
};

/// The pose of the moving part. Holes and axes: the two axes coincide and point against each other, an end
/// goes into a hole, with the moving feature's origin at `distance` before that of the target; the part turns
/// by the smallest rotation. Points on faces: the faces touch, and the part does not move along them.
physics::Pose snapped(const Snap& snap, const physics::Pose& X_WMoving, const physics::Pose& X_WTarget);

/// True if both are holes or named axes; else they are faces.
bool alignsAxes(const Snap& snap);

}  // namespace tenon::runtime
