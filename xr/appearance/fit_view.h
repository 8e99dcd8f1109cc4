// Cameras that see all of something.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xr/view.h"

namespace tenon::xr {

/// The names that viewDirection() knows.
std::vector<std::string> viewNames();

/// From where a named view looks, a unit vector from the scene to the camera: "iso", "front" (from −y),
/// "back", "left" (from −x), "right", "top", "bottom". None: no such name.
std::optional<physics::Vector3d> viewDirection(std::string_view name);

/// Looks at all `points` [world, m] from direction `from`, as near as a margin of a sixteenth allows.
/// `aspect` is the picture's width over its height. Without points it looks at the origin from a metre away.
View fitView(std::span<const physics::Vector3d> points, const physics::Vector3d& from, double aspect);

}  // namespace tenon::xr
