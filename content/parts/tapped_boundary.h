// Widens a hole in a solid of faces to the roots of a thread.
#pragma once

#include <string>

#include "content/parts/tapped_wall.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// Gives the cylinder of `wall`, in the hole whose mouth is at `X_BH`, the radius of the roots along the
/// thread and that of the pilot below it, with a step in between; its rims stay on the cones and planes that
/// they lie on. Returns a problem, or "": another face crosses the wall, or its ends are not square to it.
/// The solid is unusable after a problem.
std::string widenBoundary(const TappedWall& wall, const physics::Pose& X_BH, physics::BoundarySolid& solid);

}  // namespace tenon::content
