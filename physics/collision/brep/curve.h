// The curve of an edge: a straight line, a circle, or a short piece of another curve, over a range of its
// parameter.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "physics/math/rigid_transform.h"

namespace tenon::physics::brep {

enum class CurveKind : char { line, circle, quintic };

/// A point of a curve with its derivatives by the parameter t.
struct CurvePoint {
  Vector3d p = Vector3d::Zero(), first = Vector3d::Zero(), second = Vector3d::Zero();
};

/// A line p + t x, the circle p + radius (cos t x + sin t y), or a polynomial of degree 5 over 0 … 1 by its
/// Bézier points.
struct Curve {
  CurveKind kind = CurveKind::line;
  Vector3d p = Vector3d::Zero();                          ///< a point of the line, or the circle's center [m]
  std::array<double, 2> range{};                          ///< of t [m, rad or 1]; of a whole circle 2π long
  Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY();  ///< unit; a line's y has no meaning
  double radius = 0;                                      ///< of a circle [m]
  std::array<Vector3d, 6> bezier = {Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero(),
                                    Vector3d::Zero(), Vector3d::Zero()};  ///< of a quintic [m]
  double largestSpeed = 0;  ///< of a quintic: bound of the arc length by unit of t [m]

  bool isLine() const { return kind == CurveKind::line; }
  bool isCircle() const { return kind == CurveKind::circle; }
  bool isWhole() const { return isCircle() && range[1] - range[0] > 2 * std::numbers::pi - 1e-12; }
  Vector3d axis() const { return x.cross(y); }
  /// Arc length by unit of t [m or m/rad]; its bound on a quintic.
  double speed() const { return isLine() ? 1 : isCircle() ? radius : largestSpeed; }

  Vector3d at(double t) const {
    if (isLine()) return p + t * x;
    if (isCircle()) return p + radius * (std::cos(t) * x + std::sin(t) * y);
    return pointAt(t).p;
  }
  /// Unit.
  Vector3d tangent(double t) const {
    if (isLine()) return x;
    if (isCircle()) return std::cos(t) * y - std::sin(t) * x;
    return pointAt(t).first.normalized();
  }
  CurvePoint pointAt(double t) const {
    if (isLine()) return {p + t * x, x, Vector3d::Zero()};
    if (isCircle()) return pointAt(std::cos(t), std::sin(t));
    return bezierPoint(t);
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
    if (isCircle()) {
      const double turn = 2 * std::numbers::pi;
      t -= turn * std::floor((t - range[0] + slack) / turn);
    }
    return t >= range[0] - slack && t <= range[1] + slack;
  }

 private:
  // By de Casteljau's scheme, whose last points give the derivatives.
  CurvePoint bezierPoint(double t) const {
    std::array<Vector3d, 6> b = bezier;
    for (std::size_t left = 5; left > 2; --left)
      for (std::size_t k = 0; k < left; ++k) b[k] += t * (b[k + 1] - b[k]);
    const Vector3d d0 = b[1] - b[0], d1 = b[2] - b[1];
    const Vector3d q0 = b[0] + t * d0, dq = d0 + t * (d1 - d0);
    return {q0 + t * dq, 5 * dq, 20 * (d1 - d0)};
  }
};

/// `curve` given in frame B, in frame A of X_AB.
inline Curve placed(const RigidTransform& X_AB, const Curve& curve) {
  Curve moved = curve;
  if (curve.kind == CurveKind::quintic) {
    for (Vector3d& b : moved.bezier) b = X_AB.point(b);
    return moved;
  }
  moved.p = X_AB.point(curve.p);
  moved.x = X_AB.vector(curve.x);
  moved.y = X_AB.vector(curve.y);
  return moved;
}

/// The straight line between two points [m]; without length where they are one.
inline Curve lineBetween(const Vector3d& from, const Vector3d& to) {
  Curve line;
  line.p = from;
  line.x = (to - from).normalized();
  line.y = line.x.unitOrthogonal();
  line.range = {0, (to - from).norm()};
  return line;
}

/// The quintic from one point to another with these unit tangents and curvature vectors [1/m], such that its
/// parameter runs at nearly constant speed.
Curve quinticBetween(const Vector3d& p0, const Vector3d& tangent0, const Vector3d& curvature0,
                     const Vector3d& p1, const Vector3d& tangent1, const Vector3d& curvature1);

}  // namespace tenon::physics::brep
