// Reversed depth, of a perspective view with an infinite far plane: float depth then has uniform relative
// precision.
#include "xr/view.h"

namespace tenon::xr {

Eigen::Matrix4d viewProjection(const View& view) {
  const double w = view.right - view.left, h = view.up - view.down;
  Eigen::Matrix4d P;
  const double range = view.farPlane - view.nearPlane;
  if (view.isOrthographic())
    P << 2 / w, 0, 0, -(view.right + view.left) / w,  //
        0, -2 / h, 0, (view.up + view.down) / h,      //
        0, 0, 1 / range, view.farPlane / range,       //
        0, 0, 0, 1;
  else
    P << 2 / w, 0, (view.right + view.left) / w, 0,  //
        0, -2 / h, -(view.up + view.down) / h, 0,    //
        0, 0, 0, view.nearPlane,                     //
        0, 0, -1, 0;
  const physics::Pose X_CW = view.X_WC.inverse();
  Eigen::Matrix4d X = Eigen::Matrix4d::Identity();
  X.topLeftCorner<3, 3>() = X_CW.q.toRotationMatrix();
  X.topRightCorner<3, 1>() = X_CW.p;
  return P * X;
}

Eigen::Vector3d projected(const View& view, const physics::Vector3d& p_W) {
  const Eigen::Vector4d clip = viewProjection(view) * p_W.homogeneous();
  const double distance = view.isOrthographic() ? -(view.X_WC.inverse() * p_W).z() : clip.w();
  return {0.5 + 0.5 * clip.x() / clip.w(), 0.5 + 0.5 * clip.y() / clip.w(), distance};
}

}  // namespace tenon::xr
