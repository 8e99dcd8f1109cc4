// Distances in the half-planes of the two solids of revolution; extremes along circles by sampling and
// golden sections.
#include "tests/support/exact_bore.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/golden_section.h"

namespace tenon::tests {
namespace {

using Eigen::Vector2d;
using physics::Pose;
using physics::Vector3d;

constexpr int kPhases = 96;
/// A peak is flat: half the digits of the phase give all of its height [rad].
constexpr double kPhaseWidth = 1e-8;

double toSegment(const Vector2d& q, const Vector2d& a, const Vector2d& b) {
  const Vector2d d = b - a;
  return (q - a - std::clamp((q - a).dot(d) / d.squaredNorm(), 0.0, 1.0) * d).norm();
}

// Depth in the material, negative outside.
double exactDepthInBlock(const PegAndBore& fit, const Vector3d& p) {
  const double far = 10 * (fit.boreRadius + fit.height);
  const Vector2d q(std::hypot(p.x(), p.y()), p.z());
  const double mouth = fit.boreRadius + fit.chamfer;
  const std::array<Vector2d, 5> outline{Vector2d(far, 0), Vector2d(mouth, 0),
                                        Vector2d(fit.boreRadius, -fit.chamfer),
                                        Vector2d(fit.boreRadius, -fit.height), Vector2d(far, -fit.height)};
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k + 1 < outline.size(); ++k)
    nearest = std::min(nearest, toSegment(q, outline[k], outline[k + 1]));
  const double bore = fit.boreRadius + std::max(0.0, q.y() + fit.chamfer);
  const bool inside = q.y() < 0 && q.y() > -fit.height && q.x() > bore;
  return inside ? nearest : -nearest;
}

// Depth in the peg (its own frame), negative outside; not a distance there.
double exactDepthInPeg(const PegAndBore& fit, const Vector3d& p) {
  return std::min({fit.pegRadius - std::hypot(p.x(), p.y()), p.z(), fit.pegLength - p.z()});
}

// Greatest value of f(phase) on a circle of `radius` [m], if above 0, else anything not above 0.
template <class F>
double greatestOnCircle(const F& f, double radius) {
  constexpr double kStep = 2 * std::numbers::pi / kPhases;
  std::array<double, kPhases> value;
  for (int k = 0; k < kPhases; ++k) value[static_cast<std::size_t>(k)] = f(k * kStep);
  double best = *std::max_element(value.begin(), value.end());
  for (int k = 0; k < kPhases; ++k) {
    const auto at = [&](int j) { return value[static_cast<std::size_t>((j + kPhases) % kPhases)]; };
    // Depths change by no more than the way: what is too low cannot become the greatest.
    if (at(k) < at(k - 1) || at(k) < at(k + 1) || at(k) + kStep * radius < std::max(best, 0.0)) continue;
    best = std::max(best, test::greatestBetween((k - 1) * kStep, (k + 1) * kStep, kPhaseWidth, f));
  }
  return best;
}

Vector3d onCircle(double radius, double z, double phase) {
  return {radius * std::cos(phase), radius * std::sin(phase), z};
}

}  // namespace

double overlap(const PegAndBore& fit, const Pose& X_WP) {
  if (!X_WP.isFinite()) return std::numeric_limits<double>::quiet_NaN();
  const Pose X_PW = X_WP.inverse();
  double deepest = 0;
  for (const double z : {0.0, fit.pegLength}) {
    if ((X_WP * Vector3d(0, 0, z)).z() > fit.pegRadius) continue;  // all of the rim is above the block
    const auto depth = [&](double phase) {
      return exactDepthInBlock(fit, X_WP * onCircle(fit.pegRadius, z, phase));
    };
    deepest = std::max(deepest, greatestOnCircle(depth, fit.pegRadius));
  }
  const auto look = [&](double radius, double z) {
    const auto depth = [&](double phase) { return exactDepthInPeg(fit, X_PW * onCircle(radius, z, phase)); };
    deepest = std::max(deepest, greatestOnCircle(depth, radius));
  };
  look(fit.boreRadius + fit.chamfer, 0);
  look(fit.boreRadius, -fit.chamfer);
  look(fit.boreRadius, -fit.height);
  return deepest;
}

}  // namespace tenon::tests
