// Convex hull of points, with polygonal faces. Used for mass properties, bounds and contacts of hulls.
#pragma once

#include <span>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::physics {

/// A closed convex polyhedron.
struct ConvexHull {
  std::vector<Vector3d> vertices;       ///< the corners, in input order [m]
  std::vector<std::vector<int>> faces;  ///< polygons of corners, counter-clockwise seen from outside
  std::vector<Vector3d> normals;        ///< unit outward normal of each face
};

/// Convex hull of `points` [m], in any order; duplicates and interior points are allowed. Throws
/// std::invalid_argument for fewer than four points, non-finite points, and points in one plane to within
/// 1e-9 of their extent.
///
/// Quickhull (Barber, Dobkin, Huhdanpaa 1996) with exact integer determinants on a grid of 2⁻⁴⁰ of the half
/// extent, so it is robust for any input: about O(n log n). The corners are input points, unmodified.
/// Triangles coplanar to within 1e-10 of the half extent are merged into one face; points inside a face or an
/// edge are not corners.
ConvexHull convexHull(std::span<const Vector3d> points);

}  // namespace tenon::physics
