// Each function minimizes one convex or unimodal distance function.
#include "physics/collision/geometry/closest_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tenon::physics {

SegmentParameters closestOnSegments(const Vector3d& p, const Vector3d& d, const Vector3d& q,
                                    const Vector3d& e) {
  const Vector3d r = p - q;
  const double a = d.squaredNorm(), c = e.squaredNorm(), f = e.dot(r);
  const auto unit = [](double x) { return std::clamp(x, 0.0, 1.0); };
  if (a <= 0 && c <= 0) return {0, 0};
  if (a <= 0) return {0, unit(f / c)};
  const double g = d.dot(r);
  if (c <= 0) return {unit(-g / a), 0};
  const double b = d.dot(e);
  const double denominator = a * c - b * b;
  // Parallel to rounding: s is arbitrary, t follows.
  const double s = denominator > 1e-14 * a * c ? unit((b * f - g * c) / denominator) : 0.0;
  const double t = (b * s + f) / c;
  if (t < 0) return {unit(-g / a), 0};
  if (t > 1) return {unit((b - g) / a), 1};
  return {s, t};
}

double ConicalSide::cosine() const {
  return 1 / std::sqrt(1 + slope * slope);
}

ConicalSideDistance distanceToSide(const ConicalSide& side, const Vector3d& p) {
  const Vector3d r = p - side.center;
  const double z = r.dot(side.axis);
  const Vector3d w = r - z * side.axis;
  const double rho = w.norm();
  ConicalSideDistance result;
  if (rho < 1e-12) return result;
  const double cosine = side.cosine();
  result.separation = (rho - side.midRadius - side.slope * z) * cosine;
  result.normal = (w / rho - side.slope * side.axis).normalized();  // near the axis w is not quite ⟂ to it
  result.height = z + result.separation * cosine * side.slope;
  result.valid = true;
  return result;
}

double closestToSide(const ConicalSide& side, const Vector3d& p, const Vector3d& d) {
  // ρ(t)² = a (t + m)² + c², radius(z(t)) = const + b t; the derivative a τ/ρ = b has one root.
  const Vector3d r = p - side.center;
  const Vector3d w = r - r.dot(side.axis) * side.axis;
  const double dz = d.dot(side.axis);
  const Vector3d dw = d - dz * side.axis;
  const double a = dw.squaredNorm();
  const double b = side.slope * dz;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (a <= 1e-24 * d.squaredNorm()) {
    if (b == 0) return std::numeric_limits<double>::quiet_NaN();
    return b > 0 ? kInfinity : -kInfinity;
  }
  if (a <= b * b) return b > 0 ? kInfinity : -kInfinity;
  const double m = w.dot(dw) / a;
  const double c = (w - m * dw).norm();
  return b * c / std::sqrt(a * (a - b * b)) - m;
}

bool clipToSpan(const ConicalSide& side, const Vector3d& p, const Vector3d& d, double& t0, double& t1) {
  const double z = (p - side.center).dot(side.axis);
  const double dz = d.dot(side.axis);
  if (std::abs(dz) <= 1e-15 * d.norm()) return std::abs(z) <= side.halfLength;
  const double ta = (-side.halfLength - z) / dz, tb = (side.halfLength - z) / dz;
  t0 = std::max(t0, std::min(ta, tb));
  t1 = std::min(t1, std::max(ta, tb));
  return t0 <= t1;
}

namespace {

// A circle against a side as a function of the phase φ: ρ(φ) − radius(z(φ)) and its derivatives.
struct CircleDistance {
  const ConicalSide& side;
  Vector3d center, u, v;
  double radius;

  Vector3d at(double phase) const { return center + radius * (std::cos(phase) * u + std::sin(phase) * v); }
  double value(double phase) const {
    const Vector3d r = at(phase) - side.center;
    const double z = r.dot(side.axis);
    return (r - z * side.axis).norm() - side.slope * z;
  }
  // Newton's method from `phase` while the function is convex. The result is a point of the circle in any
  // case.
  double minimumNear(double phase) const {
    const auto across = [&](const Vector3d& d) { return Vector3d(d - d.dot(side.axis) * side.axis); };
    for (int iteration = 0; iteration < 30; ++iteration) {
      const Vector3d out = std::cos(phase) * u + std::sin(phase) * v;
      const Vector3d turn = radius * (std::cos(phase) * v - std::sin(phase) * u);
      const Vector3d w = across(center + radius * out - side.center);
      const double rho = w.norm();
      if (rho < 1e-12) break;
      const double radialRate = w.dot(across(turn)) / rho;
      const double first = radialRate - side.slope * turn.dot(side.axis);
      const double second =
          (across(turn).squaredNorm() - radius * w.dot(across(out)) - radialRate * radialRate) / rho +
          side.slope * radius * out.dot(side.axis);
      if (second <= 0) break;
      const double change = std::clamp(-first / second, -0.2, 0.2);
      phase += change;
      if (std::abs(change) < 1e-15) break;
    }
    return phase;
  }
};

}  // namespace

int closestOnCircle(const ConicalSide& side, const Vector3d& center, const Vector3d& axis, double radius,
                    std::array<Vector3d, 2>& points) {
  const Vector3d foot = side.center + (center - side.center).dot(side.axis) * side.axis;
  const Vector3d towards = foot - center;
  Vector3d u = towards - towards.dot(axis) * axis;
  // Centered on the axis: coaxial circles have no closest phase; phases of tilted ones count from their
  // highest point.
  if (u.norm() < 1e-9) u = side.axis - side.axis.dot(axis) * axis;
  if (u.norm() < 1e-9) return 0;
  u.normalize();
  const CircleDistance circle{side, center, u, axis.cross(u), radius};
  constexpr int kSamples = 16;
  std::array<double, kSamples> value{};
  const auto phaseOf = [](int k) { return 2 * std::numbers::pi * k / kSamples - std::numbers::pi; };
  for (int k = 0; k < kSamples; ++k) value[static_cast<std::size_t>(k)] = circle.value(phaseOf(k));
  int count = 0;
  for (int k = 0; k < kSamples && count < 2; ++k) {
    const double here = value[static_cast<std::size_t>(k)];
    const double before = value[static_cast<std::size_t>((k + kSamples - 1) % kSamples)];
    const double after = value[static_cast<std::size_t>((k + 1) % kSamples)];
    if (here > before || here >= after) continue;
    points[static_cast<std::size_t>(count++)] = circle.at(circle.minimumNear(phaseOf(k)));
  }
  return count;
}

}  // namespace tenon::physics
