// A convex piece of a body: what contacts are computed between.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "physics/collision/geometry/polytope.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::physics {

enum class ConvexPartKind {
  polytope,        ///< box, hull, piece of a holed block
  cylinderOrCone,  ///< cylinder, frustum, cone
  sphereSwept,     ///< sphere, capsule: a core (point or segment) grown by a radius
  halfSpace,       ///< everything below a plane
};

/// Axis-aligned bounds. Empty by default.
struct Bounds {
  Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity());
  Vector3d high = Vector3d::Constant(-std::numeric_limits<double>::infinity());
};

/// A rigid motion with its rotation as a matrix: p_A = R p_B + p.
struct RigidTransform {
  Matrix3d R = Matrix3d::Identity();
  Vector3d p = Vector3d::Zero();
  Vector3d point(const Vector3d& q) const { return R * q + p; }
  Vector3d vector(const Vector3d& d) const { return R * d; }
  RigidTransform inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

/// X_AB of two poses X_WA and X_WB, without the loss of their distance from the world's origin.
RigidTransform relative(const Pose& X_WA, const Pose& X_WB);

/// In the frame of its body. Fields that a kind does not use stay at their defaults.
struct ConvexPart {
  ConvexPartKind kind = ConvexPartKind::polytope;
  Polytope polytope;

  Vector3d center = Vector3d::Zero();  ///< of a round or swept piece; on the plane of a half-space [m]
  Vector3d axis = Vector3d::UnitZ();   ///< from end 0 to end 1; outward normal of a half-space
  Vector3d radialDirection = Vector3d::UnitX();  ///< phase 0 on the rims of a round piece, ⟂ axis
  double halfLength = 0;                         ///< of the axis or core [m]
  std::array<double, 2> radius{};  ///< at end 0 and end 1 of a round piece; of a swept one both [m]

  Bounds bounds;
  double thickness = 0;  ///< smallest side of the bounds in the piece's own frame [m]
  /// Pieces of the same part that may share a face with this one, by index; empty: none do.
  std::vector<int> neighbors;
};

/// Convex pieces of `shape` placed at X_CP in the body's frame, in a fixed order (children of
/// compounds in theirs). Of turned parts and bored blocks, what conversions.h makes of them. Throws
/// std::invalid_argument as convexDecomposition() and convexHull() do.
std::vector<ConvexPart> convexPartsOf(const Shape& shape, const Pose& X_CP);

/// As convexPartsOf(), but a block with holes is its box: the same bounds with less to look at.
std::vector<ConvexPart> boundingPartsOf(const Shape& shape, const Pose& X_CP);

/// The radius by which a piece is larger than its core [m].
inline double sweepRadius(const ConvexPart& convexPart) {
  return convexPart.kind == ConvexPartKind::sphereSwept ? convexPart.radius[0] : 0;
}

/// max over the piece of d · p [m · |d|]; of a half-space only where d = axis, else infinite.
double supportValue(const ConvexPart& convexPart, const Vector3d& d);

/// A point of the piece that is farthest along `d` [m]; of a swept piece, of its core. Not for half-spaces.
Vector3d coreSupport(const ConvexPart& convexPart, const Vector3d& d);

/// Exact bounds in frame A of X_AC [m].
Bounds boundsOf(const ConvexPart& convexPart, const RigidTransform& X_AC);

/// Largest distance of a point of the piece from the body's origin [m]; infinite for half-spaces.
double radiusOf(const ConvexPart& convexPart);

/// True where `p` (body frame, in the piece's surface) with outward normal `n` can be touched from
/// outside: n lies in the normal cone of every piece that has p, so that no neighbour is in the way.
/// `index`: of the piece among `pieces`, those of one body.
bool isSurfaceNormal(const std::vector<ConvexPart>& convexParts, int index, const Vector3d& p,
                     const Vector3d& n);

}  // namespace tenon::physics
