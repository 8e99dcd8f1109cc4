// Collision data of a body: one element per shape, compounds expanded.
#pragma once

#include <limits>
#include <vector>

#include "physics/collision/bullet/element.h"
#include "physics/collision/convex_part.h"

namespace tenon::physics::bullet {

struct Body {
  std::vector<Element> elements;
  std::vector<ConvexPart> convexParts;
  std::vector<ConvexPart> boundingParts;  ///< the same extent in fewer convex parts, without half-spaces
  Bounds bounds;                          ///< of the bounded elements, body frame [m]
  bool canMove = false, hasHalfSpace = false;
  bool isNonConvex = false;  ///< a ring or polyhedron: not convex, although one convex part bounds it
  double radius = 0;         ///< [m]
  double thickness = std::numeric_limits<double>::infinity();  ///< of the thinnest shape [m]
};

/// `shape` at X_CP in the body's frame. Throws std::invalid_argument as convexPartsOf() and prepare() do, and
/// for more convex parts or edges than a contact's feature can encode.
Body makeBody(const Shape& shape, const Pose& X_CP, bool canMove);

}  // namespace tenon::physics::bullet
