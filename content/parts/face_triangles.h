// A polygon with holes as triangles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "content/parts/display_mesh.h"

namespace tenon::content {

/// Triangles, counter-clockwise, over the corners of `outer` followed by those of each hole. Both are given
/// counter-clockwise and do not touch. Holes are joined to the border by bridges (D. Eberly, "Triangulation
/// by ear clipping"), then ears are cut off: O(n²) for n corners in all.
std::vector<std::array<std::uint32_t, 3>> triangulate(const Polygon& outer, std::span<const Polygon> holes);

}  // namespace tenon::content
