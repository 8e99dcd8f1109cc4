// See surface.h. With ρ the distance from the axis, r̂ and φ̂ the unit radial and circumferential vectors:
// cylinder ρ − r, cone (ρ − r₀ − k z)/√(1 + k²), sphere |p| − r, torus √((ρ − R)² + z²) − r.
#include "physics/collision/brep/surface.h"

#include <cmath>
#include <numbers>

namespace tenon::physics::brep {
namespace {

/// Closer to an axis or a center than this [m], the direction to it is undefined.
constexpr double kNoDirection = 1e-14;

Vector3d radialOf(const Vector3d& p, double rho) {
  return rho > kNoDirection ? Vector3d(p.x() / rho, p.y() / rho, 0) : Vector3d(Vector3d::UnitX());
}

SurfaceDistance ofCone(const Surface& s, const Vector3d& p, double slope) {
  const double rho = std::hypot(p.x(), p.y());
  const Vector3d r = radialOf(p, rho);
  const double cosine = 1 / std::sqrt(1 + slope * slope);
  SurfaceDistance d;
  d.value = s.side * cosine * (rho - s.radius - slope * p.z());
  d.gradient = s.side * cosine * Vector3d(r.x(), r.y(), -slope);
  if (rho > kNoDirection) {
    const Vector3d around(-r.y(), r.x(), 0);
    d.hessian = (s.side * cosine / rho) * around * around.transpose();
  }
  return d;
}

SurfaceDistance ofSphere(const Surface& s, const Vector3d& p) {
  const double length = p.norm();
  const Vector3d u = length > kNoDirection ? Vector3d(p / length) : Vector3d(Vector3d::UnitZ());
  SurfaceDistance d;
  d.value = s.side * (length - s.radius);
  d.gradient = s.side * u;
  if (length > kNoDirection) d.hessian = (s.side / length) * (Matrix3d::Identity() - u * u.transpose());
  return d;
}

SurfaceDistance ofTorus(const Surface& s, const Vector3d& p) {
  const double rho = std::hypot(p.x(), p.y());
  const Vector3d r = radialOf(p, rho), around(-r.y(), r.x(), 0);
  const double out = rho - s.radius, tube = std::hypot(out, p.z());
  const Vector3d u = tube > kNoDirection ? Vector3d((out * r + p.z() * Vector3d::UnitZ()) / tube) : r;
  SurfaceDistance d;
  d.value = s.side * (tube - s.minor);
  d.gradient = s.side * u;
  if (tube > kNoDirection && rho > kNoDirection) {
    const Vector3d along = around.cross(u);
    d.hessian = s.side * ((u.dot(r) / rho) * around * around.transpose() + along * along.transpose() / tube);
  }
  return d;
}

// Roots of a t² + 2 b t + c.
int quadraticRoots(double a, double b, double c, std::array<double, 4>& t) {
  if (a == 0) {
    if (b == 0) return 0;
    t[0] = -0.5 * c / b;
    return 1;
  }
  const double under = b * b - a * c;
  if (!(under > 0)) return 0;
  const double q = -(b + std::copysign(std::sqrt(under), b));
  t[0] = q / a;
  t[1] = q != 0 ? c / q : 0;
  return 2;
}

}  // namespace

SurfaceDistance distanceTo(const Surface& surface, const Vector3d& p) {
  switch (surface.kind) {
    case SurfaceKind::cylinder:
      return ofCone(surface, p, 0);
    case SurfaceKind::cone:
      return ofCone(surface, p, surface.slope);
    case SurfaceKind::sphere:
      return ofSphere(surface, p);
    case SurfaceKind::torus:
      return ofTorus(surface, p);
    case SurfaceKind::plane:
      break;
  }
  SurfaceDistance d;
  d.value = surface.side * p.z();
  d.gradient = surface.side * Vector3d::UnitZ();
  return d;
}

double distanceValue(const Surface& surface, const Vector3d& p) {
  switch (surface.kind) {
    case SurfaceKind::cylinder:
      return surface.side * (std::hypot(p.x(), p.y()) - surface.radius);
    case SurfaceKind::cone:
      return surface.side * (std::hypot(p.x(), p.y()) - surface.radius - surface.slope * p.z()) /
             std::sqrt(1 + surface.slope * surface.slope);
    case SurfaceKind::sphere:
      return surface.side * (p.norm() - surface.radius);
    case SurfaceKind::torus:
      return surface.side * (std::hypot(std::hypot(p.x(), p.y()) - surface.radius, p.z()) - surface.minor);
    case SurfaceKind::plane:
      break;
  }
  return surface.side * p.z();
}

Eigen::Vector2d parametersOf(const Surface& surface, const Vector3d& p) {
  if (surface.kind == SurfaceKind::plane) return {p.x(), p.y()};
  const double around = std::atan2(p.y(), p.x());
  const double rho = std::hypot(p.x(), p.y());
  switch (surface.kind) {
    case SurfaceKind::cone: {
      const double k = surface.slope;  // foot: z + k (ρ − r₀ − k z)/(1 + k²)
      return {around, (p.z() + k * (rho - surface.radius)) / (1 + k * k)};
    }
    case SurfaceKind::sphere:
      return {around, std::atan2(p.z(), rho)};
    case SurfaceKind::torus:
      return {around, std::atan2(p.z(), rho - surface.radius)};
    case SurfaceKind::plane:
    case SurfaceKind::cylinder:
      break;
  }
  return {around, p.z()};
}

Eigen::Vector2d parameterScale(const Surface& surface, const Vector3d& p) {
  switch (surface.kind) {
    case SurfaceKind::cylinder:
      return {surface.radius, 1};
    case SurfaceKind::cone: {
      const double z = parametersOf(surface, p).y();
      return {std::abs(surface.radius + surface.slope * z), std::sqrt(1 + surface.slope * surface.slope)};
    }
    case SurfaceKind::sphere: {
      const double length = p.norm();
      const double latitude = length > 0 ? std::hypot(p.x(), p.y()) / length : 1;
      return {surface.radius * latitude, surface.radius};
    }
    case SurfaceKind::torus: {
      const double v = parametersOf(surface, p).y();
      return {std::abs(surface.radius + surface.minor * std::cos(v)), surface.minor};
    }
    case SurfaceKind::plane:
      break;
  }
  return {1, 1};
}

int crossings(const Surface& surface, const Vector3d& p, const Vector3d& d, std::array<double, 4>& t) {
  int count = 0;
  switch (surface.kind) {
    case SurfaceKind::plane:
      if (d.z() == 0) return 0;
      t[0] = -p.z() / d.z();
      count = 1;
      break;
    case SurfaceKind::cylinder:
    case SurfaceKind::cone: {
      // ρ² = (r₀ + k z)²
      const double k = surface.kind == SurfaceKind::cone ? surface.slope : 0;
      const double r = surface.radius + k * p.z(), dr = k * d.z();
      count = quadraticRoots(d.head<2>().squaredNorm() - dr * dr, p.head<2>().dot(d.head<2>()) - r * dr,
                             p.head<2>().squaredNorm() - r * r, t);
      break;
    }
    case SurfaceKind::sphere:
      count = quadraticRoots(1, p.dot(d), p.squaredNorm() - surface.radius * surface.radius, t);
      break;
    case SurfaceKind::torus:
      break;
  }
  int kept = 0;
  for (int k = 0; k < count; ++k) {
    const double at = t[static_cast<std::size_t>(k)];
    const bool isNappe =
        surface.kind != SurfaceKind::cone || surface.radius + surface.slope * (p.z() + at * d.z()) >= 0;
    if (at > 0 && isNappe) t[static_cast<std::size_t>(kept++)] = at;
  }
  return kept;
}

}  // namespace tenon::physics::brep
