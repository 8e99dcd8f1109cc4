// Closed triangle meshes without symmetry, and their distance by all pairs of triangles.
#pragma once

#include <random>

#include "physics/collision/geometry/shape.h"

namespace tenon::tests {

/// A ball of `radius` [m] whose vertices lie up to `amplitude` of it further in or out: 20 · 4^level
/// triangles.
physics::BoundarySolid bumpyBall(int level, double radius, double amplitude, std::mt19937& random);

/// A prism about z over a star of `points` points [m], with caps of coplanar triangles.
physics::BoundarySolid starPrism(int points, double radius, double halfLength, std::mt19937& random);

/// Distance of two closed surfaces that do not overlap [m]: the least of all pairs of triangles. `a` at X_BA.
double surfaceDistance(const physics::BoundarySolid& a, const physics::BoundarySolid& b,
                       const physics::Pose& X_BA);

}  // namespace tenon::tests
