// Cavities are cut by height into frustums, which are convex: two of these are apart where some direction
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
  Vector3d axis, p0, p1;  ///< discs' centres [m]
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
bool areDisjoint(const SolidFrustum& a, const SolidFrustum& b) {
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
  Vector3d center;
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

bool areDisjoint(const Cavity& a, const Cavity& b) {
  const Around one = around(a), two = around(b);
  if ((one.center - two.center).norm() > one.radius + two.radius + kProfileTolerance) return true;
  const auto ofA = frustums(a), ofB = frustums(b);
  for (const SolidFrustum& f : ofA)
    for (const SolidFrustum& g : ofB)
      if (!areDisjoint(f, g)) return false;
  return true;
}

}  // namespace tenon::physics
