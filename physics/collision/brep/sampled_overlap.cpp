// See sampled_overlap.h.
#include "physics/collision/brep/sampled_overlap.h"

#include <algorithm>

#include "physics/collision/brep/boundary_distance.h"

namespace tenon::physics::brep {
namespace {

constexpr int kMaxFaceSamples = 400;

bool isWithin(const Bounds& box, const Vector3d& p) {
  return (p.array() >= box.low.array()).all() && (p.array() <= box.high.array()).all();
}

/// True if a ball of radius `d` about p [m] lies inside, by six of its points: a single ray may pass a gap
/// between faces.
bool isBallInside(const Solid& solid, const Vector3d& p, double d) {
  int inside = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-0.5, 0.5})
      inside += solid.contains(p + side * d * Vector3d::Unit(axis)) ? 1 : 0;
  return inside >= 5;
}

/// Of samples of `a` inside `b`.
double deepestInside(const Solid& a, const Solid& b, const RigidTransform& X_BA, double spacing) {
  double deepest = 0;
  for (const Face& face : a.faces) {
    if (!overlap(rotatedBounds(face.bounds, X_BA), b.bounds())) continue;
    sampleFace(face, spacing, kMaxFaceSamples, [&](const FaceSample& sample) {
      const Vector3d p = X_BA.point(sample.p);
      if (!isWithin(b.bounds(), p) || !b.contains(p)) return;
      const double depth = distanceFromBoundary(b, p, spacing).distance;
      if (depth > deepest && isBallInside(b, p, depth)) deepest = depth;
    });
  }
  return deepest;
}

}  // namespace

double sampledOverlap(const Solid& a, const Solid& b, const RigidTransform& X_BA) {
  const double spacing = std::min(a.depthLimit(), b.depthLimit());
  return std::max(deepestInside(a, b, X_BA, spacing), deepestInside(b, a, X_BA.inverse(), spacing));
}

}  // namespace tenon::physics::brep
