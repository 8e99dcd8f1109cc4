// A convex part of a body, and the decomposition of shapes into convex parts.
#pragma once

#include <array>
#include <vector>

#include "physics/collision/geometry/bounds.h"
#include "physics/collision/geometry/polytope.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::physics {

enum class ConvexPartKind {
  polytope,        ///< box, hull, part of a faceted block
  cylinderOrCone,  ///< cylinder, frustum, cone
  sphereSwept,     ///< sphere, capsule: a core (point or segment) swept by a sphere
  halfSpace,       ///< everything below a plane
};

/// A convex part in the frame of its body. Fields that a kind does not use keep their defaults.
struct ConvexPart {
  ConvexPartKind kind = ConvexPartKind::polytope;
  Polytope polytope;

  Vector3d center =
      Vector3d::Zero();  ///< of a cylinder, cone or sphere-swept part; on the plane of a half-space [m]
  Vector3d axis = Vector3d::UnitZ();             ///< from end 0 to end 1; outward normal of a half-space
  Vector3d radialDirection = Vector3d::UnitX();  ///< phase 0 on the rims of a cylinder or cone; unit, ⟂ axis
  double halfLength = 0;                         ///< of the axis or core [m]
  std::array<double, 2> radius{};  ///< at end 0 and end 1 of a cylinder or cone; of a swept one both [m]

  Bounds bounds;
  double thickness = 0;  ///< smallest side of the bounding box in the shape's own frame [m]
  /// Indices of the body's convex parts that may share a face with this one.
  std::vector<int> neighbors;
};

/// Convex parts of `shape` placed at X_CP in the body's frame, in a fixed order. Solids of revolution are
/// approximated by frustumsOf(), blocks with holes and polyhedra by their bounding box.
/// Throws std::invalid_argument as convexDecomposition() and convexHull() do.
std::vector<ConvexPart> convexPartsOf(const Shape& shape, const Pose& X_CP);

/// As convexPartsOf(), but a faceted block is its box: the same bounds with fewer parts.
std::vector<ConvexPart> boundingPartsOf(const Shape& shape, const Pose& X_CP);

/// Radius of the sphere swept along the core [m]; 0 for other kinds.
inline double sweepRadius(const ConvexPart& convexPart) {
  return convexPart.kind == ConvexPartKind::sphereSwept ? convexPart.radius[0] : 0;
}

/// Support function: max of d · p over the part [m · |d|]; infinite for a half-space unless d = axis.
double supportValue(const ConvexPart& convexPart, const Vector3d& d);

/// A point of the part farthest along `d` [m]; for a sphere-swept part, of its core. Not for half-spaces.
Vector3d coreSupport(const ConvexPart& convexPart, const Vector3d& d);

/// Exact bounds in frame A of X_AC [m].
Bounds boundsOf(const ConvexPart& convexPart, const RigidTransform& X_AC);

/// Largest distance of a point of the part from the body's origin [m]; infinite for half-spaces.
double radiusOf(const ConvexPart& convexPart);

/// True if `p` (body frame, on the surface of part `index`) with outward normal `n` is accessible from
/// outside: n is in the normal cone of every convex part of the body that contains p.
bool isSurfaceNormal(const std::vector<ConvexPart>& convexParts, int index, const Vector3d& p,
                     const Vector3d& n);

}  // namespace tenon::physics
