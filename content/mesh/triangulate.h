// A flat polygon as triangles, also where it is not convex.
#pragma once

#include <span>

#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

/// Corners of one face that a file may give: ear clipping takes the square of them, and more.
inline constexpr std::size_t kMaxCorners = 2000;

/// Appends the triangles of the polygon `corners` (indices into mesh.vertices, at most kMaxCorners) to
/// `mesh`: a fan where it is convex, else by cutting off ears in the plane of its mean normal. A polygon that
/// crosses itself, which has no inside, becomes a fan. Cost: O(n) where convex, else O(n³) at worst.
void addPolygon(std::span<const int> corners, TriangleMesh& mesh);

}  // namespace tenon::content
