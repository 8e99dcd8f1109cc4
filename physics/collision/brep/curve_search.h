// Minima along a curve of a function of its points, and distances between curves.
#pragma once

#include <algorithm>

#include "physics/collision/brep/curve.h"
#include "physics/collision/revolved/circle.h"

namespace tenon::physics::brep {

/// Largest turn of the tangent along a quintic [rad]: that of a cell of a circle's grid.
inline constexpr double kLargestTurn = std::numbers::pi / 8;

/// A slope that is at most this part of the largest one is zero: at the joint of two pieces it has either
/// sign [-].
inline constexpr double kSlopeAtJoint = 1e-9;

/// Calls found(t) for the local minima ≤ `range` [m] along a circle, an arc or a quintic of a function whose
/// change is at most the arc length. slopeAt(point) has its derivatives by the curve's parameter. Nothing is
/// found where no slope exceeds `flat`.
template <class SlopeAt, class Found>
void forEachMinimumAlong(const Curve& curve, double range, double flat, const SlopeAt& slopeAt,
                         const Found& found) {
  const auto slopeOf = [&](double t) { return slopeAt(curve.pointAt(t)); };
  const double speed = curve.speed();
  if (curve.isCircle()) {
    const Grid grid = curve.isWhole() ? fullCircleGrid() : arcGrid(curve.range[0], curve.range[1]);
    return forEachMinimum(
        grid, curve.radius, range, flat,
        [&](std::size_t k) { return slopeAt(curve.pointAt(grid.cosine[k], grid.sine[k])); }, slopeOf, found);
  }
  const Slope from = slopeOf(curve.range[0]), to = slopeOf(curve.range[1]);
  const double largest =
      std::max({std::abs(from.first), std::abs(to.first), std::abs(from.second), std::abs(to.second)});
  if (largest <= flat) return;
  for (const auto& [t, slope] : {std::pair(curve.range[0], from), std::pair(curve.range[1], to)})
    if (slope.distance <= range && std::abs(slope.first) <= kSlopeAtJoint * largest && slope.second > 0)
      found(t);
  MinimumSearch search(speed, range, largest, slopeOf, found);
  search.cell(curve.range[0], from, curve.range[1], to);
}

/// Parameter of the point of a curve that is closest to `p` [m]: on a quintic of the nearest one, which may
/// lie beyond its ends.
double closestParameter(const Curve& curve, const Vector3d& p);

/// The distance of a point of a curve to the curve `to`, extended to a whole line or circle, with half of the
/// derivatives of its square along the first one.
Slope distanceBetween(const Curve& to, const CurvePoint& at);

}  // namespace tenon::physics::brep
