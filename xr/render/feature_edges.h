// The sharp edges of a mesh, which are drawn as lines.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "content/parts/display_mesh.h"

namespace tenon::xr {

/// Pairs of vertices: edges at which two triangles meet at more than 26°, or that only one triangle has.
/// Positions within 10 nm of each other are one. O(n log n) for n triangles.
std::vector<std::array<std::uint32_t, 2>> featureEdges(const content::DisplayMesh& mesh);

}  // namespace tenon::xr
