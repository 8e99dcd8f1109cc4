// Test whether two cavities of a block are separated by material.
#pragma once

#include "physics/collision/geometry/revolved_shapes.h"

namespace tenon::physics {

/// True if the cavities are proven disjoint; false if they meet or the wall between them is thinner than
/// about kProfileTolerance. Each must be valid by itself, with its mouth on a face of the block.
bool areDisjoint(const Cavity& a, const Cavity& b);

}  // namespace tenon::physics
