// The way from one pose to another.
#pragma once

#include "physics/math/pose.h"

namespace tenon::xr {

/// The pose `fraction` (0…1) of the way from `a` to `b`: the origin goes straight, the rotation turns
/// about one axis, the shorter way round (Shoemake's slerp). Exactly `a` at 0 and `b` at 1.
physics::Pose interpolatePose(const physics::Pose& a, const physics::Pose& b, double fraction);

}  // namespace tenon::xr
