// Interpolation between poses.
#pragma once

#include "physics/math/pose.h"

namespace tenon::xr {

/// The pose at `fraction` (0…1) between `a` and `b`: the origin moves along a line, the rotation about one
/// axis by the smaller angle (slerp, Shoemake 1985). Exactly `a` at 0 and `b` at 1.
physics::Pose interpolatePose(const physics::Pose& a, const physics::Pose& b, double fraction);

}  // namespace tenon::xr
