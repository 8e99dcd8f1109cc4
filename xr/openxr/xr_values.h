// Conversion of poses, fields of view and axes from the runtime; invalid values are rejected. Includes
// OpenXR's headers.
#pragma once

#include <optional>

#include "xr/openxr/openxr.h"
#include "xr/view.h"

namespace tenon::xr {

/// None for an invalid pose: coordinates that are not finite, or a quaternion of a norm outside 0.9…1.1.
std::optional<physics::Pose> poseOf(const XrPosef& pose);
XrPosef poseOf(const physics::Pose& pose);

/// True if the location is valid and its position tracked: an orientation alone may be inferred.
bool isTracked(const XrSpaceLocation& location);

/// None for an invalid pose or a field of view that is not finite, empty, or beyond ±90°.
std::optional<View> viewOf(const XrView& view);

/// The value of an axis or trigger; 0 if it is not finite.
double axisOf(float value);

}  // namespace tenon::xr
