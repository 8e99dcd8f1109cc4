// Cavities are cut by height into frustums, which are convex: two of these are apart where some direction
// separates them.
#include "physics/collision/turned/cavities_apart.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {
namespace {

using Eigen::Vector2d;

/// Solid frustum between two discs, in the block's frame.
struct SolidFrustum {
  Vector3d axis, p0, p1;  ///< discs' centres [m]
  double r0 = 0, r1 = 0;  ///< their radii [m]
};

// Largest radius at height z between neighbouring breaks, from the segments that span it.
double radiusAt(const std::vector<Vector2d>& profile, double z) {
  double radius = 0;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const Vector2d &p = profile[i], &q = profile[i + 1];
    if (z > std::max(p.x(), q.x()) || z < std::min(p.x(), q.x()) || p.x() == q.x()) continue;
    radius = std::max(radius, p.y() + (z - p.x()) / (q.x() - p.x()) * (q.y() - p.y()));
  }
  return radius;
}

// Frustums whose union is the cavity filled up to its largest radius at every height: an undercut's inner
// side hides behind its outer one. Radii at the ends are extrapolated from within the slab, as flat
// segments make the radius jump there.
std::vector<SolidFrustum> frustums(const Cavity& cavity) {
  std::vector<double> breaks;
  for (const Vector2d& p : cavity.profile) breaks.push_back(p.x());
  std::sort(breaks.begin(), breaks.end());
  std::vector<SolidFrustum> result;
  const Vector3d axis = cavity.X_BH.q * Vector3d::UnitZ();
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const double z0 = breaks[i], dz = breaks[i + 1] - z0;
    if (dz <= 0) continue;
    const double low = radiusAt(cavity.profile, z0 + 0.25 * dz),
                 high = radiusAt(cavity.profile, z0 + 0.75 * dz);
    const double slope = 2 * (high - low);
    result.push_back({axis, cavity.X_BH.p + z0 * axis, cavity.X_BH.p + (z0 + dz) * axis,
                      std::max(0.0, low - 0.25 * slope), std::max(0.0, high + 0.25 * slope)});
  }
  return result;
}

// max of d · x over the frustum: at one of its rims.
double support(const SolidFrustum& f, const Vector3d& d) {
  const double across = (d - f.axis * f.axis.dot(d)).norm();
  return std::max(d.dot(f.p0) + f.r0 * across, d.dot(f.p1) + f.r1 * across);
}

// Closest point of the frustum, by its convex outline in the half-plane of q.
Vector3d closestPoint(const SolidFrustum& f, const Vector3d& q) {
  const double height = (f.p1 - f.p0).dot(f.axis), z = (q - f.p0).dot(f.axis);
  const Vector3d across = q - f.p0 - z * f.axis;
  const double rho = across.norm();
  const Vector3d e = rho > 0 ? Vector3d(across / rho) : Vector3d(Vector3d::Zero());
  if (z >= 0 && z <= height && rho <= f.r0 + (f.r1 - f.r0) * z / height) return q;
  // The candidates on the two discs and on the flank.
  const auto put = [&](double r, double h) { return Vector3d(f.p0 + h * f.axis + r * e); };
  Vector3d best = put(std::min(rho, f.r0), 0), other = put(std::min(rho, f.r1), height);
  if ((other - q).norm() < (best - q).norm()) best = other;
  const Vector2d d(f.r1 - f.r0, height);
  const double t = std::clamp(Vector2d(rho - f.r0, z).dot(d) / d.squaredNorm(), 0.0, 1.0);
  other = put(f.r0 + t * d.x(), t * d.y());
  if ((other - q).norm() < (best - q).norm()) best = other;
  return best;
}

// Alternating projection onto both: the difference of the two points tends to the shortest one, and any
// difference that keeps the supports apart is a proof.
bool areApart(const SolidFrustum& a, const SolidFrustum& b) {
  constexpr int kPasses = 20000;
  Vector3d x = 0.5 * (a.p0 + a.p1);
  for (int pass = 0; pass < kPasses; ++pass) {
    const Vector3d y = closestPoint(b, x);
    x = closestPoint(a, y);
    const double gap = (y - x).norm();
    if (gap < kProfileTolerance) return false;
    const Vector3d d = (y - x) / gap;
    if (-support(b, -d) - support(a, d) > 0) return true;
  }
  return false;
}

/// Bounding sphere of a cavity, in the block's frame.
struct Around {
  Vector3d centre;
  double radius = 0;  ///< [m]
};

Around around(const Cavity& cavity) {
  double low = 0, radius = 0;
  for (const Vector2d& p : cavity.profile) {
    low = std::min(low, p.x());
    radius = std::max(radius, p.y());
  }
  return {cavity.X_BH * Vector3d(0, 0, low / 2), std::hypot(low / 2, radius)};
}

}  // namespace

bool areApart(const Cavity& a, const Cavity& b) {
  const Around one = around(a), two = around(b);
  if ((one.centre - two.centre).norm() > one.radius + two.radius + kProfileTolerance) return true;
  const auto ofA = frustums(a), ofB = frustums(b);
  for (const SolidFrustum& f : ofA)
    for (const SolidFrustum& g : ofB)
      if (!areApart(f, g)) return false;
  return true;
}

}  // namespace tenon::physics
