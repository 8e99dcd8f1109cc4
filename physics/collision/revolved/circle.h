// A circle in space, and the local minima along it of distances to simple features: planes, lines, points,
// other circles and the segments of a meridian. All smooth, each minimum to rounding.
//
// The distance to a whole solid has kinks; that to one feature has none. So minima are sought feature by
// feature, and whoever asks checks which of them are the solid's closest.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "physics/collision/revolved/meridian.h"

namespace tenon::physics {

/// Points centre + radius (cos φ x + sin φ y).
struct Circle {
  Vector3d center = Vector3d::Zero();                                               ///< [m]
  Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), axis = Vector3d::UnitZ();  ///< unit, right-handed
  double radius = 0;                                                                ///< [m]

  Vector3d outward(double c, double s) const { return c * x + s * y; }
  Vector3d at(double c, double s) const { return center + radius * outward(c, s); }
  Vector3d tangent(double c, double s) const { return c * y - s * x; }  ///< unit
  double phase(const Vector3d& p) const { return std::atan2((p - center).dot(y), (p - center).dot(x)); }
};

/// The circle seen from the frame F of columns `R_CF` and origin `p_CF` in the circle's frame C.
Circle expressedIn(const Matrix3d& R_CF, const Vector3d& p_CF, const Circle& circle);

/// What is minimised along a curve, at one of its points.
struct Slope {
  double distance = 0;           ///< to the feature [m]; changes by at most the way along the curve
  double first = 0, second = 0;  ///< derivatives of what is minimised, by the curve's parameter
};

/// Phases (or parameters of a line) at which a curve is looked at first.
struct Grid {
  static constexpr int kCells = 16;
  std::array<double, kCells + 1> at{}, cosine{}, sine{};  ///< the last closes the last cell
  double step = 0;
};
/// Sixteen cells round the circle; every other one begins at a fixed phase.
const Grid& fullCircleGrid();
/// Sixteen cells of the phases `from` to `to` [rad].
Grid arcGrid(double from, double to);

/// Fixed phases, evenly spaced from the circle's x.
inline constexpr int kPhases = 8;

/// Newton's steps square their error: after one this short [rad, or m along a line] the next would be
/// rounding. Waiting for shorter ones is waiting for noise where the slope is nearly flat.
inline constexpr double kNewtonStepTolerance = 1e-11;

/// Root of a slope that is negative at `low` and not at `high`, by Newton's method kept in its bracket.
template <class SlopeAt>
double rootBetween(double low, double high, double start, SlopeAt slopeAt) {
  double t = start > low && start < high ? start : 0.5 * (low + high);
  for (int pass = 0; pass < 80; ++pass) {
    const Slope f = slopeAt(t);
    (f.first < 0 ? low : high) = t;
    double next = t - f.first / f.second;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double moved = std::abs(next - t);
    t = next;
    if (moved <= kNewtonStepTolerance) break;
  }
  return t;
}

/// Local minima along a curve on which points move by `speed` [m] per unit of its parameter, with
/// distance ≤ range.
///
/// Slopes at the ends of a cell do not tell what is between: a minimum and a maximum leave no trace in
/// their signs. So the slope is taken for the cubic by its values and derivatives at the ends. Where that
/// one (by its Bernstein coefficients) rises or keeps its sign by more than its error, the cell holds one
/// minimum or none; else it is halved, kDepth times.
template <class SlopeAt, class Found>
class MinimumSearch {
 public:
  MinimumSearch(double speed, double range, double largest, SlopeAt slopeAt, Found found)
      : speed_(speed), range_(range), margin_(kCubicError * largest), slopeAt_(slopeAt), found_(found) {}

  void cell(double t0, const Slope& s0, double t1, const Slope& s1, int depth = 0, double margin = -1) {
    if (margin < 0) margin = margin_;
    const double h = t1 - t0;
    if (0.5 * (s0.distance + s1.distance - speed_ * h) > range_) return;
    const double b0 = s0.first, b1 = b0 + h / 3 * s0.second, b3 = s1.first, b2 = b3 - h / 3 * s1.second;
    const bool rises = b1 - b0 > margin && b2 - b1 > margin && b3 - b2 > margin;
    const bool falls = b1 - b0 < -margin && b2 - b1 < -margin && b3 - b2 < -margin;
    const bool keeps = (std::min({b0, b1, b2, b3}) > margin) || (std::max({b0, b1, b2, b3}) < -margin);
    if (falls || (keeps && !rises)) return;
    if (rises || depth == kDepth) {
      if (b0 < 0 && b3 >= 0) found_(rootBetween(t0, t1, t0 - h * b0 / (b3 - b0), slopeAt_));
      return;
    }
    const double middle = 0.5 * (t0 + t1);
    const Slope s = slopeAt_(middle);
    cell(t0, s0, middle, s, depth + 1, margin / 16);
    cell(middle, s, t1, s1, depth + 1, margin / 16);
  }

 private:
  static constexpr int kDepth = 5;
  /// h⁴ / 384 · 2⁴, for cells of a sixteenth of a turn and slopes with two periods round the circle [-].
  static constexpr double kCubicError = 1e-3;
  double speed_, range_, margin_;
  SlopeAt slopeAt_;
  Found found_;
};

/// Calls found(phase) for the local minima round a circle. `slopeOf(i)` tells the slope at the grid's points,
/// `slopeAt(phase)` anywhere; slopes below `noSlope` all round are rounding.
template <class SlopeOf, class SlopeAt, class Found>
void forEachMinimum(const Grid& grid, double radius, double range, double noSlope, SlopeOf slopeOf,
                    SlopeAt slopeAt, Found found) {
  std::array<Slope, Grid::kCells + 1> slopes;
  double largest = 0, least = slopeOf(0).distance;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    slopes[i] = slopeOf(i);
    largest = std::max(largest, std::abs(slopes[i].first));
    least = std::min(least, slopes[i].distance);
  }
  if (largest <= noSlope || least - 0.5 * radius * grid.step > range) return;
  MinimumSearch<SlopeAt, Found> search(radius, range, largest, slopeAt, found);
  for (std::size_t i = 0; i + 1 < slopes.size(); ++i)
    search.cell(grid.at[i], slopes[i], grid.at[i + 1], slopes[i + 1]);
}

/// A curve's point in a half-plane (ρ, z) that turns with it, and its derivatives.
struct MeridianPoint {
  double rho = 0, z = 0, dRho = 0, dZ = 0, ddRho = 0, ddZ = 0;
};
/// From a point of space and its derivatives, in the frame whose z is the axis.
MeridianPoint inMeridian(const Vector3d& p, const Vector3d& dp, const Vector3d& ddp);

/// A circle's points on a grid, in the meridian frame of another axis.
struct CirclePoints {
  CirclePoints(const Circle& circle_M, const Grid& grid);
  MeridianPoint at(double cosine, double sine) const;
  MeridianPoint at(double phase) const { return at(std::cos(phase), std::sin(phase)); }

  const Circle& circle;
  const Grid& grid;
  std::array<MeridianPoint, Grid::kCells + 1> points;
};

}  // namespace tenon::physics
