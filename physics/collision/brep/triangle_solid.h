// A solid from a closed triangle mesh: coplanar triangles become planar faces, collinear borders one edge.
#pragma once

#include <array>
#include <span>

#include "physics/collision/brep/solid.h"

namespace tenon::physics::brep {

/// Triangles whose corners deviate from a plane by at most this form one planar face [m]; below the nanometer
/// to which contacts are solved.
inline constexpr double kCoplanar = 5e-10;

/// Largest deviation of the solid's surface from the triangles: kCoplanar. `triangles`: indices of `vertices`
/// [m], counter-clockwise seen from outside; each edge shared by two triangles in opposite directions. Throws
/// std::invalid_argument where an edge is not, and for a triangle without area that no face includes.
/// `depthLimit`: see Solid::finish().
Solid solidOfTriangles(std::span<const Vector3d> vertices, std::span<const std::array<int, 3>> triangles,
                       double depthLimit);

}  // namespace tenon::physics::brep
