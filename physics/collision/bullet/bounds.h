// Operations on axis-aligned bounds.
#pragma once

#include "physics/collision/convex_part.h"

namespace tenon::physics::bullet {

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

}  // namespace tenon::physics::bullet
