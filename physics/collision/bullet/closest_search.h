// Closest or deepest points of two convex pieces by Bullet's GJK and EPA.
#pragma once

#include <memory>

#include "physics/collision/piece.h"
#include "physics/collision/piece_contacts.h"

namespace tenon::physics::bullet {

/// Closest points of the cores of `a` and `b` (b placed at X_AB in a's body frame), or the deepest
/// ones where they overlap. Not found: farther apart than `range` [m]. Every result is checked against
/// the separation along its own normal, and a doubtful one is asked for again from poses shifted by a
/// nanometre and less, always the same ones. Keeps nothing between calls. Not for half-spaces.
CorePoints searchClosest(const Piece& a, const Piece& b, const Motion3& X_AB, double range);

}  // namespace tenon::physics::bullet
