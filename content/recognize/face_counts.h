// Numbers of the faces of a collision shape, by the kind of their surface.
#pragma once

#include "physics/collision/geometry/shape.h"

namespace tenon::content {

struct FaceCounts {
  int planes = 0, cylinders = 0, cones = 0, spheres = 0, tori = 0, freeform = 0;
  int facets = 0;  ///< triangles that collide as they are
};

/// Faces on one surface count once. Also of the children of a compound.
FaceCounts faceCountsOf(const physics::Shape& shape);

}  // namespace tenon::content
