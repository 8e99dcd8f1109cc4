// See sampled_overlap.h.
#include "physics/collision/brep/sampled_overlap.h"

#include <algorithm>

#include "physics/collision/brep/boundary_distance.h"

namespace tenon::physics::brep {
namespace {

constexpr int kMaxFaceSamples = 100;
/// Of samples [m].
constexpr double kLeastSpacing = 1e-5;
/// A direction far from that of Solid::contains().
const Vector3d kOtherRay = Vector3d(-0.6816, 0.6213, 0.3864).normalized();

bool isWithin(const Bounds& box, const Vector3d& p) {
  return (p.array() >= box.low.array()).all() && (p.array() <= box.high.array()).all();
}

bool isBounded(const Solid& solid) {
  return solid.bounds().low.allFinite() && solid.bounds().high.allFinite();
}

/// True if p [m] and five of six points at half of the distance `d` from it lie inside, by rays of two
/// directions: a ray may pass a gap between faces.
bool isBallInside(const Solid& solid, const Vector3d& p, double d) {
  if (!solid.contains(p, kOtherRay)) return false;
  int inside = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-0.5, 0.5})
      inside += solid.contains(p + side * d * Vector3d::Unit(axis)) ? 1 : 0;
  return inside >= 5;
}

/// Of samples of curved faces of `a` inside `b`.
double deepestInside(const Solid& a, const Solid& b, const RigidTransform& X_BA, double spacing) {
  if (!a.hasCurvedFaces()) return 0;
  double deepest = 0;
  const auto visit = [&](int feature) {
    if (feature >= a.firstEdge()) return;
    const Face& face = a.faces[static_cast<std::size_t>(feature)];
    if (face.surface.kind == SurfaceKind::plane || !overlap(rotatedBounds(face.bounds, X_BA), b.bounds()))
      return;
    sampleFace(face, spacing, kMaxFaceSamples, [&](const FaceSample& sample) {
      const Vector3d p = X_BA.point(sample.p);
      if (!isWithin(b.bounds(), p) || !b.contains(p)) return;
      const double depth = distanceFromBoundary(b, p, spacing).distance;
      if (depth > deepest && isBallInside(b, p, depth)) deepest = depth;
    });
  };
  if (!isBounded(b)) {
    for (int k = 0; k < a.firstEdge(); ++k) visit(k);
    return deepest;
  }
  const Vector3d center = 0.5 * (b.bounds().low + b.bounds().high);
  const double radius = 0.5 * (b.bounds().high - b.bounds().low).norm();
  a.tree().forEachNear(X_BA.inverse().point(center), radius, visit);
  return deepest;
}

}  // namespace

double sampledOverlap(const Solid& a, const Solid& b, const RigidTransform& X_BA) {
  if (isBounded(a) && !overlap(rotatedBounds(a.bounds(), X_BA), b.bounds())) return 0;
  if (isBounded(b) && !overlap(rotatedBounds(b.bounds(), X_BA.inverse()), a.bounds())) return 0;
  const double spacing = std::max(kLeastSpacing, std::min(a.depthLimit(), b.depthLimit()));
  return std::max(deepestInside(a, b, X_BA, spacing), deepestInside(b, a, X_BA.inverse(), spacing));
}

}  // namespace tenon::physics::brep
