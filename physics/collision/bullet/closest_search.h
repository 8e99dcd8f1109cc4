// The direction in which two convex parts are closest, or least deep in each other, by Bullet's GJK and
// EPA.
#pragma once

#include "physics/collision/convex_part.h"

namespace tenon::physics::bullet {

/// About the direction from the core of `a` to that of `b` (b placed at X_AB in a's body frame) along which
/// they are separated most; unit, in a's frame. Where GJK loses its way it may be any direction: what it is
/// worth, a separation along it tells. Keeps nothing between calls. Not for half-spaces.
Vector3d searchNormal(const ConvexPart& a, const ConvexPart& b, const RigidTransform& X_AB);

}  // namespace tenon::physics::bullet
