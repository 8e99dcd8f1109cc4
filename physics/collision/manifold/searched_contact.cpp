// The contact of two crossing edges of boxes, else of the maximum separation.
#include "physics/collision/manifold/searched_contact.h"

#include <cmath>

#include "physics/collision/geometry/tolerances.h"
#include "physics/collision/maximum_separation.h"

namespace tenon::physics {
namespace {

// Contact of the crossing edges of two boxes, if an edge pair has the maximum separation. False if the edges
// do not cross, other edges may be as close, or edges may be seams.
bool addCrossedEdges(const ConvexPair& pair, const SeparatingAxes& axes, Candidates& candidates) {
  if (axes.crossingEdges()[0] < 0 || axes.crossing().separation <= axes.face().separation) return false;
  if (!pair.part(0).neighbors.empty() || !pair.part(1).neighbors.empty()) return false;
  const Polytope &a = pair.part(0).polytope, &b = pair.part(1).polytope;
  const RigidTransform& X = pair.X_SO(0);
  const Vector3d& n = axes.crossing().n;
  Vector3d p = a.boxCenter, q = X.point(b.boxCenter);  // midpoints of both edges
  for (int k = 0; k < 3; ++k) {
    const Vector3d half[2] = {a.halfEdges[k], X.R * b.halfEdges[k]};
    Vector3d* middle[2] = {&p, &q};
    for (int s : {0, 1}) {
      if (k == axes.crossingEdges()[s]) continue;
      const double up = n.dot(half[s]);
      if (std::abs(up) <= kCrossingSine * half[s].norm()) return false;
      *middle[s] += (up > 0) == (s == 0) ? half[s] : Vector3d(-half[s]);
    }
  }
  // p + s d and q + t e differ only along n.
  const Vector3d d = a.halfEdges[axes.crossingEdges()[0]], e = X.R * b.halfEdges[axes.crossingEdges()[1]];
  const double dd = d.dot(d), de = d.dot(e), ee = e.dot(e), area = dd * ee - de * de;
  const double toD = d.dot(q - p), toE = e.dot(q - p);
  const double s = (ee * toD - de * toE) / area, t = (de * toD - dd * toE) / area;
  if (!(std::abs(s) <= 1 && std::abs(t) <= 1)) return false;
  candidates.add(0, p + s * d, n, axes.crossing().separation, {kSearched, 0, 0});
  return true;
}

// Maximum separation from `start`, or, for overlapping parts, also from the directions found by features,
// which may prove separation or a smaller penetration.
CorePoints searchMaximumSeparation(const ConvexPair& pair, const SeparatingAxes& axes,
                                   const Candidates::Closest& closest, const Vector3d& start) {
  const double grown = sweepRadius(pair.part(0)) + sweepRadius(pair.part(1));
  const auto search = [&](const Vector3d& n) {
    return maximumSeparation(pair.part(0), pair.part(1), pair.X_SO(0), n, pair.range + grown);
  };
  CorePoints core = search(start);
  const auto tryFrom = [&](const Vector3d& n) {
    if (n.isZero()) return;  // no direction found
    if (coreSeparation(pair.part(0), pair.part(1), pair.X_SO(0), n) <= core.distance + kProofTolerance)
      return;
    core = search(n);
  };
  if (core.distance > 0) return core;
  tryFrom(axes.face().n);
  tryFrom(pair.towardsOther(closest.side, closest.n));
  return core;
}

// Contact through the shallowest face of the surface.
Contact nearestFaceContact(const ConvexPair& pair, const SeparatingAxes& axes, const Candidates& candidates) {
  const auto& [separation, n] = axes.face();
  const RigidTransform& X = pair.X_SO(0);
  const Vector3d b =
      X.point(coreSupport(pair.part(1), -(X.R.transpose() * n))) - sweepRadius(pair.part(1)) * n;
  return candidates.contactAt(0, b - separation * n, n, separation, {kNearestFace, 0, 0});
}

}  // namespace

std::optional<Contact> addSearchedContact(const ConvexPair& pair, const SeparatingAxes& axes,
                                          const Vector3d& start, Candidates& candidates) {
  if (addCrossedEdges(pair, axes, candidates)) return std::nullopt;
  const CorePoints core = searchMaximumSeparation(pair, axes, candidates.closest(), start);
  if (core.isSeparated) return std::nullopt;
  const double grown[2] = {sweepRadius(pair.part(0)), sweepRadius(pair.part(1))};
  const double separation = core.distance - grown[0] - grown[1];
  const RigidTransform& X = pair.X_SO(0);
  const auto onSurface = [&](int s) {
    if (pair.part(s).neighbors.empty()) return true;
    const Vector3d p = s == 0 ? core.a : Vector3d(X.R.transpose() * (core.b - X.p));
    const Vector3d n = s == 0 ? core.n : Vector3d(-(X.R.transpose() * core.n));
    return isSurfaceNormal(*pair.sides[s].convexParts, pair.sides[s].index, p, n);
  };
  if (onSurface(0) && onSurface(1)) {
    candidates.add(0, core.a + grown[0] * core.n, core.n, separation, {kSearched, 0, 0});
    return std::nullopt;
  }
  // Overlap, and the direction of minimum penetration points into a neighbor.
  const bool overlaps = separation < 0 && axes.face().separation < 0;
  if (!overlaps || axes.face().n.isZero()) return std::nullopt;
  return nearestFaceContact(pair, axes, candidates);
}

}  // namespace tenon::physics
