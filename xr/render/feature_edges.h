// The sharp edges of a mesh, which are drawn as lines.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "xr/render/mesh.h"

namespace tenon::xr {

/// Pairs of vertices: edges where two triangles meet at more than 26°, and edges of one triangle only.
/// Positions are compared on a grid of 10 nm. O(n log n) for n triangles.
std::vector<std::array<std::uint32_t, 2>> featureEdges(const Mesh& mesh);

}  // namespace tenon::xr
