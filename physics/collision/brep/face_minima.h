// What the kernels of faces share: when a point is a minimum, and which number its contact has.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/collision/brep/curve.h"
#include "physics/collision/geometry/surface.h"

namespace tenon::physics::brep {

/// A second derivative of the distance above −this counts as a minimum: flat directions belong to flush
/// surfaces [1/m].
inline constexpr double kFlatCurvature = 1e-6;
/// A whole circle's slope that is smaller everywhere, relative to its radius, is rounding [-].
inline constexpr double kNoSlope = 1e-13;
/// Fixed points on circles, evenly spaced.
inline constexpr int kFixedPhases = 8;
/// On a plane a circle has its deepest point as a contact if that is deeper than all fixed points may be by
/// this [m], where they are farthest from it: of one that lies flat its place is rounding.
inline constexpr double kSameDepth = 1e-11;
/// 1 − cos of half the angle between fixed points [-].
inline constexpr double kRiseToFixedPhase = 0.07612046748871326;
/// Ordinal of a minimum, above those of the fixed phases.
inline constexpr int kMinimumOrdinal = 16;

/// The circle in the middle of the tube, in the frame of the torus.
inline Curve circleOf(const Surface& torus) {
  Curve circle;
  circle.kind = CurveKind::circle;
  circle.radius = torus.radius;
  circle.range = {0, 2 * std::numbers::pi};
  return circle;
}

/// Of a minimum at `t` [rad] around a circle: its number.
inline int eighthOf(double t) {
  return static_cast<int>(std::clamp(4 * t / std::numbers::pi, 0.0, 8.0));
}

/// The least eigenvalue of a symmetric matrix on the plane ⟂ n.
inline double leastAcross(const Matrix3d& hessian, const Vector3d& n) {
  const Vector3d t1 = n.unitOrthogonal(), t2 = n.cross(t1);
  const double a = t1.dot(hessian * t1), b = t1.dot(hessian * t2), c = t2.dot(hessian * t2);
  return 0.5 * (a + c) - std::hypot(0.5 * (a - c), b);
}

}  // namespace tenon::physics::brep
