// The curve of an edge: a straight line or a circle, over a range of its parameter.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "physics/math/rigid_transform.h"

namespace tenon::physics::brep {

enum class CurveKind : char { line, circle };

/// A point of a curve with its derivatives by the parameter t.
struct CurvePoint {
  Vector3d p = Vector3d::Zero(), first = Vector3d::Zero(), second = Vector3d::Zero();
};

/// A line p + t x, or the circle p + radius (cos t x + sin t y).
struct Curve {
  CurveKind kind = CurveKind::line;
  Vector3d p = Vector3d::Zero();                          ///< a point of the line, or the circle's center [m]
  Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY();  ///< unit; a line's y has no meaning
  double radius = 0;                                      ///< [m]
  std::array<double, 2> range{};                          ///< of t [m or rad]; of a whole circle 2π long

  bool isLine() const { return kind == CurveKind::line; }
  bool isWhole() const { return !isLine() && range[1] - range[0] > 2 * std::numbers::pi - 1e-12; }
  Vector3d axis() const { return x.cross(y); }
  /// Arc length by unit of t [m or m/rad].
  double speed() const { return isLine() ? 1 : radius; }

  Vector3d at(double t) const {
    return isLine() ? Vector3d(p + t * x) : Vector3d(p + radius * (std::cos(t) * x + std::sin(t) * y));
  }
  Vector3d tangent(double t) const { return isLine() ? x : Vector3d(std::cos(t) * y - std::sin(t) * x); }
  CurvePoint pointAt(double t) const {
    if (isLine()) return {p + t * x, x, Vector3d::Zero()};
    return pointAt(std::cos(t), std::sin(t));
  }
  /// Of a circle, from the cosine and sine of t.
  CurvePoint pointAt(double cosine, double sine) const {
    const double c = radius * cosine, s = radius * sine;
    const Vector3d out = c * x + s * y;
    return {p + out, c * y - s * x, -out};
  }
  /// `t`, of a circle shifted by whole turns into the range if possible; false if it lies outside by more
  /// than `tolerance` [m].
  bool reaches(double& t, double tolerance) const {
    const double slack = tolerance / speed();
    if (!isLine()) {
      const double turn = 2 * std::numbers::pi;
      t -= turn * std::floor((t - range[0] + slack) / turn);
    }
    return t >= range[0] - slack && t <= range[1] + slack;
  }
};

/// `curve` given in frame B, in frame A of X_AB.
inline Curve placed(const RigidTransform& X_AB, const Curve& curve) {
  Curve moved = curve;
  moved.p = X_AB.point(curve.p);
  moved.x = X_AB.vector(curve.x);
  moved.y = X_AB.vector(curve.y);
  return moved;
}

}  // namespace tenon::physics::brep
