// Samples vertices, then best-first branch and bound over subdivided triangles: a distance function changes
// by at most the distance moved (Lipschitz constant 1).
#include "content/recognize/shape_deviation.h"

#include <algorithm>
#include <optional>
#include <queue>
#include <vector>

#include "content/mesh/triangle_bvh.h"
#include "content/recognize/shape_solid.h"

namespace tenon::content {
namespace {

/// Limit of the subdivided triangles, per direction.
constexpr int kMaxSubdivisions = 5000;
/// Approximate limit of the samples on a mesh with an exact shape.
constexpr std::size_t kMaxExactSamples = 200'000;
/// Resolution of the search relative to the tolerance [-].
constexpr double kResolution = 0.25;

Vector3d centroidOf(const TriangleCorners& t) {
  return (t[0] + t[1] + t[2]) / 3;
}

double radiusOf(const TriangleCorners& t) {
  const Vector3d m = centroidOf(t);
  return std::max({(t[0] - m).norm(), (t[1] - m).norm(), (t[2] - m).norm()});
}

void raise(LargestDeviation& largest, double distance, const Vector3d& position) {
  if (distance > largest.distance) largest = {distance, position};
}

double distanceToSegment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const Vector3d d = b - a;
  const double square = d.squaredNorm(), t = square > 0 ? std::clamp((p - a).dot(d) / square, 0.0, 1.0) : 0;
  return (a + t * d - p).norm();
}

struct Patch {
  TriangleCorners corners;
  int source = -1;   ///< original triangle
  double bound = 0;  ///< upper bound of the distance of its points [m]
  bool operator<(const Patch& other) const { return bound < other.bound; }
};

/// Raises `largest` to the largest distance of the triangles. `isNear`(triangle): the distance is within the
/// resolution, so the triangle is skipped. `distanceOf`(p, source, radius): the distance of p, or any value v
/// with v + radius ≤ `largest`.
template <class Distance, class Near>
void search(const std::vector<TriangleCorners>& triangles, double resolution, Distance distanceOf,
            Near isNear, LargestDeviation& largest) {
  std::priority_queue<Patch> open;
  const auto add = [&](const TriangleCorners& t, int source) {
    if (isNear(t)) return;
    const double radius = radiusOf(t);
    const Vector3d middle = centroidOf(t);
    const double distance = distanceOf(middle, source, radius);
    raise(largest, distance, middle);
    if (distance + radius > largest.distance + resolution) open.push({t, source, distance + radius});
  };
  for (std::size_t k = 0; k < triangles.size(); ++k) add(triangles[k], static_cast<int>(k));
  for (int k = 0; k < kMaxSubdivisions && !open.empty(); ++k) {
    const Patch patch = open.top();
    open.pop();
    if (patch.bound <= largest.distance + resolution) return;
    const auto& [a, b, c] = patch.corners;
    const Vector3d ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
    for (const TriangleCorners& part : {TriangleCorners{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
      add(part, patch.source);
  }
}

class DeviationMeasurement {
 public:
  DeviationMeasurement(const Facets& facets, std::span<const double> allowance, const physics::Shape& shape,
                       double tolerance)
      : facets_(facets), allowance_(allowance), solid_(shape) {
    result_.tolerance = tolerance;
  }

  ShapeDeviation measure() {
    if (solid_.isExact()) {
      measureExact();
      return result_;
    }
    tree_.emplace(trianglesOf(facets_.mesh->mesh));
    measureMissing();
    if (facets_.mesh->report.isClosed()) measureOutside();
    return result_;
  }

 private:
  const Vector3d& corner(int triangle, int k) const { return facets_.point(triangle, k % 3); }

  /// Allowance at p on or next to a triangle: the largest of the triangle's and those of its neighbors within
  /// whose allowance p lies.
  double allowanceAt(int triangle, const Vector3d& p) const {
    double largest = allowance_[static_cast<std::size_t>(triangle)];
    for (int k = 0; k < 3; ++k) {
      const int other = facets_.neighbor(triangle, k);
      const double neighborAllowance = other < 0 ? 0 : allowance_[static_cast<std::size_t>(other)];
      if (neighborAllowance > largest &&
          distanceToSegment(p, corner(triangle, k), corner(triangle, k + 1)) <= neighborAllowance)
        largest = neighborAllowance;
    }
    return largest;
  }

  /// For an exact shape: the whole mesh should lie on its surface.
  void measureExact() {
    const std::size_t stride = 1 + static_cast<std::size_t>(facets_.count()) * 4 / kMaxExactSamples;
    const auto sample = [&](int t, const Vector3d& p) {
      const double distance = solid_.distance(p), allowed = allowanceAt(t, p);
      raise(result_.missing, distance - allowed, p);
      raise(result_.outside, -distance - allowed, p);
    };
    for (std::size_t k = 0; k < static_cast<std::size_t>(facets_.count()); k += stride) {
      const auto t = static_cast<int>(k);
      for (int c = 0; c < 3; ++c) sample(t, facets_.point(t, c));
      sample(t, (facets_.point(t, 0) + facets_.point(t, 1) + facets_.point(t, 2)) / 3);
    }
  }

  void measureMissing() {
    const auto reducedDistance = [&](const Vector3d& p, int t, double radius) {
      const double distance = solid_.distance(p);
      if (distance + radius <= result_.missing.distance) return distance;
      return distance - allowanceAt(t, p);
    };
    for (int t = 0; t < facets_.count(); ++t)
      for (int k = 0; k < 3; ++k) raise(result_.missing, reducedDistance(corner(t, k), t, 0), corner(t, k));
    const double resolution = kResolution * result_.tolerance;
    const auto isNear = [&](const TriangleCorners& t) { return solid_.isInOneConvexPart(t, resolution); };
    search(trianglesOf(facets_.mesh->mesh), resolution, reducedDistance, isNear, result_.missing);
  }

  /// Signed distance of p from the mesh, negative inside.
  double signedDistance(const Vector3d& p, double radius) const {
    const TriangleBvh::Nearest nearest = tree_->nearest(p);
    if (nearest.distance + radius <= result_.outside.distance) return nearest.distance;
    if (tree_->isInside(p)) return -nearest.distance;
    const Vector3d on = closestPointOnTriangle(tree_->triangle(nearest.triangle), p);
    return nearest.distance - allowanceAt(nearest.triangle, on);
  }

  void measureOutside() {
    const auto sample = [&](const Vector3d& p) { raise(result_.outside, signedDistance(p, 0), p); };
    for (const Vector3d& p : solid_.roundPoints()) sample(p);
    for (const TriangleCorners& t : solid_.faces())
      for (const Vector3d& p : t) sample(p);
    const auto distance = [&](const Vector3d& p, int, double radius) { return signedDistance(p, radius); };
    const auto never = [](const TriangleCorners&) { return false; };
    search(solid_.faces(), kResolution * result_.tolerance, distance, never, result_.outside);
    for (int t = 0; t < facets_.count(); ++t) probeOutwards(t);
  }

  /// Samples along the normal of a triangle while inside the shape: finds filled holes and gaps.
  void probeOutwards(int t) {
    const Vector3d& n = facets_.normals[static_cast<std::size_t>(t)];
    const Vector3d middle = centroidOf(tree_->triangle(t));
    for (double out = std::max(2 * result_.outside.distance, result_.tolerance); out < facets_.extent;
         out *= 2) {
      const Vector3d p = middle + out * n;
      if (n.isZero() || solid_.distance(p) > 0) return;
      const double before = result_.outside.distance;
      raise(result_.outside, signedDistance(p, 0), p);
      if (result_.outside.distance == before) return;
    }
  }

  const Facets& facets_;
  std::span<const double> allowance_;
  ShapeSolid solid_;
  std::optional<TriangleBvh> tree_;
  ShapeDeviation result_;
};

}  // namespace

ShapeDeviation measureDeviation(const Facets& facets, std::span<const double> allowance,
                                const physics::Shape& shape, double tolerance) {
  return DeviationMeasurement(facets, allowance, shape, tolerance).measure();
}

}  // namespace tenon::content
