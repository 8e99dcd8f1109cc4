// Separations along face normals and crossed edges; boxes by their symmetry.
#include "physics/collision/manifold/separating_axes.h"

#include <algorithm>
#include <cmath>

#include "physics/collision/geometry/tolerances.h"
#include "physics/collision/maximum_separation.h"

namespace tenon::physics {
namespace {

constexpr double kTouching = 1e-8;  // overlap up to which faces count as touching [m]

}  // namespace

bool SeparatingAxes::measureFaces() {
  for (int s : {0, 1}) {
    if (areBoxes()) {
      if (!measureBoxFaces(s)) return false;
      continue;
    }
    for (int k = 0; k < faceCount(pair_.part(s)); ++k) {
      const PlanarFace face = faceOf(pair_.part(s), k);
      if (!recordFaceSeparation(s, k, face.normal, face.internal, separationBy(s, face))) return false;
    }
  }
  return true;
}

double SeparatingAxes::faceSeparation(int s, int face) const {
  return face < kCachedFaces ? faceSeparation_[s][face] : separationBy(s, faceOf(pair_.part(s), face));
}

double SeparatingAxes::separationBy(int s, const PlanarFace& face) const {
  const RigidTransform& X = pair_.X_SO(s);
  return face.normal.dot(X.p) - supportValue(pair_.part(1 - s), -(X.R.transpose() * face.normal)) -
         face.offset;
}

// By symmetry a box extends equally along a normal and against it. Opposite faces are adjacent in a box's
// list.
bool SeparatingAxes::measureBoxFaces(int s) {
  const Polytope &own = pair_.part(s).polytope, &other = pair_.part(1 - s).polytope;
  const RigidTransform& X = pair_.X_SO(s);
  const Vector3d middle = X.point(other.boxCenter);
  for (int k = 0; k < 6; k += 2) {
    const Vector3d n = X.R.transpose() * own.faces[k].normal;
    double extent = 0;
    for (const Vector3d& half : other.halfEdges) extent += std::abs(n.dot(half));
    for (int face : {k, k + 1}) {
      const auto& [normal, offset, firstBorder, borderCount, internal] = own.faces[face];
      if (!recordFaceSeparation(s, face, normal, internal, normal.dot(middle) - extent - offset))
        return false;
    }
  }
  return true;
}

// False if the separation exceeds the range.
bool SeparatingAxes::recordFaceSeparation(int s, int face, const Vector3d& normal, bool internal,
                                          double apart) {
  if (apart > pair_.range) return false;
  if (face < kCachedFaces) faceSeparation_[s][face] = apart;
  if (internal || apart <= face_.separation) return true;
  face_.separation = apart;
  face_.n = pair_.towardsOther(s, normal);
  return true;
}

bool SeparatingAxes::touchAlongEdges() const {
  if (!pair_.areBoth(ConvexPartKind::polytope)) return false;
  if (std::abs(face_.separation) > kEdgeContactTolerance) return false;
  Vector3d first = Vector3d::Zero();
  for (int s : {0, 1}) {
    for (int k = 0; k < faceCount(pair_.part(s)); ++k) {
      const PlanarFace face = faceOf(pair_.part(s), k);
      if (face.internal || std::abs(faceSeparation(s, k)) > kEdgeContactTolerance ||
          !liesOnFace(s, face.normal))
        continue;
      const Vector3d n = pair_.towardsOther(s, face.normal);
      if (first.isZero(0)) first = n;
      if (first.cross(n).norm() > kFacingSine) return true;
    }
  }
  return false;
}

// True where the other polytope has a face that lies along the one with this normal.
bool SeparatingAxes::liesOnFace(int s, const Vector3d& normal) const {
  const Vector3d n = pair_.X_SO(s).R.transpose() * normal;
  const auto& faces = pair_.part(1 - s).polytope.faces;
  return std::any_of(faces.begin(), faces.end(), [&n](const Polytope::Face& face) {
    return face.normal.dot(n) < 0 && face.normal.cross(n).norm() <= kFlushTilt;
  });
}

bool SeparatingAxes::isClosest(int s, const Vector3d& n) const {
  return pair_.separationAlong(s, n) >= face_.separation - kSamePoint;
}

// Polytopes that overlap along all face normals may overlap far less along the normal of two edges, or not at
// all. Parts with neighbors use only face normals, as their edges may be seams.
bool SeparatingAxes::measurePenetration() {
  if (face_.separation >= -kTouching || !pair_.part(0).neighbors.empty() || !pair_.part(1).neighbors.empty())
    return true;
  if (!measureCrossings()) return false;
  const auto isRich = [](const ConvexPart& convexPart) {
    return convexPart.kind == ConvexPartKind::polytope && convexPart.polytope.edgeDirections.empty();
  };
  if (!pair_.areBoth(ConvexPartKind::polytope)) return true;
  if (!isRich(pair_.part(0)) && !isRich(pair_.part(1))) return true;
  const CorePoints core =
      maximumSeparation(pair_.part(0), pair_.part(1), pair_.X_SO(0), face_.n, pair_.range);
  if (core.distance > crossing_.separation) {
    crossing_.separation = core.distance;
    crossing_.n = core.n;
  }
  return !core.isSeparated;
}

bool SeparatingAxes::edgesSeparateMost() const {
  return face_.separation < 0 && crossing_.separation > face_.separation &&
         crossing_.n.dot(face_.n) < kFacingCosine;
}

bool SeparatingAxes::measureCrossings() {
  if (crossingsMeasured_) return true;
  if (!pair_.areBoth(ConvexPartKind::polytope)) return true;
  crossingsMeasured_ = true;
  if (areBoxes()) return measureBoxCrossings();
  const RigidTransform& X = pair_.X_SO(0);
  for (const Vector3d& f : pair_.part(1).polytope.edgeDirections) {
    const Vector3d d = X.R * f;
    for (const Vector3d& e : pair_.part(0).polytope.edgeDirections) {
      const Vector3d across = e.cross(d);
      const double sine = across.norm();
      if (sine < kCrossingSine) continue;
      for (const double sense : {1.0, -1.0}) {
        const Vector3d n = sense / sine * across;
        const double apart = pair_.separationAlong(0, n);
        if (apart > pair_.range) return false;
        if (apart <= crossing_.separation) continue;
        crossing_.separation = apart;
        crossing_.n = n;
      }
    }
  }
  return true;
}

// Nine axes; by symmetry each needs only one sense.
bool SeparatingAxes::measureBoxCrossings() {
  const Polytope &a = pair_.part(0).polytope, &b = pair_.part(1).polytope;
  const RigidTransform& X = pair_.X_SO(0);
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
      double extent = 0;
      for (int k = 0; k < 3; ++k) extent += std::abs(n.dot(a.halfEdges[k])) + std::abs(n.dot(halfB[k]));
      const double apart = std::abs(away) - extent;
      if (apart > pair_.range) return false;
      if (apart <= crossing_.separation) continue;
      crossing_.separation = apart;
      crossing_.n = away >= 0 ? n : Vector3d(-n);
      crossingEdges_ = {e, f};
    }
  }
  return true;
}

std::optional<Vector3d> SeparatingAxes::separatingNormal() const {
  if (crossing_.separation > face_.separation) return crossing_.n;
  const auto few = [](const ConvexPart& convexPart) {
    return convexPart.neighbors.empty() && !convexPart.polytope.edgeDirections.empty();
  };
  const bool measured = crossingsMeasured_ && few(pair_.part(0)) && few(pair_.part(1));
  if (!measured && face_.separation + sweepRadius(pair_.part(0)) + sweepRadius(pair_.part(1)) <= 0)
    return std::nullopt;
  return face_.n;
}

}  // namespace tenon::physics
