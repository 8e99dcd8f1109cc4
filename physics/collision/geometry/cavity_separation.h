// Whether two cavities of a block leave material between them.
#pragma once

#include "physics/collision/geometry/revolved_shapes.h"

namespace tenon::physics {

/// True where the two are provably apart; false where they meet, or are so near (about kProfileTolerance)
/// that no wall is left. Both must be sound by themselves and have their mouths on the block's faces.
bool areDisjoint(const Cavity& a, const Cavity& b);

}  // namespace tenon::physics
