// Axis-aligned bounds, and rigid transforms with a rotation matrix.
#pragma once

#include <limits>

#include "physics/math/pose.h"

namespace tenon::physics {

/// Axis-aligned bounds. Empty by default.
struct Bounds {
  Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity());
  Vector3d high = Vector3d::Constant(-std::numeric_limits<double>::infinity());
};

/// Rigid transform with its rotation as a matrix: p_A = R p_B + p.
struct RigidTransform {
  Matrix3d R = Matrix3d::Identity();
  Vector3d p = Vector3d::Zero();
  Vector3d point(const Vector3d& q) const { return R * q + p; }
  Vector3d vector(const Vector3d& d) const { return R * d; }
  RigidTransform inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

/// X_AB from X_WA and X_WB; its accuracy does not depend on the distance from the world's origin.
RigidTransform relative(const Pose& X_WA, const Pose& X_WB);

inline void include(Bounds& bounds, const Bounds& more) {
  bounds.low = bounds.low.cwiseMin(more.low);
  bounds.high = bounds.high.cwiseMax(more.high);
}

inline Bounds grown(const Bounds& bounds, double by) {
  return {bounds.low - Vector3d::Constant(by), bounds.high + Vector3d::Constant(by)};
}

/// True if the bounds overlap or touch.
inline bool overlap(const Bounds& a, const Bounds& b) {
  return a.low.x() <= b.high.x() && b.low.x() <= a.high.x() && a.low.y() <= b.high.y() &&
         b.low.y() <= a.high.y() && a.low.z() <= b.high.z() && b.low.z() <= a.high.z();
}

/// Bounds in frame A of a box given in frame C; not tight for the content of the box.
inline Bounds rotatedBounds(const Bounds& bounds, const RigidTransform& X_AC) {
  const Vector3d center = X_AC.point(0.5 * (bounds.low + bounds.high));
  const Vector3d half = X_AC.R.cwiseAbs() * (0.5 * (bounds.high - bounds.low));
  return {center - half, center + half};
}

}  // namespace tenon::physics
