// Poses, fields of view and axes as a runtime gives them: what is no number or no rotation is rejected. With
// OpenXR's headers.
#pragma once

#include <optional>

#include "xr/openxr/openxr.h"
#include "xr/view.h"

namespace tenon::xr {

/// Nothing for a pose that is none: coordinates that are not finite, or a quaternion whose length is not
/// near 1.
std::optional<physics::Pose> poseOf(const XrPosef& pose);
XrPosef poseOf(const physics::Pose& pose);

/// Nothing for a pose that is none, or a field of view that is not finite, empty, or beyond ±90°.
std::optional<View> viewOf(const XrView& view);

/// An axis or a trigger; 0 for what is not finite.
double axisOf(float value);

}  // namespace tenon::xr
