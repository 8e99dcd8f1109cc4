// Minima along a curve of a function of its points, and distances between curves.
#pragma once

#include <algorithm>

#include "physics/collision/brep/face_minima.h"
#include "physics/collision/brep/surface.h"
#include "physics/collision/revolved/circle_bound.h"

namespace tenon::physics::brep {

/// Largest turn of the tangent along a quintic [rad]: that of a cell of a circle's grid.
inline constexpr double kLargestTurn = std::numbers::pi / 8;

/// A slope that is at most this part of the largest one is zero: at the joint of two pieces it has either
/// sign [-].
inline constexpr double kSlopeAtJoint = 1e-9;

/// Calls found(t) for the local minima ≤ `range` [m] along a circle, an arc or a quintic of a function whose
/// change is at most the arc length. slopeAt(point) has its derivatives by the curve's parameter; on circles
/// functionOf() bounds them. Nothing is found where no slope exceeds `flat`.
template <class SlopeAt, class FunctionOf, class Found>
void forEachMinimumAlong(const Curve& curve, double range, double flat, const SlopeAt& slopeAt,
                         const FunctionOf& functionOf, const Found& found) {
  const auto slopeOf = [&](double t) { return slopeAt(curve.pointAt(t)); };
  const double speed = curve.speed();
  if (curve.isCircle()) {
    const auto searchIn = [&](const Grid& grid) {
      forEachMinimum(
          grid, curve.radius, range, flat,
          [&](std::size_t k) { return slopeAt(curve.pointAt(grid.cosine[k], grid.sine[k])); }, slopeOf,
          functionOf, found);
    };
    return curve.isWhole() ? searchIn(fullCircleGrid()) : searchIn(arcGrid(curve.range[0], curve.range[1]));
  }
  const Slope from = slopeOf(curve.range[0]), to = slopeOf(curve.range[1]);
  const double largest =
      std::max({std::abs(from.first), std::abs(to.first), std::abs(from.second), std::abs(to.second)});
  if (largest <= flat) return;
  for (const auto& [t, slope] : {std::pair(curve.range[0], from), std::pair(curve.range[1], to)})
    if (slope.distance <= range && std::abs(slope.first) <= kSlopeAtJoint * largest && slope.second > 0)
      found(t);
  MinimumSearch search(speed, range, slopeOf, found);
  search.cell(curve.range[0], from, curve.range[1], to, SampledError(largest));
}

/// Parameter of the point of a curve that is closest to `p` [m]: on a quintic of the nearest one, which may
/// lie beyond its ends.
double closestParameter(const Curve& curve, const Vector3d& p);

/// The distance of a point of a curve to the curve `to`, extended to a whole line or circle, with half of the
/// derivatives of its square along the first one.
Slope distanceBetween(const Curve& to, const CurvePoint& at);

/// The signed distance of a point of a curve to a surface, in its frame, with derivatives along the curve: of
/// the distance, or of ± half the square of the distance to the circle of a torus, which is smooth there and
/// has the same minima.
Slope slopeTo(const Surface& surface, const CurvePoint& at);

/// What bounds distanceBetween() and slopeTo() along a circle. `to`: a line or a circle; `surface`: no free
/// form.
CircleFunction functionTo(const Curve& to, const Curve& circle);
CircleFunction functionTo(const Surface& surface, const Curve& circle);

/// Minima along a curve of its distance to `other`, extended to a whole line or circle, as
/// forEachMinimumAlong(); with `sign` −1 the maxima.
template <class Found>
void forEachMinimumTo(const Curve& other, const Curve& curve, double range, double sign, const Found& found) {
  forEachMinimumAlong(
      curve, range, kNoSlope * curve.speed() * curve.speed(),
      [&](const CurvePoint& at) {
        const Slope s = distanceBetween(other, at);
        return Slope{s.distance, sign * s.first, sign * s.second};
      },
      [&] { return functionTo(other, curve); }, found);
}

/// Minima along a curve of its signed distance to a surface, in the frame of which it is given: no free form.
template <class Found>
void forEachMinimumTo(const Surface& surface, const Curve& curve, double range, const Found& found) {
  const double unit = surface.kind == SurfaceKind::torus ? std::abs(surface.minor) : 1;
  forEachMinimumAlong(
      curve, range, kNoSlope * unit * curve.speed(),
      [&](const CurvePoint& at) { return slopeTo(surface, at); }, [&] { return functionTo(surface, curve); },
      found);
}

}  // namespace tenon::physics::brep
