// Cavities are cut by height into frustums, which are convex: two of them are disjoint if a direction
// separates them.
#include "physics/collision/geometry/cavity_separation.h"

#include <algorithm>
#include <cmath>

#include "physics/collision/geometry/slabs.h"

namespace tenon::physics {
namespace {

using Eigen::Vector2d;

/// Solid frustum between two discs, in the block's frame.
struct SolidFrustum {
  Vector3d axis, p0, p1;  ///< discs' centers [m]
  double r0 = 0, r1 = 0;  ///< their radii [m]
};

// Frustums whose union is the cavity, undercuts filled.
std::vector<SolidFrustum> frustums(const Cavity& cavity) {
  std::vector<SolidFrustum> result;
  const Vector3d axis = cavity.X_BH.q * Vector3d::UnitZ();
  for (const Slab& slab : slabsOf(cavity.profile))
    result.push_back({axis, cavity.X_BH.p + slab.low * axis, cavity.X_BH.p + slab.high * axis, slab.lowRadius,
                      slab.highRadius});
  return result;
}

// max of d · x over the frustum: at one of its rims.
double support(const SolidFrustum& f, const Vector3d& d) {
  const double across = (d - f.axis * f.axis.dot(d)).norm();
  return std::max(d.dot(f.p0) + f.r0 * across, d.dot(f.p1) + f.r1 * across);
}

// Point of the frustum closest to q, by its convex outline in the half-plane of q.
Vector3d closestPoint(const SolidFrustum& f, const Vector3d& q) {
  const double height = (f.p1 - f.p0).dot(f.axis), z = (q - f.p0).dot(f.axis);
  const Vector3d across = q - f.p0 - z * f.axis;
  const double rho = across.norm();
  const Vector3d e = rho > 0 ? Vector3d(across / rho) : Vector3d(Vector3d::Zero());
  if (z >= 0 && z <= height && rho <= f.r0 + (f.r1 - f.r0) * z / height) return q;
  // Candidates: the two discs and the flank.
  const auto at = [&](double r, double h) { return Vector3d(f.p0 + h * f.axis + r * e); };
  Vector3d best = at(std::min(rho, f.r0), 0), other = at(std::min(rho, f.r1), height);
  if ((other - q).norm() < (best - q).norm()) best = other;
  const Vector2d d(f.r1 - f.r0, height);
  const double t = std::clamp(Vector2d(rho - f.r0, z).dot(d) / d.squaredNorm(), 0.0, 1.0);
  other = at(f.r0 + t * d.x(), t * d.y());
  if ((other - q).norm() < (best - q).norm()) best = other;
  return best;
}

// Alternating projections: the difference of the two points converges to the shortest one. A difference along
// which the supports are separated proves disjointness.
bool areDisjoint(const SolidFrustum& a, const SolidFrustum& b) {
  constexpr int kMaxIterations = 20000;
  Vector3d x = 0.5 * (a.p0 + a.p1);
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
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
struct BoundingSphere {
  Vector3d center;
  double radius = 0;  ///< [m]
};

BoundingSphere boundingSphere(const Cavity& cavity) {
  double low = 0, radius = 0;
  for (const Vector2d& p : cavity.profile) {
    low = std::min(low, p.x());
    radius = std::max(radius, p.y());
  }
  return {cavity.X_BH * Vector3d(0, 0, low / 2), std::hypot(low / 2, radius)};
}

}  // namespace

bool areDisjoint(const Cavity& a, const Cavity& b) {
  const BoundingSphere sphereA = boundingSphere(a), sphereB = boundingSphere(b);
  if ((sphereA.center - sphereB.center).norm() > sphereA.radius + sphereB.radius + kProfileTolerance)
    return true;
  const auto frustumsA = frustums(a), frustumsB = frustums(b);
  for (const SolidFrustum& f : frustumsA)
    for (const SolidFrustum& g : frustumsB)
      if (!areDisjoint(f, g)) return false;
  return true;
}

}  // namespace tenon::physics
