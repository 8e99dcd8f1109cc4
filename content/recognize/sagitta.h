// How far chords are from what they span: triangles from a surface, sides from where two surfaces meet.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>

#include "physics/collision/geometry/surface.h"

namespace tenon::content {

/// Where a parabola over a triangle, of these heights at its corners and at the middles of its sides (0 to 1,
/// 1 to 2, 2 to 0), is highest or lowest: shares of the sides from corner 0 to corners 1 and 2. None if that
/// is not inside.
std::optional<Eigen::Vector2d> extremeInside(const std::array<double, 3>& corners,
                                             const std::array<double, 3>& middles);

/// Of the curve in which two surfaces meet, between the points `a` and `b` near it: from the middle of its
/// chord to the curve [m]. Zero if the surfaces are one, two planes or none, or do not meet there.
Eigen::Vector3d bulgeOfBorder(const std::array<const physics::Surface*, 2>& both, const Eigen::Vector3d& a,
                              const Eigen::Vector3d& b);

}  // namespace tenon::content
