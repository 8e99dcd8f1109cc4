// See curve_search.h, and the quintic of two points with their derivatives.
#include "physics/collision/brep/curve_search.h"

#include <cassert>

namespace tenon::physics::brep {
namespace {

// Half of the derivatives of the squared distance from p along a curve.
Slope squaredDistance(const CurvePoint& at, const Vector3d& p) {
  const Vector3d q = at.p - p;
  return {q.norm(), q.dot(at.first), at.first.squaredNorm() + q.dot(at.second)};
}

// The circle in a frame about the unit `axis` through `origin`.
Circle inFrameOf(const Vector3d& origin, const Vector3d& x, const Vector3d& y, const Vector3d& axis,
                 const Curve& circle) {
  const auto local = [&](const Vector3d& v) { return Vector3d(v.dot(x), v.dot(y), v.dot(axis)); };
  return {local(circle.p - origin), local(circle.x), local(circle.y), local(circle.axis()), circle.radius};
}

}  // namespace

double closestParameter(const Curve& curve, const Vector3d& p) {
  const Vector3d q = p - curve.p;
  if (curve.isLine()) return q.dot(curve.x);
  if (curve.isCircle()) return std::atan2(q.dot(curve.y), q.dot(curve.x));
  const auto slopeAt = [&](double t) { return squaredDistance(curve.pointAt(t), p); };
  const auto [from, to] = curve.range;
  const Slope first = slopeAt(from), last = slopeAt(to);
  // Beyond an end, to first order.
  const auto step = [](const Slope& s) {
    return s.first == 0 ? 0 : -s.first / std::max(s.second, std::abs(s.first));
  };
  if (first.first >= 0) return from + step(first);
  if (last.first <= 0) return to + step(last);
  return rootBetween(from, to, from - (to - from) * first.first / (last.first - first.first), slopeAt);
}

Slope distanceBetween(const Curve& to, const CurvePoint& at) {
  const Vector3d p = at.p - to.p;
  if (to.isLine()) {
    const Vector3d q = p - p.dot(to.x) * to.x, dq = at.first - at.first.dot(to.x) * to.x;
    return {q.norm(), q.dot(dq), dq.squaredNorm() + q.dot(at.second)};
  }
  if (to.isCircle()) {
    const Vector3d axis = to.axis();
    const auto local = [&](const Vector3d& v) { return Vector3d(v.dot(to.x), v.dot(to.y), v.dot(axis)); };
    const MeridianPoint m = inMeridian(local(p), local(at.first), local(at.second));
    const double out = m.rho - to.radius;
    return {std::sqrt(out * out + m.z * m.z), out * m.dRho + m.z * m.dZ,
            m.dRho * m.dRho + out * m.ddRho + m.dZ * m.dZ + m.z * m.ddZ};
  }
  const CurvePoint other = to.pointAt(closestParameter(to, at.p));
  const Slope along = squaredDistance(at, other.p), across = squaredDistance(other, at.p);
  const double mixed = at.first.dot(other.first);
  return {along.distance, along.first,
          across.second > 0 ? along.second - mixed * mixed / across.second : along.second};
}

Slope slopeTo(const Surface& surface, const CurvePoint& at) {
  if (surface.kind == SurfaceKind::torus) {
    const MeridianPoint m = inMeridian(at.p, at.first, at.second);
    const double out = m.rho - surface.radius, side = surface.side;
    return {side * (std::sqrt(out * out + m.z * m.z) - surface.minor), side * (out * m.dRho + m.z * m.dZ),
            side * (m.dRho * m.dRho + out * m.ddRho + m.dZ * m.dZ + m.z * m.ddZ)};
  }
  const DistanceSlope d = slopeAlong(surface, at.p, at.first, at.second);
  return {d.value, d.first, d.second};
}

CircleFunction functionTo(const Curve& to, const Curve& circle) {
  assert(to.isLine() || to.isCircle());
  if (to.isLine())
    return CircleFunction::toLine(
        inFrameOf(to.p, Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ(), circle), to.x);
  return CircleFunction::toCircle(inFrameOf(to.p, to.x, to.y, to.axis(), circle), to.radius);
}

CircleFunction functionTo(const Surface& surface, const Curve& circle) {
  assert(surface.kind != SurfaceKind::freeform);
  const Circle own{circle.p, circle.x, circle.y, circle.axis(), circle.radius};
  const double side = surface.side;
  switch (surface.kind) {
    case SurfaceKind::cylinder:
    case SurfaceKind::cone: {
      const double k = surface.kind == SurfaceKind::cone ? surface.slope : 0;
      const double cosine = side / std::sqrt(1 + k * k);
      return CircleFunction::toFlank(own, -k * cosine, cosine);
    }
    case SurfaceKind::sphere:
      return CircleFunction::toSphere(own, side);
    case SurfaceKind::torus: {
      CircleFunction f = CircleFunction::toCircle(own, surface.radius);
      f.sign = side;
      f.tube = surface.minor;
      return f;
    }
    case SurfaceKind::plane:
    case SurfaceKind::freeform:
      break;
  }
  return CircleFunction::toFlank(own, side, 0);
}

Curve quinticBetween(const Vector3d& p0, const Vector3d& tangent0, const Vector3d& curvature0,
                     const Vector3d& p1, const Vector3d& tangent1, const Vector3d& curvature1) {
  const double chord = (p1 - p0).norm();
  const double half = 0.5 * std::atan2(tangent0.cross(tangent1).norm(), tangent0.dot(tangent1));
  const double length = half > 0 ? chord * half / std::sin(half) : chord;  // of an arc with this turn
  Curve c;
  c.kind = CurveKind::quintic;
  c.range = {0, 1};
  const Vector3d d0 = length / 5 * tangent0, d1 = length / 5 * tangent1;
  const Vector3d dd0 = length * length / 20 * curvature0, dd1 = length * length / 20 * curvature1;
  c.bezier = {p0, p0 + d0, p0 + 2 * d0 + dd0, p1 - 2 * d1 + dd1, p1 - d1, p1};
  for (std::size_t k = 0; k < 5; ++k)
    c.largestSpeed = std::max(c.largestSpeed, 5 * (c.bezier[k + 1] - c.bezier[k]).norm());
  return c;
}

}  // namespace tenon::physics::brep
