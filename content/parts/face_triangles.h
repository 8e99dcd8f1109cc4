// Triangulates a polygon with holes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "content/parts/display_mesh.h"

namespace tenon::content {

/// Counter-clockwise triangles with indices into the corners of `outer` followed by those of each hole. All
/// polygons are counter-clockwise and disjoint. Holes are joined to the border by bridge edges, then ears are
/// clipped (D. Eberly, "Triangulation by ear clipping"): O(n²) for n corners in total.
std::vector<std::array<std::uint32_t, 3>> triangulate(const Polygon& outer, std::span<const Polygon> holes);

}  // namespace tenon::content
