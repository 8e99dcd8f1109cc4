// A circle in space, and the local minima along it of the distance to simple features: planes, lines, points,
// other circles and the segments of a meridian. Each minimum is exact to rounding.
//
// The distance to a whole solid has kinks; the distance to one feature is smooth. Minima are therefore
// searched feature by feature, and the caller checks which of them belong to the solid's surface.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "physics/collision/revolved/meridian.h"

namespace tenon::physics {

/// Points center + radius (cos φ x + sin φ y).
struct Circle {
  Vector3d center = Vector3d::Zero();                                               ///< [m]
  Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), axis = Vector3d::UnitZ();  ///< unit, right-handed
  double radius = 0;                                                                ///< [m]

  Vector3d outward(double c, double s) const { return c * x + s * y; }
  Vector3d at(double c, double s) const { return center + radius * outward(c, s); }
  Vector3d tangent(double c, double s) const { return c * y - s * x; }  ///< unit
  double phase(const Vector3d& p) const { return std::atan2((p - center).dot(y), (p - center).dot(x)); }
};

/// The circle expressed in frame F, whose axes `R_CF` and origin `p_CF` are given in the circle's frame C.
Circle expressedIn(const Matrix3d& R_CF, const Vector3d& p_CF, const Circle& circle);

/// The minimized function at a point of a curve.
struct Slope {
  double distance = 0;           ///< to the feature [m]; its change is at most the arc length
  double first = 0, second = 0;  ///< derivatives with respect to the curve's parameter
};

/// Initial sample phases (or parameters of a line) of a curve.
struct Grid {
  static constexpr int kCells = 16;                       ///< around a circle; the most
  std::array<double, kCells + 1> at{}, cosine{}, sine{};  ///< ends of the cells
  std::size_t cells = kCells;
  double step = 0;
};
/// Sixteen cells around the circle; every second one begins at a fixed phase.
const Grid& fullCircleGrid();
/// Cells from phase `from` to `to` [rad]: as small as a full circle's, and at least four.
Grid arcGrid(double from, double to);

/// Fixed phases, evenly spaced from the circle's x.
inline constexpr int kPhases = 8;

/// Newton's method stops after a step this short [rad, or m along a line]: convergence is quadratic, so the
/// next step would be rounding, or noise where the slope is nearly constant.
inline constexpr double kNewtonStepTolerance = 1e-11;

/// Root of a slope that is negative at `low` and not at `high`, by bracketed Newton's method.
template <class SlopeAt>
double rootBetween(double low, double high, double start, SlopeAt slopeAt) {
  double t = start >= low && start <= high ? start : 0.5 * (low + high);
  for (int iteration = 0; iteration < 80; ++iteration) {
    const Slope f = slopeAt(t);
    (f.first < 0 ? low : high) = t;
    double next = t - f.first / f.second;
    // Also of a root that is already met: its bracket may have no number between t and the end near it.
    if (f.second > 0 && std::abs(next - t) <= kNewtonStepTolerance) return std::clamp(next, low, high);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double stepLength = std::abs(next - t);
    t = next;
    if (stepLength <= kNewtonStepTolerance) break;
  }
  return t;
}

/// Error of the cubic by which a slope is approximated in a cell, estimated from samples: for curves and
/// distances without a bound of their derivatives.
class SampledError {
 public:
  /// `largest`: of the slopes at the ends of the first cells.
  explicit SampledError(double largest) : margin_(kCubicError * largest) {}

  /// Of a cell of length `h`.
  double margin(double /*h*/) const { return margin_; }
  /// True if a closer bound was found, that of the cell from t0 to t1.
  bool refine(double /*t0*/, double /*t1*/) { return false; }
  SampledError ofHalf() const {
    SampledError half = *this;
    half.margin_ /= 16;
    ++half.depth_;
    return half;
  }
  /// True if the cell is not halved again.
  bool isNegligible(double /*h*/, double /*largest*/, const Slope& /*s0*/, const Slope& /*s1*/) const {
    return depth_ == kDepth;
  }

 private:
  static constexpr int kDepth = 5;
  /// h⁴ / 384 · 2⁴, for cells of a sixteenth of a turn and slopes with two periods around the circle [-].
  static constexpr double kCubicError = 1e-3;
  double margin_;
  int depth_ = 0;
};

/// Local minima with distance ≤ range along a curve of arc length `speed` [m] per unit of its parameter.
///
/// The signs of the slope at the ends of a cell are not sufficient: a minimum and a maximum in between
/// cancel. The slope is approximated by the cubic Hermite interpolant. If its Bernstein coefficients show,
/// beyond the error of interpolation, that it increases or keeps its sign, the cell has one minimum or none;
/// otherwise the cell is halved, until `Error` says that what it may hide does not matter.
template <class SlopeAt, class Found>
class MinimumSearch {
 public:
  MinimumSearch(double speed, double range, SlopeAt slopeAt, Found found)
      : speed_(speed), range_(range), slopeAt_(slopeAt), found_(found) {}

  template <class Error>
  void cell(double t0, const Slope& s0, double t1, const Slope& s1, Error error) {
    const double h = t1 - t0;
    if (0.5 * (s0.distance + s1.distance - speed_ * h) > range_) return;
    const double b0 = s0.first, b1 = b0 + h / 3 * s0.second, b3 = s1.first, b2 = b3 - h / 3 * s1.second;
    do {
      const double margin = error.margin(h);
      const bool isIncreasing = b1 - b0 > margin && b2 - b1 > margin && b3 - b2 > margin;
      const bool isDecreasing = b1 - b0 < -margin && b2 - b1 < -margin && b3 - b2 < -margin;
      const bool keepsSign = (std::min({b0, b1, b2, b3}) > margin) || (std::max({b0, b1, b2, b3}) < -margin);
      if (isDecreasing || (keepsSign && !isIncreasing)) return;
      if (isIncreasing) return addRoot(t0, b0, t1, b3);
    } while (error.refine(t0, t1));
    const double largest = std::max({std::abs(b0), std::abs(b1), std::abs(b2), std::abs(b3)});
    if (error.isNegligible(h, largest, s0, s1)) return addRoot(t0, b0, t1, b3);
    const double middle = 0.5 * (t0 + t1);
    const Slope s = slopeAt_(middle);
    const Error ofHalf = error.ofHalf();
    cell(t0, s0, middle, s, ofHalf);
    cell(middle, s, t1, s1, ofHalf);
  }

 private:
  void addRoot(double t0, double slope0, double t1, double slope1) {
    if (slope0 < 0 && slope1 >= 0)
      found_(rootBetween(t0, t1, t0 - (t1 - t0) * slope0 / (slope1 - slope0), slopeAt_));
  }

  double speed_, range_;
  SlopeAt slopeAt_;
  Found found_;
};

/// A point of a curve in the half-plane (ρ, z) through it, with derivatives by the curve's parameter.
struct MeridianPoint {
  double rho = 0, z = 0, dRho = 0, dZ = 0, ddRho = 0, ddZ = 0;
};
/// Projects a point and its derivatives, given in a frame whose z is the axis.
MeridianPoint inMeridian(const Vector3d& p, const Vector3d& dp, const Vector3d& ddp);

/// Grid points of a circle in the meridian half-planes of another axis.
struct CirclePoints {
  CirclePoints(const Circle& circle_M, const Grid& grid);
  MeridianPoint at(double cosine, double sine) const;
  MeridianPoint at(double phase) const { return at(std::cos(phase), std::sin(phase)); }

  const Circle& circle;
  const Grid& grid;
  std::array<MeridianPoint, Grid::kCells + 1> points;
};

}  // namespace tenon::physics
