// See surface.h. With ρ the distance from the axis, r̂ and φ̂ the unit radial and circumferential vectors:
// cylinder ρ − r, cone (ρ − r₀ − k z)/√(1 + k²), sphere |p| − r, torus √((ρ − R)² + z²) − r. Those of a
// free-form surface are along its normal through p.
#include "physics/collision/brep/surface.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/collision/brep/freeform.h"

namespace tenon::physics::brep {
namespace {

/// Closer to an axis or a center than this [m], the direction to it is undefined.
constexpr double kNoDirection = 1e-14;

Vector3d radialOf(const Vector3d& p, double rho) {
  return rho > kNoDirection ? Vector3d(p.x() / rho, p.y() / rho, 0) : Vector3d(Vector3d::UnitX());
}

SurfaceDistance ofCone(const Surface& s, const Vector3d& p, double slope) {
  const double rho = p.head<2>().norm();
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
  const double rho = p.head<2>().norm();
  const Vector3d r = radialOf(p, rho);
  const double out = rho - s.radius, tube = Vector2d(out, p.z()).norm();
  const Vector3d u = tube > kNoDirection ? Vector3d((out * r + p.z() * Vector3d::UnitZ()) / tube) : r;
  return {s.side * (tube - s.minor), s.side * u};
}

SurfaceDistance ofFreeform(const Surface& s, const Vector3d& p) {
  const FreeformSurface::Foot foot = s.freeform->footOf(p, s.patch);
  return {s.side * foot.distance, s.side * foot.normal};
}

// With J = (∂p/∂u, ∂p/∂v), first fundamental form I = JᵀJ and shape operator W, the parallel surface at the
// distance d turns its normal by −J W (1 − d W)⁻¹ I⁻¹ Jᵀ.
Matrix3d freeformCurvature(const Surface& s, const Vector3d& p) {
  const FreeformSurface::Foot foot = s.freeform->footOf(p, s.patch);
  Eigen::Matrix<double, 3, 2> J;
  J << foot.at.u, foot.at.v;
  const Eigen::Matrix2d W = foot.at.shapeOperator();
  const Eigen::Matrix2d parallel = Eigen::Matrix2d::Identity() - foot.distance * W;
  if (!(parallel.determinant() > 0)) return Matrix3d::Zero();  // beyond the centers of curvature
  return -s.side * J * W * parallel.inverse() * (J.transpose() * J).inverse() * J.transpose();
}

// Where the distance changes its sign between points of the ray in the box of the patch: two crossings
// between two of them enclose an extremum, which is sought.
int patchCrossings(const Surface& s, int patch, const Vector3d& p, const Vector3d& d,
                   std::array<double, 4>& t, int count) {
  constexpr int kCells = 4;
  const Bounds& box = s.freeform->reachBounds(patch);
  double from = 0, to = HUGE_VAL;
  for (Eigen::Index k = 0; k < 3; ++k) {
    if (d[k] == 0) {
      if (p[k] < box.low[k] || p[k] > box.high[k]) return count;
      continue;
    }
    const double a = (box.low[k] - p[k]) / d[k], b = (box.high[k] - p[k]) / d[k];
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  }
  if (!(from <= to)) return count;
  const auto slopeAt = [&](double at) {
    const FreeformSurface::Foot foot = s.freeform->footOf(p + at * d, patch);
    return std::pair(foot.distance, foot.normal.dot(d));
  };
  const auto bisect = [&](double a, double b, auto&& isAbove) {
    const bool first = isAbove(a);
    for (double middle = 0.5 * (a + b); a < middle && middle < b; middle = 0.5 * (a + b))
      (isAbove(middle) == first ? a : b) = middle;
    return b;
  };
  const auto cross = [&](double a, double b) {
    if (count < 4)
      t[static_cast<std::size_t>(count++)] = bisect(a, b, [&](double at) { return slopeAt(at).first > 0; });
  };
  // The box holds the patch exactly: a crossing at its border counts.
  const double slack = 1e-12 + 1e-9 * (to - from);
  double a = from - slack;
  auto [value, slope] = slopeAt(a);
  for (int k = 1; k <= kCells; ++k) {
    const double b = from + (to - from) * k / kCells + (k == kCells ? slack : 0);
    const auto [next, nextSlope] = slopeAt(b);
    if ((value > 0) != (next > 0)) {
      cross(a, b);
    } else if ((slope > 0) != (nextSlope > 0) && (value > 0) == (slope < 0)) {
      const double extremum = bisect(a, b, [&](double at) { return slopeAt(at).second > 0; });
      if ((slopeAt(extremum).first > 0) != (value > 0)) {
        cross(a, extremum);
        cross(extremum, b);
      }
    }
    a = b;
    value = next;
    slope = nextSlope;
  }
  return count;
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

// Coefficients of a polynomial of degree 4, of 1, t, t², …
using Quartic = std::array<double, 5>;

double valueOf(const Quartic& c, int degree, double t) {
  double value = 0;
  for (int k = degree; k >= 0; --k) value = value * t + c[static_cast<std::size_t>(k)];
  return value;
}

// Ascending roots between `low` and `high` where the sign changes: between those of the derivative.
int rootsBetween(const Quartic& c, int degree, double low, double high, std::array<double, 4>& t) {
  std::array<double, 4> extrema{};
  int intervals = 0;
  if (degree > 1) {
    Quartic derivative{};
    for (std::size_t k = 1; k <= static_cast<std::size_t>(degree); ++k)
      derivative[k - 1] = static_cast<double>(k) * c[k];
    intervals = rootsBetween(derivative, degree - 1, low, high, extrema);
  }
  int count = 0;
  double from = low;
  for (int k = 0; k <= intervals; ++k) {
    double a = from, b = k < intervals ? extrema[static_cast<std::size_t>(k)] : high;
    from = b;
    const bool rises = valueOf(c, degree, a) < 0;
    if (rises == (valueOf(c, degree, b) < 0)) continue;
    for (double middle = 0.5 * (a + b); a < middle && middle < b; middle = 0.5 * (a + b))
      ((valueOf(c, degree, middle) < 0) == rises ? a : b) = middle;
    t[static_cast<std::size_t>(count++)] = b;
  }
  return count;
}

// (|q|² + R² − r²)² = 4 R² (x² + y²) along the ray, from its point nearest to the center, where rounding is
// least.
int torusCrossings(const Surface& s, const Vector3d& p, const Vector3d& d, std::array<double, 4>& t) {
  const double nearest = -p.dot(d), R = s.radius, reach = R + s.minor;
  const Vector3d q = p + nearest * d;
  const double inside = reach * reach - q.squaredNorm();
  if (!(inside > 0)) return 0;
  // f = (t² + m)² − 4 R² (a + b t + c t²)
  const double m = q.squaredNorm() + R * R - s.minor * s.minor, four = 4 * R * R;
  const double a = q.head<2>().squaredNorm(), b = 2 * q.head<2>().dot(d.head<2>()),
               c = d.head<2>().squaredNorm();
  const double half = 1.001 * std::sqrt(inside);
  const int count = rootsBetween({m * m - four * a, -four * b, 2 * m - four * c, 0, 1}, 4, -half, half, t);
  for (int k = 0; k < count; ++k) t[static_cast<std::size_t>(k)] += nearest;
  return count;
}

// False for points of the other nappe of a cone, and of what lies inside a torus whose tube is wider than its
// circle: both solve the same equations.
bool isOnBranch(const Surface& s, const Vector3d& p) {
  if (s.kind == SurfaceKind::cone) return s.radius + s.slope * p.z() >= 0;
  if (s.kind != SurfaceKind::torus || s.minor <= s.radius) return true;
  const double rho = p.head<2>().norm(), near = rho - s.radius, far = rho + s.radius;
  const double rest = p.z() * p.z() - s.minor * s.minor;
  return std::abs(near * near + rest) <= std::abs(far * far + rest);
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
    case SurfaceKind::freeform:
      return ofFreeform(surface, p);
    case SurfaceKind::plane:
      break;
  }
  return {surface.side * p.z(), surface.side * Vector3d::UnitZ()};
}

Matrix3d curvatureAt(const Surface& surface, const Vector3d& p) {
  const Matrix3d none = Matrix3d::Zero();
  if (surface.kind == SurfaceKind::plane) return none;
  if (surface.kind == SurfaceKind::freeform) return freeformCurvature(surface, p);
  const double rho = p.head<2>().norm();
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
  const double tube = Vector2d(rho - surface.radius, p.z()).norm();
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
      const double rho = p.head<2>().norm();
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
    case SurfaceKind::freeform:
      break;
  }
  const SurfaceDistance d = distanceTo(surface, p);
  return {d.value, d.gradient.dot(dp), dp.dot(curvatureAt(surface, p) * dp) + d.gradient.dot(ddp)};
}

double distanceValue(const Surface& surface, const Vector3d& p) {
  switch (surface.kind) {
    case SurfaceKind::cylinder:
      return surface.side * (p.head<2>().norm() - surface.radius);
    case SurfaceKind::cone:
      return surface.side * (p.head<2>().norm() - surface.radius - surface.slope * p.z()) /
             std::sqrt(1 + surface.slope * surface.slope);
    case SurfaceKind::sphere:
      return surface.side * (p.norm() - surface.radius);
    case SurfaceKind::torus:
      return surface.side * (Vector2d(p.head<2>().norm() - surface.radius, p.z()).norm() - surface.minor);
    case SurfaceKind::freeform:
      return ofFreeform(surface, p).value;
    case SurfaceKind::plane:
      break;
  }
  return surface.side * p.z();
}

Vector2d parametersOf(const Surface& surface, const Vector3d& p) {
  if (surface.kind == SurfaceKind::plane) return {p.x(), p.y()};
  if (surface.kind == SurfaceKind::freeform) return surface.freeform->footOf(p, surface.patch).uv;
  const double around = std::atan2(p.y(), p.x());
  const double rho = p.head<2>().norm();
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
    case SurfaceKind::freeform:
      break;
  }
  return {around, p.z()};
}

Vector2d parameterScale(const Surface& surface, const Vector3d& p) {
  switch (surface.kind) {
    case SurfaceKind::cylinder:
      return {surface.radius, 1};
    case SurfaceKind::cone: {
      const double z = parametersOf(surface, p).y();
      return {std::abs(surface.radius + surface.slope * z), std::sqrt(1 + surface.slope * surface.slope)};
    }
    case SurfaceKind::sphere: {
      const double length = p.norm();
      const double latitude = length > 0 ? p.head<2>().norm() / length : 1;
      return {surface.radius * latitude, surface.radius};
    }
    case SurfaceKind::torus: {
      const double v = parametersOf(surface, p).y();
      return {std::abs(surface.radius + surface.minor * std::cos(v)), surface.minor};
    }
    case SurfaceKind::freeform: {
      const FreeformSurface::Foot foot = surface.freeform->footOf(p, surface.patch);
      return {foot.at.u.norm(), foot.at.v.norm()};
    }
    case SurfaceKind::plane:
      break;
  }
  return {1, 1};
}

bool isPeriodic(const Surface& surface) {
  if (surface.kind == SurfaceKind::freeform) return surface.freeform->isPeriodic();
  return surface.kind != SurfaceKind::plane;
}

Surface farSide(const Surface& surface) {
  Surface far = surface;
  far.side = -surface.side;
  far.slope = -surface.slope;
  if (surface.kind == SurfaceKind::torus)
    far.minor = -surface.minor;
  else
    far.radius = -surface.radius;
  return far;
}

Vector2d parameterSlope(const Surface& surface, const CurvePoint& at) {
  const Vector3d &p = at.p, &d = at.first;
  if (surface.kind == SurfaceKind::plane) return d.head<2>();
  if (surface.kind == SurfaceKind::freeform) {
    // The point of the parallel surface moves by J (1 − d W) (u, v)', see freeformCurvature().
    const FreeformSurface::Foot foot = surface.freeform->footOf(p, surface.patch);
    const Eigen::Matrix2d parallel = Eigen::Matrix2d::Identity() - foot.distance * foot.at.shapeOperator();
    return parallel.inverse() * foot.at.parametersAlong(d);
  }
  const double rho = p.head<2>().norm();
  if (!(rho > kNoDirection)) return {0, d.z()};
  const double around = (p.x() * d.y() - p.y() * d.x()) / (rho * rho);
  const double dRho = (p.x() * d.x() + p.y() * d.y()) / rho;
  switch (surface.kind) {
    case SurfaceKind::cone:
      return {around, (d.z() + surface.slope * dRho) / (1 + surface.slope * surface.slope)};
    case SurfaceKind::sphere:
      return {around, (d.z() * rho - p.z() * dRho) / p.squaredNorm()};
    case SurfaceKind::torus: {
      const double out = rho - surface.radius;
      return {around, (d.z() * out - p.z() * dRho) / (out * out + p.z() * p.z())};
    }
    case SurfaceKind::plane:
    case SurfaceKind::cylinder:
    case SurfaceKind::freeform:
      break;
  }
  return {around, d.z()};
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
      count = torusCrossings(surface, p, d, t);
      break;
    case SurfaceKind::freeform:
      for (int k = 0; k < surface.freeform->patchCount(); ++k)
        if (surface.patch < 0 || surface.patch == k) count = patchCrossings(surface, k, p, d, t, count);
      break;
  }
  int kept = 0;
  for (int k = 0; k < count; ++k) {
    const double at = t[static_cast<std::size_t>(k)];
    if (at > 0 && isOnBranch(surface, p + at * d)) t[static_cast<std::size_t>(kept++)] = at;
  }
  return kept;
}

}  // namespace tenon::physics::brep
