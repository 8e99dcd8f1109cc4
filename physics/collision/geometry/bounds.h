// Axis-aligned bounds.
#pragma once

#include <limits>

#include "physics/math/rigid_transform.h"

namespace tenon::physics {

/// Axis-aligned bounds. Empty by default.
struct Bounds {
  Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity());
  Vector3d high = Vector3d::Constant(-std::numeric_limits<double>::infinity());
};

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

/// True if the bounds are at most `distance` apart along each axis.
inline bool areWithin(const Bounds& a, const Bounds& b, double distance) {
  return ((a.low - b.high).array() <= distance).all() && ((b.low - a.high).array() <= distance).all();
}

/// Bounds in frame A of a box given in frame C; not tight for the content of the box.
inline Bounds rotatedBounds(const Bounds& bounds, const RigidTransform& X_AC) {
  const Vector3d center = X_AC.point(0.5 * (bounds.low + bounds.high));
  const Vector3d half = X_AC.R.cwiseAbs() * (0.5 * (bounds.high - bounds.low));
  return {center - half, center + half};
}

}  // namespace tenon::physics
