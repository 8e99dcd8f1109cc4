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
  return {s.side * cosine * (rho - s.radius - slope * p.z()),
          s.side * cosine * Vector3d(r.x(), r.y(), -slope)};
}

SurfaceDistance ofSphere(const Surface& s, const Vector3d& p) {
  const double length = p.norm();
  const Vector3d u = length > kNoDirection ? Vector3d(p / length) : Vector3d(Vector3d::UnitZ());
  return {s.side * (length - s.radius), s.side * u};
}

SurfaceDistance ofTorus(const Surface& s, const Vector3d& p) {
  const double rho = std::hypot(p.x(), p.y());
  const Vector3d r = radialOf(p, rho);
  const double out = rho - s.radius, tube = std::hypot(out, p.z());
  const Vector3d u = tube > kNoDirection ? Vector3d((out * r + p.z() * Vector3d::UnitZ()) / tube) : r;
  return {s.side * (tube - s.minor), s.side * u};
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
  return {surface.side * p.z(), surface.side * Vector3d::UnitZ()};
}

Matrix3d curvatureAt(const Surface& surface, const Vector3d& p) {
  const Matrix3d none = Matrix3d::Zero();
  if (surface.kind == SurfaceKind::plane) return none;
  const double rho = std::hypot(p.x(), p.y());
  const Vector3d r = radialOf(p, rho), around(-r.y(), r.x(), 0);
  const Vector3d u = surface.side * distanceTo(surface, p).gradient;
  if (surface.kind == SurfaceKind::sphere) {
    const double length = p.norm();
    if (!(length > kNoDirection)) return none;
    return (surface.side / length) * (Matrix3d::Identity() - u * u.transpose());
  }
  if (!(rho > kNoDirection)) return none;
  const Matrix3d aroundAxis = (surface.side * u.dot(r) / rho) * around * around.transpose();
  if (surface.kind != SurfaceKind::torus) return aroundAxis;
  const double tube = std::hypot(rho - surface.radius, p.z());
  if (!(tube > kNoDirection)) return none;
  const Vector3d along = around.cross(u);
  return aroundAxis + (surface.side / tube) * along * along.transpose();
}

DistanceSlope slopeAlong(const Surface& surface, const Vector3d& p, const Vector3d& dp, const Vector3d& ddp) {
  switch (surface.kind) {
    case SurfaceKind::plane:
      return {surface.side * p.z(), surface.side * dp.z(), surface.side * ddp.z()};
    case SurfaceKind::cylinder:
    case SurfaceKind::cone: {
      const double k = surface.kind == SurfaceKind::cone ? surface.slope : 0;
      const double rho = std::hypot(p.x(), p.y());
      if (!(rho > kNoDirection)) break;
      const double dRho = (p.x() * dp.x() + p.y() * dp.y()) / rho;
      const double ddRho =
          (dp.x() * dp.x() + dp.y() * dp.y() + p.x() * ddp.x() + p.y() * ddp.y() - dRho * dRho) / rho;
      const double scale = surface.side / std::sqrt(1 + k * k);
      return {scale * (rho - surface.radius - k * p.z()), scale * (dRho - k * dp.z()),
              scale * (ddRho - k * ddp.z())};
    }
    case SurfaceKind::sphere:
    case SurfaceKind::torus:
      break;
  }
  const SurfaceDistance d = distanceTo(surface, p);
  return {d.value, d.gradient.dot(dp), dp.dot(curvatureAt(surface, p) * dp) + d.gradient.dot(ddp)};
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
