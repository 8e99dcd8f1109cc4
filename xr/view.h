// A camera view: plain data, without Vulkan or OpenXR.
#pragma once

#include <Eigen/Core>

#include "physics/math/pose.h"

namespace tenon::xr {

/// An eye or a camera, and its rectangle in the target.
struct View {
  physics::Pose X_WC;  ///< camera: looks along −z, up is +y
  /// Tangents of the angles from the line of sight to the image's edges; left and down are negative. Of an
  /// orthographic view the distances of the edges from it [m].
  double left = -1, right = 1, down = -1, up = 1;
  double nearPlane = 0.01;                     ///< distance of the near clipping plane [m]
  double farPlane = 0;                         ///< likewise, of an orthographic view [m]; 0: perspective
  double x = 0, y = 0, width = 1, height = 1;  ///< rectangle in the target, from its top left corner, 0…1

  bool isOrthographic() const { return farPlane > 0; }
  /// From a point towards the camera, not normalized.
  physics::Vector3d toCamera(const physics::Vector3d& p_W) const {
    if (isOrthographic()) return X_WC.q * physics::Vector3d::UnitZ();
    return X_WC.p - p_W;
  }
  /// Lengths at this distance from the camera's plane [m], per unit of `left` … `up`.
  double spreadAt(double distance) const { return isOrthographic() ? 1 : distance; }
};

/// From the world to Vulkan's clip space (y down), with depth 1 at `nearPlane` and 0 at infinity; of an
/// orthographic view 0 at `farPlane`.
Eigen::Matrix4d viewProjection(const View& view);

/// The position of a point of the world as fractions of the view's rectangle from its top left corner, and
/// its distance from the camera's plane [m]. If that is ≤ 0, the point is behind the camera and the fractions
/// are invalid.
Eigen::Vector3d projected(const View& view, const physics::Vector3d& p_W);

}  // namespace tenon::xr
