// Penetration directions and the iterative search: the part of ConvexManifold that evaluates separating axes
// of edge pairs and the maximum separation.
#include <algorithm>
#include <cmath>

#include "physics/collision/convex_manifold.h"
#include "physics/collision/geometry/tolerances.h"

namespace tenon::physics {

namespace {

constexpr double kTouching = 1e-8;      // overlap up to which faces count as touching [m]
constexpr double kCrossingSine = 1e-6;  // edges with a smaller sine are parallel: no separating axis [-]

}  // namespace

// Polytopes that overlap along all face normals may overlap far less along the normal of two edges, or not at
// all. False if that proves that they are farther apart than the range. Parts with neighbors use only face
// normals, as their edges may be seams.
bool ConvexManifold::measureExitDirections() {
  if (faceSeparationMax_ >= -kTouching || !convexPart(0).neighbors.empty() ||
      !convexPart(1).neighbors.empty())
    return true;
  if (!measureCrossings()) return false;
  const auto isRich = [](const ConvexPart& convexPart) {
    return convexPart.kind == ConvexPartKind::polytope && convexPart.polytope.edgeDirections.empty();
  };
  if (convexPart(0).kind != ConvexPartKind::polytope || convexPart(1).kind != ConvexPartKind::polytope)
    return true;
  if (!isRich(convexPart(0)) && !isRich(convexPart(1))) return true;
  const CorePoints core =
      maximumSeparation(convexPart(0), convexPart(1), sides_[0].X_SO, faceNormalMax_, range_);
  if (core.distance > crossing_) {
    crossing_ = core.distance;
    crossingNormal_ = core.n;
  }
  return !core.isSeparated;
}

// True if the overlap along the normal of two edges is smaller than along any face normal, in another
// direction. Nearly flush faces provide their own contacts.
bool ConvexManifold::isEdgePairWidest() const {
  return faceSeparationMax_ < 0 && crossing_ > faceSeparationMax_ &&
         crossingNormal_.dot(faceNormalMax_) < kFacingCosine;
}

// Direction of minimum penetration of overlapping or touching parts: through a face or a curved side. Only
// faces along it list overlaps, and only those not much deeper: a point 1 µm deep at an edge may be
// millimeters below a face. Call after all contacts but those of faces.
void ConvexManifold::chooseFacing() {
  const double maxSeparation = isEdgePairWidest() ? crossing_ : faceSeparationMax_;
  facing_ = faceNormalMax_;
  facingWidth_ = maxSeparation;
  if (faceSeparationMax_ >= 0 || best_.n.isZero() || !isClosestCandidate(best_.side, best_.n)) return;
  facing_ = towardsOther(best_.side, best_.n);
  facingWidth_ = std::max(separationAlong(best_.side, best_.n), maxSeparation);
}

// True if a rim of the other part may be within the range of an edge of the polytope of side s.
bool ConvexManifold::rimNearEdge(int s) const {
  const ConvexPart& other = convexPart(1 - s);
  const ConicalSide side = sideIn(s);
  const Polytope& polytope = convexPart(s).polytope;
  for (const Polytope::Edge& edge : polytope.edges) {
    if (!edge.onSurface) continue;
    const Vector3d half = 0.5 * (polytope.vertices[edge.b] - polytope.vertices[edge.a]);
    const Vector3d r = polytope.vertices[edge.a] + half - side.center;
    const double z = r.dot(side.axis);
    const double rho = (r - z * side.axis).norm();
    const double reach = half.norm() + range_;
    for (int rim : {0, 1}) {
      const double up = z - (rim ? side.halfLength : -side.halfLength);
      const double out = rho - other.radius[rim];
      if (up * up + out * out <= reach * reach) return true;
    }
  }
  return false;
}

bool ConvexManifold::needsSearch() const {
  const ConvexPartKind a = convexPart(0).kind, b = convexPart(1).kind;
  if (a == ConvexPartKind::halfSpace || b == ConvexPartKind::halfSpace) return false;
  if (a == ConvexPartKind::sphereSwept && b == ConvexPartKind::sphereSwept) return false;
  if (best_.separation >= -shallow_ &&
      separationAlong(best_.side, best_.n) >= best_.separation - kProofTolerance)
    return false;
  // Flush faces: all corners of their common area are listed.
  if (flush_ && faceSeparationMax_ >= -shallow_ && !isEdgePairWidest()) return false;
  if (faceSeparationMax_ <= 0) return true;
  // Separated, and all feature pairs of these kinds were evaluated.
  if (a == ConvexPartKind::polytope && b == ConvexPartKind::polytope) return true;
  if (a != ConvexPartKind::polytope && b != ConvexPartKind::polytope) return true;
  const int s = a == ConvexPartKind::polytope ? 0 : 1;
  return convexPart(1 - s).kind == ConvexPartKind::cylinderOrCone && rimNearEdge(s);
}

// For two boxes: nine separating axes of edge pairs.
bool ConvexManifold::measureCrossings() {
  if (crossingsMeasured_) return true;
  if (convexPart(0).kind != ConvexPartKind::polytope || convexPart(1).kind != ConvexPartKind::polytope)
    return true;
  crossingsMeasured_ = true;
  if (convexPart(0).polytope.isBox && convexPart(1).polytope.isBox) return measureBoxCrossings();
  const RigidTransform& X = sides_[0].X_SO;
  for (const Vector3d& f : convexPart(1).polytope.edgeDirections) {
    const Vector3d d = X.R * f;
    for (const Vector3d& e : convexPart(0).polytope.edgeDirections) {
      const Vector3d across = e.cross(d);
      const double sine = across.norm();
      if (sine < kCrossingSine) continue;
      for (const double sense : {1.0, -1.0}) {
        const Vector3d n = sense / sine * across;
        const double apart = separationAlong(0, n);
        if (apart > range_) return false;
        if (apart <= crossing_) continue;
        crossing_ = apart;
        crossingNormal_ = n;
      }
    }
  }
  return true;
}

// By symmetry each axis needs only one sense.
bool ConvexManifold::measureBoxCrossings() {
  const Polytope &a = convexPart(0).polytope, &b = convexPart(1).polytope;
  const RigidTransform& X = sides_[0].X_SO;
  const Vector3d between = X.point(b.boxCenter) - a.boxCenter;
  const std::array<Vector3d, 3> halfB{X.R * b.halfEdges[0], X.R * b.halfEdges[1], X.R * b.halfEdges[2]};
  for (int f = 0; f < 3; ++f) {
    const Vector3d d = X.R * b.edgeDirections[f];
    for (int e = 0; e < 3; ++e) {
      const Vector3d across = a.edgeDirections[e].cross(d);
      const double sine = across.norm();
      if (sine < kCrossingSine) continue;
      const Vector3d n = across / sine;
      const double away = n.dot(between);
      double reach = 0;
      for (int k = 0; k < 3; ++k) reach += std::abs(n.dot(a.halfEdges[k])) + std::abs(n.dot(halfB[k]));
      const double apart = std::abs(away) - reach;
      if (apart > range_) return false;
      if (apart <= crossing_) continue;
      crossing_ = apart;
      crossingNormal_ = away >= 0 ? n : Vector3d(-n);
      crossingEdges_ = {e, f};
    }
  }
  return true;
}

// Contact of the crossing edges of two boxes, if an edge pair has the maximum separation. False if the edges
// do not cross, other edges may be as close, or edges may be seams.
bool ConvexManifold::addCrossedEdges() {
  if (crossingEdges_[0] < 0 || crossing_ <= faceSeparationMax_) return false;
  if (!convexPart(0).neighbors.empty() || !convexPart(1).neighbors.empty()) return false;
  const Polytope &a = convexPart(0).polytope, &b = convexPart(1).polytope;
  const RigidTransform& X = sides_[0].X_SO;
  const Vector3d& n = crossingNormal_;
  Vector3d p = a.boxCenter, q = X.point(b.boxCenter);  // midpoints of both edges
  for (int k = 0; k < 3; ++k) {
    const Vector3d half[2] = {a.halfEdges[k], X.R * b.halfEdges[k]};
    Vector3d* middle[2] = {&p, &q};
    for (int s : {0, 1}) {
      if (k == crossingEdges_[s]) continue;
      const double up = n.dot(half[s]);
      if (std::abs(up) <= kCrossingSine * half[s].norm()) return false;
      *middle[s] += (up > 0) == (s == 0) ? half[s] : Vector3d(-half[s]);
    }
  }
  // p + s d and q + t e differ only along n.
  const Vector3d d = a.halfEdges[crossingEdges_[0]], e = X.R * b.halfEdges[crossingEdges_[1]];
  const double dd = d.dot(d), de = d.dot(e), ee = e.dot(e), area = dd * ee - de * de;
  const double toD = d.dot(q - p), toE = e.dot(q - p);
  const double s = (ee * toD - de * toE) / area, t = (de * toD - dd * toE) / area;
  if (!(std::abs(s) <= 1 && std::abs(t) <= 1)) return false;
  addCandidate(0, p + s * d, n, crossing_, {kSearched, 0, 0}, true);
  return true;
}

std::optional<Vector3d> ConvexManifold::separatingNormal() const {
  if (crossing_ > faceSeparationMax_) return crossingNormal_;
  const auto few = [](const ConvexPart& convexPart) {
    return convexPart.neighbors.empty() && !convexPart.polytope.edgeDirections.empty();
  };
  const bool measured = crossingsMeasured_ && few(convexPart(0)) && few(convexPart(1));
  if (!measured && faceSeparationMax_ + sweepRadius(convexPart(0)) + sweepRadius(convexPart(1)) <= 0)
    return std::nullopt;
  return faceNormalMax_;
}

// Maximum separation from `start`, or, for overlapping parts, also from the directions found by features,
// which may prove separation or a smaller penetration.
CorePoints ConvexManifold::searchMaximumSeparation(const Vector3d& start) const {
  const double grown = sweepRadius(convexPart(0)) + sweepRadius(convexPart(1));
  const auto search = [&](const Vector3d& n) {
    return maximumSeparation(convexPart(0), convexPart(1), sides_[0].X_SO, n, range_ + grown);
  };
  CorePoints core = search(start);
  const auto tryFrom = [&](const Vector3d& n) {
    if (n.isZero()) return;  // no direction found
    if (coreSeparation(convexPart(0), convexPart(1), sides_[0].X_SO, n) <= core.distance + kProofTolerance)
      return;
    core = search(n);
  };
  if (core.distance > 0) return core;
  tryFrom(faceNormalMax_);
  tryFrom(towardsOther(best_.side, best_.n));
  return core;
}

void ConvexManifold::addSearched(const Vector3d& start) {
  if (addCrossedEdges()) return;
  const CorePoints core = searchMaximumSeparation(start);
  if (core.isSeparated) return;
  const double grown[2] = {sweepRadius(convexPart(0)), sweepRadius(convexPart(1))};
  const double separation = core.distance - grown[0] - grown[1];
  const RigidTransform& X = sides_[0].X_SO;
  const auto onSurface = [&](int s) {
    if (convexPart(s).neighbors.empty()) return true;
    const Vector3d p = s == 0 ? core.a : Vector3d(X.R.transpose() * (core.b - X.p));
    const Vector3d n = s == 0 ? core.n : Vector3d(-(X.R.transpose() * core.n));
    return isSurfaceNormal(*sides_[s].convexParts, sides_[s].index, p, n);
  };
  if (onSurface(0) && onSurface(1)) {
    return addCandidate(0, core.a + grown[0] * core.n, core.n, separation, {kSearched, 0, 0}, true);
  }
  // Overlap, and the direction of minimum penetration points into a neighbor.
  if (separation < 0 && faceSeparationMax_ < 0) setExitContact();
}

// Contact through the shallowest face of the surface.
void ConvexManifold::setExitContact() {
  if (faceNormalMax_.isZero()) return;
  const RigidTransform& X = sides_[0].X_SO;
  const Vector3d b = X.point(coreSupport(convexPart(1), -(X.R.transpose() * faceNormalMax_))) -
                     sweepRadius(convexPart(1)) * faceNormalMax_;
  exitContact_ = contactAt(0, b - faceSeparationMax_ * faceNormalMax_, faceNormalMax_, faceSeparationMax_,
                           {kNearestFace, 0, 0});
}

}  // namespace tenon::physics
