// Rotations as the three angles that the panel shows.
#pragma once

#include <cmath>
#include <numbers>

#include "physics/math/pose.h"

namespace tenon::runtime {

/// The rotation about x, then y, then z of the world by these angles [rad].
inline physics::Quaterniond rotationOf(const physics::Vector3d& angles) {
  return physics::Quaterniond(Eigen::AngleAxisd(angles.z(), physics::Vector3d::UnitZ()) *
                              Eigen::AngleAxisd(angles.y(), physics::Vector3d::UnitY()) *
                              Eigen::AngleAxisd(angles.x(), physics::Vector3d::UnitX()));
}

/// Its inverse. With y at ±90° only x − z or x + z is determined (gimbal lock): x is 0 there.
inline physics::Vector3d anglesOf(const physics::Quaterniond& q) {
  constexpr double kLocked = 1e-6;  ///< cosine of y below which x and z are not separated [-]
  const Eigen::Matrix3d R = q.normalized().toRotationMatrix();
  const double cosine = std::hypot(R(2, 1), R(2, 2)), y = std::atan2(0 - R(2, 0), cosine);  // no −0
  if (cosine < kLocked) return {0, y, std::atan2(-R(0, 1), R(1, 1))};
  return {std::atan2(R(2, 1), R(2, 2)), y, std::atan2(R(1, 0), R(0, 0))};
}

}  // namespace tenon::runtime
