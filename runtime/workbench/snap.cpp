// See snap.h.
#include "runtime/workbench/snap.h"

namespace tenon::runtime {

using physics::Pose;
using physics::Vector3d;

bool alignsAxes(const Snap& snap) {
  const auto whole = xr::PickedFeature::Kind::part;
  return snap.moving.kind != whole && snap.target.kind != whole;
}

Pose snapped(const Snap& snap, const Pose& X_WMoving, const Pose& X_WTarget) {
  const Pose X_WM = X_WMoving * snap.moving.X_PF, X_WT = X_WTarget * snap.target.X_PF;
  const Vector3d out = X_WT.q * Vector3d::UnitZ();
  const physics::Quaterniond turn = physics::shortestRotation(X_WM.q * Vector3d::UnitZ(), -out);
  Pose X;
  X.q = (turn * X_WMoving.q).normalized();
  const Vector3d feature = X.q * snap.moving.X_PF.p;  // from the part's origin
  const Vector3d goal = X_WT.p + snap.distance * out;
  if (alignsAxes(snap)) {
    X.p = goal - feature;
  } else {
    // Only along the normal: the point on the face stays where it was beside the other face.
    const Vector3d kept = X_WM.p - feature;
    X.p = kept + out.dot(goal - X_WM.p) * out;
  }
  return X;
}

}  // namespace tenon::runtime
