// Triangulates a planar polygon.
#pragma once

#include <span>

#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

/// Limit of the corners of a face: ear clipping takes quadratic time or more.
inline constexpr std::size_t kMaxCorners = 2000;

/// Appends the triangles of the polygon `corners` (indices into mesh.vertices, at most kMaxCorners) to
/// `mesh`: a fan if it is convex, else by ear clipping in the plane of its mean normal. A self-intersecting
/// polygon becomes a fan. Cost: O(n) if convex, else O(n³) at worst.
void addPolygon(std::span<const int> corners, TriangleMesh& mesh);

}  // namespace tenon::content
