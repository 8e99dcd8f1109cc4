// Solids of revolution, blocks with cavities of revolution, and the other simple shapes as solids.
#pragma once

#include "physics/collision/brep/solid.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::physics::brep {

/// The same solid, on its own faces; a faceted block with its true round holes. Not for compounds. Throws
/// std::invalid_argument for hulls without volume and as solidOfTriangles().
Solid solidOf(const Shape& shape);

/// Overlap up to which contacts of its features are listed [m]: a quarter of its least side or radius.
double depthLimitOf(const BoundarySolid& boundary);

}  // namespace tenon::physics::brep
