// Closed forms for primitives, tetrahedra for hulls, the parallel-axis theorem for compounds.
#include "physics/body/mass_properties.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

#include "physics/collision/geometry/convex_hull.h"

namespace tenon::physics {
namespace {

using std::numbers::pi;

// Rounding allowed in an inertia, relative to its trace [-]: some dozen operations, and well below the
// smallest moment of a slender part (1e-6 for a rod of 1 : 1000).
constexpr double kInertiaRounding = 1e-12;

// Inertia about the origin from the second moments ∫ x xᵀ dm [kg m²].
Matrix3d inertiaOf(const Matrix3d& secondMoments) {
  return secondMoments.trace() * Matrix3d::Identity() - secondMoments;
}

// Inertia of a point mass at `r` [m] (parallel-axis theorem).
Matrix3d pointInertia(double mass, const Vector3d& r) {
  return inertiaOf(mass * r * r.transpose());
}

MassProperties about(double mass, const Vector3d& principalMoments) {
  return {mass, Vector3d::Zero(), principalMoments.asDiagonal()};
}

MassProperties of(const Box& box, double density) {
  const Vector3d square = box.halfExtents.cwiseAbs2();
  const double mass = density * 8 * box.halfExtents.prod();
  return about(mass, mass / 3 * (Vector3d::Constant(square.sum()) - square));
}

MassProperties of(const Sphere& sphere, double density) {
  const double r = sphere.radius, mass = density * 4 / 3 * pi * r * r * r;
  return about(mass, Vector3d::Constant(0.4 * mass * r * r));
}

MassProperties of(const Cylinder& cylinder, double density) {
  const double r = cylinder.radius, h = cylinder.halfLength, mass = density * pi * r * r * 2 * h;
  const double transverse = mass * (r * r / 4 + h * h / 3);
  return about(mass, {transverse, transverse, mass * r * r / 2});
}

MassProperties of(const Capsule& capsule, double density) {
  const double r = capsule.radius, h = capsule.halfLength;
  const double tube = density * pi * r * r * 2 * h;
  const double caps = density * 4 / 3 * pi * r * r * r;
  // The center of mass of a half sphere lies 3/8 r from its disc: the cap's offset is h + 3/8 r.
  const double transverse = tube * (r * r / 4 + h * h / 3) + caps * (0.4 * r * r + h * h + 0.75 * h * r);
  return about(tube + caps, {transverse, transverse, tube * r * r / 2 + caps * 0.4 * r * r});
}

// ∫ dm, ∫ z dm and ∫ z² dm over the discs of radius r(z) = mean + slope z/h, and ∫ r²/2 dm.
MassProperties of(const Frustum& frustum, double density) {
  const double b = frustum.bottomRadius, t = frustum.topRadius, h = frustum.halfLength;
  const double mean = (b + t) / 2, slope = (t - b) / 2;
  const double squares = b * b + b * t + t * t;
  const double fourths = b * b * b * b + b * b * b * t + b * b * t * t + b * t * t * t + t * t * t * t;
  const double mass = density * pi * 2 * h / 3 * squares;
  const double zc = h * (t * t - b * b) / (2 * squares);
  const double axial = density * pi * h / 5 * fourths;
  const double zz = density * pi * 2 * h * h * h * (mean * mean / 3 + slope * slope / 5);
  const double transverse = axial / 2 + zz - mass * zc * zc;
  return {mass, {0, 0, zc}, Vector3d(transverse, transverse, axial).asDiagonal()};
}

// Signed tetrahedra from a point to triangles. With corners 0, a, b, c and volume V:
// ∫ x = V/4 Σ, ∫ x xᵀ = V/20 (a aᵀ + b bᵀ + c cᵀ + Σ Σᵀ), Σ = a + b + c (Blow & Binstock 2004).
struct Tetrahedra {
  double volume = 0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();

  void add(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    const Vector3d sum = a + b + c;
    const double v = a.dot(b.cross(c)) / 6;
    volume += v;
    first += v / 4 * sum;
    second += v / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  MassProperties about(const Vector3d& origin, double density) const {
    const Vector3d center = first / volume;
    const Matrix3d central = density * (second - volume * center * center.transpose());
    return {density * volume, origin + center, inertiaOf(central)};
  }
};

MassProperties of(const Hull& shape, double density) {
  const ConvexHull hull = convexHull(shape.vertices);
  Vector3d inside = Vector3d::Zero();
  for (const Vector3d& v : hull.vertices) inside += v / static_cast<double>(hull.vertices.size());
  Tetrahedra sum;
  for (const auto& face : hull.faces)
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      sum.add(hull.vertices[face[0]] - inside, hull.vertices[face[k]] - inside,
              hull.vertices[face[k + 1]] - inside);
  return sum.about(inside, density);
}

MassProperties shifted(MassProperties m, const Vector3d& by) {
  m.center += by;
  return m;
}

// The volume of a hole: the frustum of the lead-in and the bore below it.
MassProperties cavity(const RoundHole& hole, const Vector3d& halfExtents, double density) {
  const double top = halfExtents.z();
  const double depth = std::min(hole.depth, 2 * top);
  const double chamfer = hole.chamferWidth > 0 ? hole.chamferDepth : 0;
  assert(chamfer <= depth && "the lead-in must end within the hole");
  const Vector3d mouth(hole.center.x(), hole.center.y(), top);
  const MassProperties bore = shifted(of(Cylinder{hole.radius, (depth - chamfer) / 2}, density),
                                      mouth - Vector3d(0, 0, (depth + chamfer) / 2));
  if (!(chamfer > 0)) return bore;
  const Frustum leadIn{hole.radius, hole.radius + hole.chamferWidth, chamfer / 2};
  return combined(bore, shifted(of(leadIn, density), mouth - Vector3d(0, 0, chamfer / 2)));
}

MassProperties of(const FacetedBlock& block, double density) {
  MassProperties m = of(Box{block.halfExtents}, density);
  // A cavity counts as negative density.
  for (const RoundHole& hole : block.holes) m = combined(m, cavity(hole, block.halfExtents, -density));
  return m;
}

// The solid between a profile (z, r) and the z axis, as the signed sum of the frustums under its segments: ∫
// r² dz, ∫ r² z dz, ∫ r² z² dz and ∫ r⁴ dz are polynomials. A profile with descending z counts as negative
// density.
MassProperties ofProfile(const std::vector<Eigen::Vector2d>& profile, double density) {
  double low = profile.front().x(), high = low;
  for (const auto& p : profile) {
    low = std::min(low, p.x());
    high = std::max(high, p.x());
  }
  const double middle = 0.5 * (low + high);  // origin of the heights: avoids cancellation
  double r2 = 0, r2z = 0, r2zz = 0, r4 = 0;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const double z = profile[i].x() - middle, dz = profile[i + 1].x() - profile[i].x();
    const double a = profile[i].y(), b = profile[i + 1].y(), d = b - a;
    const double even = (a * a + a * b + b * b) / 3, first = a * a / 2 + 2 * a * d / 3 + d * d / 4,
                 second = a * a / 3 + a * d / 2 + d * d / 5;
    r2 += dz * even;
    r2z += dz * (z * even + dz * first);
    r2zz += dz * (z * z * even + 2 * z * dz * first + dz * dz * second);
    r4 += dz * (a * a * a * a + a * a * a * b + a * a * b * b + a * b * b * b + b * b * b * b) / 5;
  }
  const double zc = r2z / r2, axial = density * pi / 2 * r4;
  const double transverse = axial / 2 + density * pi * (r2zz - r2 * zc * zc);
  return {density * pi * r2, {0, 0, middle + zc}, Vector3d(transverse, transverse, axial).asDiagonal()};
}

// The grooves of a thread between the middles of the cones at its ends: at radius ρ they have the share
// e = 1 − 2 w(ρ) / P of the circumference, w the half width of a tooth; ∫ e ρ dρ and ∫ e ρ³ dρ are
// polynomials.
MassProperties grooves(const Thread& t, double density) {
  const double side = t.isInternal ? 1 : -1, slope = side * std::tan(t.halfAngle);
  const double e1 = -2 * slope / t.pitch, e0 = 0.5 - e1 * t.pitchDiameter / 2;
  const double a = t.minorDiameter / 2, b = t.majorDiameter / 2;
  const auto power = [&](int n) { return (std::pow(b, n) - std::pow(a, n)) / n; };
  const double area = 2 * pi * (e0 * power(2) + e1 * power(3)),
               polar = 2 * pi * (e0 * power(4) + e1 * power(5));
  const double low = t.low + t.ends[0].length / 2, high = t.high - t.ends[1].length / 2, length = high - low;
  const double mass = density * area * length, axial = density * polar * length;
  const double transverse = axial / 2 + mass * length * length / 12;
  return {mass, {0, 0, 0.5 * (low + high)}, Vector3d(transverse, transverse, axial).asDiagonal()};
}

MassProperties of(const SolidOfRevolution& solid, double density) {
  const MassProperties blank = ofProfile(solid.profile, density);
  return solid.thread ? combined(blank, grooves(*solid.thread, -density)) : blank;
}

MassProperties of(const BlockWithHoles& block, double density) {
  MassProperties m = of(Box{block.halfExtents}, density);
  for (const Cavity& c : block.cavities) m = combined(m, transformed(ofProfile(c.profile, density), c.X_BH));
  return m;
}

// From the middle of the bounds.
MassProperties of(const BoundarySolid& solid, double density) {
  Vector3d low = solid.vertices.front(), high = low;
  for (const Vector3d& p : solid.vertices) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const Vector3d o = 0.5 * (low + high);
  Tetrahedra sum;
  for (const auto& t : solid.triangles) {
    const auto p = [&](std::size_t k) {
      return Vector3d(solid.vertices[static_cast<std::size_t>(t[k])] - o);
    };
    sum.add(p(0), p(1), p(2));
  }
  return sum.about(o, density);
}

MassProperties of(const HalfSpace&, double) {
  assert(false && "a half-space has no mass: use it for a fixed body");
  return {};
}

MassProperties of(const Compound& compound, double density) {
  assert(!compound.children.empty() && "a compound needs a child");
  MassProperties m;
  for (const PlacedShape& child : compound.children) {
    m = combined(m, transformed(massProperties(child.shape, density), child.X_PS));
  }
  return m;
}

}  // namespace

MassProperties massProperties(const Shape& shape, double density) {
  return std::visit([density](const auto& s) { return of(s, density); }, shape);
}

MassProperties transformed(const MassProperties& m, const Pose& X_AP) {
  const Matrix3d R = X_AP.q.toRotationMatrix();
  return {m.mass, X_AP * m.center, R * m.inertia * R.transpose()};
}

MassProperties combined(const MassProperties& a, const MassProperties& b) {
  const double mass = a.mass + b.mass;
  if (mass == 0) return {0, a.center, a.inertia + b.inertia};
  const Vector3d between = b.center - a.center;
  // Parallel axes for both at once: the reduced mass at the distance between the centers.
  return {mass, a.center + b.mass / mass * between,
          a.inertia + b.inertia + pointInertia(a.mass / mass * b.mass, between)};
}

bool isPhysicalInertia(const Matrix3d& inertia) {
  if (!inertia.allFinite()) return false;
  const double rounding = kInertiaRounding * inertia.trace();
  if (!((inertia - inertia.transpose()).cwiseAbs().maxCoeff() <= rounding)) return false;
  const Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  // The eigenvalues ascend, so this triangle inequality implies the other two.
  return moments[0] > rounding && moments[2] <= moments[0] + moments[1] + rounding;
}

}  // namespace tenon::physics
