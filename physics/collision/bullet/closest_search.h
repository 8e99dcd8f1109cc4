// The direction in which two convex parts are closest, or least deep in each other, by Bullet's GJK and
// EPA.
#pragma once

#include "physics/collision/convex_part.h"

namespace tenon::physics::bullet {

/// Approximate direction of maximum separation from the core of `a` to that of `b` (b placed at X_AB in a's
/// body frame); unit, in a's frame. If GJK fails it may be any direction; coreSeparation() along it measures
/// its quality. Stateless. Not for half-spaces.
Vector3d searchNormal(const ConvexPart& a, const ConvexPart& b, const RigidTransform& X_AB);

}  // namespace tenon::physics::bullet
