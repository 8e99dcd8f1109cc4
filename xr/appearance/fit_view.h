// Cameras that show all of a set of points.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xr/view.h"

namespace tenon::xr {

/// The names that viewDirection() accepts.
std::vector<std::string> viewNames();

/// The direction of a named view, a unit vector from the scene to the camera: "iso", "front" (from −y),
/// "back", "left" (from −x), "right", "top", "bottom". None: no such name.
std::optional<physics::Vector3d> viewDirection(std::string_view name);

/// Looks at all `points` [world, m] from direction `from`, as close as a margin of 1/16 at each edge allows.
/// `aspect`: width over height of the image. Without points it looks at the origin from 1 m away.
View fitView(std::span<const physics::Vector3d> points, const physics::Vector3d& from, double aspect);

/// Like fitView(), with parallel lines of sight.
View fitOrthographic(std::span<const physics::Vector3d> points, const physics::Vector3d& from, double aspect);

/// The orthographic view of the same direction that shows the plane at `distance` in front of the camera
/// alike, and everything that is at most `range` before and behind it [m].
View orthographic(View view, double distance, double range);

}  // namespace tenon::xr
