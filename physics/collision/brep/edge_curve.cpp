// See edge_curve.h.
#include "physics/collision/brep/edge_curve.h"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace tenon::physics::brep {
namespace {

constexpr double kFullCircle = 2 * std::numbers::pi;
/// Deviation of a point from its curve [m]: that of surfaces that meet at rounded angles.
constexpr double kOnCurve = 1e-9;
/// Sine of the angle between parallel axes [-].
constexpr double kParallel = 1e-9;

struct Axis {
  Vector3d p = Vector3d::Zero(), direction = Vector3d::UnitZ();
  Vector3d x = Vector3d::UnitX();  ///< not along the axis
};

/// The axis about which both surfaces could turn; of a sphere and another surface, through both of their
/// middles.
std::optional<Axis> axisOf(const Surface& one, const Surface& other) {
  const Vector3d z = one.X_BS.R.col(2);
  if (one.kind == SurfaceKind::plane) return std::nullopt;
  if (one.kind != SurfaceKind::sphere) return Axis{one.X_BS.p, z, one.X_BS.R.col(0)};
  if (other.kind == SurfaceKind::plane) return Axis{one.X_BS.p, other.X_BS.R.col(2), other.X_BS.R.col(0)};
  const Vector3d between = other.X_BS.p - one.X_BS.p;
  if (other.kind != SurfaceKind::sphere || !(between.norm() > kOnCurve)) return std::nullopt;
  return Axis{one.X_BS.p, between.normalized(), between.unitOrthogonal()};
}

std::optional<Curve> circleAbout(const Axis& axis, std::span<const Vector3d> points, bool isClosed) {
  const auto height = [&](const Vector3d& p) { return axis.direction.dot(p - axis.p); };
  const double z = height(points.front());
  const Vector3d center = axis.p + z * axis.direction;
  const Vector3d first = points.front() - center;
  Curve circle;
  circle.kind = CurveKind::circle;
  circle.p = center;
  circle.radius = first.norm();
  if (!(circle.radius > kOnCurve)) return std::nullopt;
  circle.x = (first - first.dot(axis.direction) * axis.direction).normalized();
  circle.y = axis.direction.cross(circle.x);
  double turned = 0, before = 0;
  for (const Vector3d& p : points.subspan(1)) {
    const Vector3d q = p - center;
    if (std::abs(height(p) - z) > kOnCurve || std::abs(q.norm() - circle.radius) > kOnCurve)
      return std::nullopt;
    const double angle = std::atan2(q.dot(circle.y), q.dot(circle.x));
    turned += std::remainder(angle - before, kFullCircle);
    before = angle;
  }
  if (isClosed) {  // begins where the surface's own angle does
    circle.x = (axis.x - axis.x.dot(axis.direction) * axis.direction).normalized();
    circle.y = axis.direction.cross(circle.x);
    circle.range = {0, kFullCircle};
    return circle;
  }
  // From a corner all the way back to it.
  if ((points.back() - points.front()).norm() <= kOnCurve) turned = std::copysign(kFullCircle, turned);
  if (turned < 0) circle.y = -circle.y;
  circle.range = {0, std::abs(turned)};
  return circle;
}

std::optional<Curve> lineThrough(std::span<const Vector3d> points) {
  const Vector3d along = points.back() - points.front();
  Curve line;
  line.p = points.front();
  line.x = along.normalized();
  line.y = line.x.unitOrthogonal();
  line.range = {0, along.norm()};
  if (!(line.range[1] > 0)) return std::nullopt;
  for (const Vector3d& p : points)
    if ((p - line.p).cross(line.x).norm() > kOnCurve) return std::nullopt;
  return line;
}

}  // namespace

std::optional<Curve> curveBetween(std::span<const Vector3d> points, bool isClosed, const Surface& left,
                                  const Surface& right) {
  for (const auto& [one, other] : {std::pair(&left, &right), std::pair(&right, &left)}) {
    const auto axis = axisOf(*one, *other);
    if (!axis) continue;
    if (auto circle = circleAbout(*axis, points, isClosed)) return circle;
  }
  // Planes at 0.5 nm from their triangles meet in lines; a cylinder and a cone in lines along their axis.
  return lineThrough(points);
}

bool addBorder(Face& face, const Curve& curve) {
  const Surface& s = face.surface;
  const RigidTransform toSurface = s.X_BS.inverse();
  const Curve c = placed(toSurface, curve);
  const Vector3d from = c.at(c.range[0]), to = c.at(c.range[1]);
  const double length = c.range[1] - c.range[0];
  if (s.kind == SurfaceKind::plane) {
    if (c.isLine()) {
      face.trim.addLine(from.head<2>(), to.head<2>());
      return true;
    }
    if (c.axis().head<2>().norm() > kParallel) return false;
    const Vector2d center = c.p.head<2>(), start = from.head<2>() - center;
    const double angle = std::atan2(start.y(), start.x());
    if (c.axis().z() > 0)
      face.trim.addArc(center, c.radius, angle, angle + length);
    else
      face.trim.addArc(center, c.radius, angle - length, angle);
    return true;
  }
  if (s.kind == SurfaceKind::torus) return false;
  Vector2d a = parametersOf(s, from), b = parametersOf(s, to);
  if (c.isLine()) {
    if (s.kind == SurfaceKind::sphere || std::abs(c.x.x() * from.y() - c.x.y() * from.x()) > kOnCurve)
      return false;
    // The same half plane through the axis; at the tip of a cone the angle is that of the other end.
    a.x() = b.x() = from.head<2>().norm() > to.head<2>().norm() ? a.x() : b.x();
  } else {
    if (c.axis().head<2>().norm() > kParallel || c.p.head<2>().norm() > kOnCurve) return false;
    const double expected = a.x() + std::copysign(length, c.axis().z());
    b.x() += kFullCircle * std::round((expected - b.x()) / kFullCircle);
    b.y() = a.y();
  }
  face.trim.addLine(a, b);
  return true;
}

}  // namespace tenon::physics::brep
