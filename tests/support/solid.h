// Solids by their definitions: farthest points and membership. What contacts are checked against;
// calls nothing of the engine but the shapes' values and poses.
#pragma once

#include <array>
#include <utility>

#include "physics/collision/geometry/shape.h"

namespace tenon::tests {

/// max over the solid of d · p_W [m · |d|]. `shape`: box, sphere, cylinder, capsule, frustum or hull.
double reach(const physics::Shape& shape, const physics::Pose& X_WS, const physics::Vector3d& d);

/// The twelve edges of a box about the origin, by their ends.
std::array<std::pair<physics::Vector3d, physics::Vector3d>, 12> boxEdges(
    const physics::Vector3d& halfExtents);

/// How far `p` (world) is outside the solid: 0 inside. Exact distance [m], but for boxes and hulls the
/// largest distance to the planes of their faces.
double outside(const physics::Shape& shape, const physics::Pose& X_WS, const physics::Vector3d& p);

/// Separation of two solids along unit `n` from a to b [m]. A lower bound on their distance for any n.
double separation(const physics::Shape& a, const physics::Pose& X_WA, const physics::Shape& b,
                  const physics::Pose& X_WB, const physics::Vector3d& n);

}  // namespace tenon::tests
