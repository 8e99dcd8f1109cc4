// Samples at corners, then the triangle that may lie furthest off first (best-first branch and bound: a
// distance grows by no more than one goes).
#include "content/recognize/shape_deviation.h"

#include <algorithm>
#include <optional>
#include <queue>
#include <vector>

#include "content/mesh/triangle_bvh.h"
#include "content/recognize/shape_solid.h"

namespace tenon::content {
namespace {

/// Triangles that are divided, each way.
constexpr int kMostDivided = 5000;
/// Vertices and triangles of a mesh that are measured where its shape is exact.
constexpr std::size_t kMostExactSamples = 200'000;
/// Of what is stated: differences below do not matter.
constexpr double kResolution = 0.25;

Vector3d middleOf(const TriangleCorners& t) {
  return (t[0] + t[1] + t[2]) / 3;
}

double radiusOf(const TriangleCorners& t) {
  const Vector3d m = middleOf(t);
  return std::max({(t[0] - m).norm(), (t[1] - m).norm(), (t[2] - m).norm()});
}

void raise(LargestDeviation& extreme, double distance, const Vector3d& position) {
  if (distance > extreme.distance) extreme = {distance, position};
}

double distanceToSegment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const Vector3d d = b - a;
  const double square = d.squaredNorm(), t = square > 0 ? std::clamp((p - a).dot(d) / square, 0.0, 1.0) : 0;
  return (a + t * d - p).norm();
}

struct Patch {
  TriangleCorners corners;
  int source = -1;   ///< triangle that it is a part of
  double bound = 0;  ///< that no point of it exceeds [m]
  bool operator<(const Patch& other) const { return bound < other.bound; }
};

/// Divides what may exceed `extreme`, but for what `isNear` knows not to be further off than the resolution.
/// `heightOf`(p, source, radius): the distance of p, or anything that with radius does not exceed the
/// extreme.
template <class Height, class Near>
void search(const std::vector<TriangleCorners>& triangles, double resolution, Height heightOf, Near isNear,
            LargestDeviation& extreme) {
  std::priority_queue<Patch> open;
  const auto add = [&](const TriangleCorners& t, int source) {
    if (isNear(t)) return;
    const double radius = radiusOf(t);
    const Vector3d middle = middleOf(t);
    const double height = heightOf(middle, source, radius);
    raise(extreme, height, middle);
    if (height + radius > extreme.distance + resolution) open.push({t, source, height + radius});
  };
  for (std::size_t k = 0; k < triangles.size(); ++k) add(triangles[k], static_cast<int>(k));
  for (int k = 0; k < kMostDivided && !open.empty(); ++k) {
    const Patch patch = open.top();
    open.pop();
    if (patch.bound <= extreme.distance + resolution) return;
    const auto& [a, b, c] = patch.corners;
    const Vector3d ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
    for (const TriangleCorners& part : {TriangleCorners{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
      add(part, patch.source);
  }
}

class Measurement {
 public:
  Measurement(const Facets& facets, std::span<const double> allowance, const physics::Shape& shape,
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

  /// What is allowed at p on or next to a triangle: beside an exact round face, within its facets' depth,
  /// what is allowed of that.
  double allowanceAt(int triangle, const Vector3d& p) const {
    double most = allowance_[static_cast<std::size_t>(triangle)];
    for (int k = 0; k < 3; ++k) {
      const int other = facets_.neighbor(triangle, k);
      const double beside = other < 0 ? 0 : allowance_[static_cast<std::size_t>(other)];
      if (beside > most && distanceToSegment(p, corner(triangle, k), corner(triangle, k + 1)) <= beside)
        most = beside;
    }
    return most;
  }

  /// All of the mesh lies on the surface of an exact shape.
  void measureExact() {
    const std::size_t stride = 1 + static_cast<std::size_t>(facets_.count()) * 4 / kMostExactSamples;
    const auto look = [&](int t, const Vector3d& p) {
      const double distance = solid_.distance(p), allowed = allowanceAt(t, p);
      raise(result_.missing, distance - allowed, p);
      raise(result_.outside, -distance - allowed, p);
    };
    for (std::size_t k = 0; k < static_cast<std::size_t>(facets_.count()); k += stride) {
      const auto t = static_cast<int>(k);
      for (int c = 0; c < 3; ++c) look(t, facets_.point(t, c));
      look(t, (facets_.point(t, 0) + facets_.point(t, 1) + facets_.point(t, 2)) / 3);
    }
  }

  void measureMissing() {
    const auto height = [&](const Vector3d& p, int t, double radius) {
      const double distance = solid_.distance(p);
      if (distance + radius <= result_.missing.distance) return distance;
      return distance - allowanceAt(t, p);
    };
    for (int t = 0; t < facets_.count(); ++t)
      for (int k = 0; k < 3; ++k) raise(result_.missing, height(corner(t, k), t, 0), corner(t, k));
    const double resolution = kResolution * result_.tolerance;
    const auto isNear = [&](const TriangleCorners& t) { return solid_.isInOneConvexPart(t, resolution); };
    search(trianglesOf(facets_.mesh->mesh), resolution, height, isNear, result_.missing);
  }

  /// Height of p over the mesh, negative in it.
  double overMesh(const Vector3d& p, double radius) const {
    const TriangleBvh::Nearest nearest = tree_->nearest(p);
    if (nearest.distance + radius <= result_.outside.distance) return nearest.distance;
    if (tree_->isInside(p)) return -nearest.distance;
    const Vector3d on = closestPointOnTriangle(tree_->triangle(nearest.triangle), p);
    return nearest.distance - allowanceAt(nearest.triangle, on);
  }

  void measureOutside() {
    const auto look = [&](const Vector3d& p) { raise(result_.outside, overMesh(p, 0), p); };
    for (const Vector3d& p : solid_.roundPoints()) look(p);
    for (const TriangleCorners& t : solid_.faces())
      for (const Vector3d& p : t) look(p);
    const auto height = [&](const Vector3d& p, int, double radius) { return overMesh(p, radius); };
    const auto never = [](const TriangleCorners&) { return false; };
    search(solid_.faces(), kResolution * result_.tolerance, height, never, result_.outside);
    for (int t = 0; t < facets_.count(); ++t) probeOver(t);
  }

  /// From the middle of a triangle outwards as far as the shape goes: holes and gaps that it fills.
  void probeOver(int t) {
    const Vector3d& n = facets_.normals[static_cast<std::size_t>(t)];
    const Vector3d middle = middleOf(tree_->triangle(t));
    for (double out = std::max(2 * result_.outside.distance, result_.tolerance); out < facets_.extent;
         out *= 2) {
      const Vector3d p = middle + out * n;
      if (n.isZero() || solid_.distance(p) > 0) return;
      const double before = result_.outside.distance;
      raise(result_.outside, overMesh(p, 0), p);
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
  return Measurement(facets, allowance, shape, tolerance).measure();
}

}  // namespace tenon::content
