// Simple shapes as solids of triangles on their own surfaces, whose faces can be moved one by one.
#pragma once

#include <optional>

#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// The same solid, with its holes: of a cuboid, a hull, a cylinder, a frustum, a solid of revolution without
/// a thread or a block with round holes, where it is placed; circles have 48 chords. A solid of triangles as
/// it is. Empty for other shapes, and for compounds of several.
std::optional<physics::BoundarySolid> boundaryOf(const physics::Shape& shape);

}  // namespace tenon::content
