// A bound of the derivatives of the distance along a circle, by which the search for its minima is certified.
#pragma once

#include "physics/collision/revolved/circle.h"

namespace tenon::physics {

/// The function of the phase φ that a search minimizes along a circle, up to a constant: f = T − K √S with
/// trigonometric polynomials T and S of degree 2, of which S ≥ 0 is the square of the distance ρ from an
/// axis. With the circle's points p in the frame of that axis (z):
///
/// - the distance to a plane, cylinder or cone, a z + b ρ: T = a z, K = −b;
/// - that to a sphere about the origin, b |p|: T = 0, K = −b, and S = |p|²;
/// - half the square of the distance to a circle of radius R about the axis: T = ½|p|², K = R;
/// - half the square of the distance to a line: T, and K = 0.
struct CircleFunction {
  /// Coefficients of cos φ, sin φ, cos 2φ and sin 2φ.
  struct Waves {
    double cosine1 = 0, sine1 = 0, cosine2 = 0, sine2 = 0;
  };
  Waves T, S;
  double K = 0;
  double mean = 0;      ///< of S [m²]
  double radius = 0;    ///< of the circle [m]
  double rounding = 0;  ///< bound of the rounding of slopes [unit of f]
  /// f is half of the square of a distance: that of the slopes of the search, or of a torus
  /// sign · distance + tube.
  bool isSquared = false;
  double sign = 1, tube = 0;

  /// The circle in the frame of the axis.
  static CircleFunction toFlank(const Circle& circle, double a, double b);
  static CircleFunction toSphere(const Circle& circle, double b);
  static CircleFunction toCircle(const Circle& circle, double R);
  /// `circle` relative to a point of the line of this unit direction, in any frame.
  static CircleFunction toLine(const Circle& circle, const Vector3d& direction);
};

/// Bounds the interpolation of f′ by that of its fourth derivative. Minima with less than kHidden to the
/// lower one of the maxima beside them may be hidden, others are not [m].
class CertifiedError {
 public:
  static constexpr double kHidden = 1e-10;

  explicit CertifiedError(const CircleFunction& function);

  /// Of a cell of length `h` [rad]: |f′ − H| ≤ h⁴ M/384 and |f″ − H′| ≤ √3 h³ M/216 for the cubic H with the
  /// slopes and derivatives at both ends, where |f⁽⁵⁾| ≤ M; and by a third of h the latter is that of
  /// differences of its Bernstein coefficients.
  double margin(double h) const {
    constexpr double kCubic = 2.68e-3;  // > √3/648 > 1/384
    return kCubic * (h * h) * (h * h) * fifth_ + function_->rounding;
  }
  bool refine(double t0, double t1);
  CertifiedError ofHalf() const {
    CertifiedError half = *this;
    half.isRefined_ = false;
    return half;
  }
  /// `largest`: of the Bernstein coefficients.
  bool isNegligible(double h, double largest, const Slope& s0, const Slope& s1) const {
    // d₁² − d₀² ≤ 2 ΔF, and d₁ + d₀ is at least the distance at an end, or d₁ − d₀.
    const auto root = [&](const Slope& s) { return function_->sign * s.distance + function_->tube; };
    const double scale = function_->isSquared ? 0.5 * std::max({root(s0), root(s1), kHidden}) : 1;
    return function_->radius * h <= kHidden || h * (largest + margin(h)) <= kHidden * scale;
  }

 private:
  const CircleFunction* function_;
  double fifth_;            // bound of |f⁽⁵⁾|
  bool isRefined_ = false;  // by the bounds of the cell itself
};

/// Calls found(phase) for the local minima around a circle. `slopeOf(i)` returns the slope at grid point i,
/// `slopeAt(phase)` anywhere, `functionOf()` the function that bounds their derivatives. Nothing is found if
/// no slope exceeds `slopeTolerance`.
template <class SlopeOf, class SlopeAt, class FunctionOf, class Found>
void forEachMinimum(const Grid& grid, double radius, double range, double slopeTolerance, SlopeOf slopeOf,
                    SlopeAt slopeAt, FunctionOf functionOf, Found found) {
  std::array<Slope, Grid::kCells + 1> slopes;
  double largest = 0, smallestDistance = slopeOf(0).distance;
  for (std::size_t i = 0; i <= grid.cells; ++i) {
    slopes[i] = slopeOf(i);
    largest = std::max(largest, std::abs(slopes[i].first));
    smallestDistance = std::min(smallestDistance, slopes[i].distance);
  }
  if (largest <= slopeTolerance || smallestDistance - 0.5 * radius * grid.step > range) return;
  MinimumSearch<SlopeAt, Found> search(radius, range, slopeAt, found);
  const CircleFunction function = functionOf();
  const CertifiedError error(function);
  for (std::size_t i = 0; i < grid.cells; ++i)
    search.cell(grid.at[i], slopes[i], grid.at[i + 1], slopes[i + 1], error);
}

}  // namespace tenon::physics
