// How much room a part takes, in its own axes: what a hand reaches for and what a list of parts says.
#pragma once

#include <Eigen/Geometry>

#include "physics/collision/shape.h"

namespace tenon::xr {

/// The smallest box along the axes of the shape's frame that holds all of `shape` [m]; exact for
/// every kind. Unbounded below for a half-space; empty for a compound without children.
Eigen::AlignedBox3d boundsOf(const physics::Shape& shape);

}  // namespace tenon::xr
