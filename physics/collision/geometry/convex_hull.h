// The convex hull of points: faces as polygons. Mass properties, bounds and contacts of hulls rest on it.
#pragma once

#include <span>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::physics {

/// A closed convex polyhedron.
struct ConvexHull {
  std::vector<Vector3d> vertices;       ///< the corners, in the order in which they were given [m]
  std::vector<std::vector<int>> faces;  ///< polygons of corners, counter-clockwise seen from outside
  std::vector<Vector3d> normals;        ///< unit outward normal of each face
};

/// Smallest convex polyhedron around `points` [m], given in any order, duplicates and interior points
/// included. Throws std::invalid_argument for fewer than four points, for points that are not finite,
/// or that lie in one plane to within 1e-9 of their extent.
///
/// Quickhull (Barber, Dobkin, Huhdanpaa 1996) decided by exact integer determinants on a grid of
/// 2⁻⁴⁰ of the half extent, so that no configuration of points can tangle it: about O(n log n). The
/// corners are the given points themselves. Triangles that lie in one plane to within 1e-10 of the
/// half extent are merged into one face, and points within a face or along an edge are no corners.
ConvexHull convexHull(std::span<const Vector3d> points);

}  // namespace tenon::physics
