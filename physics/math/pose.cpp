// The exponential map of rotations and its inverse.
#include "physics/math/pose.h"

#include <cmath>

namespace tenon::physics {

Matrix3d skew(const Vector3d& a) {
  Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

Quaterniond exponential(const Vector3d& phi) {
  const double half = 0.5 * phi.norm();
  // sin(h)/h by its series near 0, where the quotient would lose digits; the next term is h^4/120.
  const double sinc = half < 1e-4 ? 1.0 - half * half / 6.0 : std::sin(half) / half;
  const Vector3d v = 0.5 * sinc * phi;
  return Quaterniond(std::cos(half), v.x(), v.y(), v.z()).normalized();
}

Vector3d logarithm(const Quaterniond& q) {
  // q and −q are the same rotation; the one with w ≥ 0 has the shorter angle.
  const double sign = q.w() < 0 ? -1.0 : 1.0;
  const Vector3d v = sign * q.vec();
  const double s = v.norm();
  const double angle = 2.0 * std::atan2(s, sign * q.w());
  return s < 1e-12 ? Vector3d(2.0 * v) : Vector3d(angle / s * v);
}

Matrix3d leftJacobian(const Vector3d& phi) {
  const double squared = phi.squaredNorm(), theta = std::sqrt(squared);
  // (1 − cos θ)/θ² and (θ − sin θ)/θ³; below kSmallAngle by their series, to rounding.
  constexpr double kSmallAngle = 1e-2;
  double a = 0, b = 0;
  if (theta < kSmallAngle) {
    a = 0.5 - squared / 24 * (1 - squared / 30);
    b = (1 - squared / 20 * (1 - squared / 42)) / 6;
  } else {
    const double half = std::sin(0.5 * theta);
    a = 2 * half * half / squared;
    b = (theta - std::sin(theta)) / (theta * squared);
  }
  const Matrix3d cross = skew(phi);
  return Matrix3d::Identity() + a * cross + b * cross * cross;
}

Quaterniond shortestRotation(const Vector3d& from, const Vector3d& to) {
  const Vector3d a = from.normalized(), b = to.normalized();
  const double c = b.dot(a);
  // Nearly opposite: the formula divides by almost 0. First a half turn about an axis perpendicular to a,
  // then the rest.
  if (c < -1.0 + 1e-12) {
    const Vector3d across = a.unitOrthogonal();
    return shortestRotation(-a, b) * Quaterniond(0, across.x(), across.y(), across.z());
  }
  const Vector3d axis = a.cross(b);
  const double s = std::sqrt((1.0 + c) * 2.0);
  const double scale = 1.0 / s;
  return {s * 0.5, axis.x() * scale, axis.y() * scale, axis.z() * scale};
}

Pose advance(const Pose& X, const Vector3d& v, const Vector3d& omega, double dt) {
  return {(exponential(dt * omega) * X.q).normalized(), X.p + dt * v};
}

}  // namespace tenon::physics
