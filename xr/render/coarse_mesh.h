// A mesh with fewer triangles, for shadows and for parts that cover few pixels.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "xr/render/mesh.h"

namespace tenon::xr {

/// Vertex clustering (Rossignac & Borrel 1993): the first vertex of each grid cell of size `cell` [m]
/// replaces the others, and triangles that degenerate are dropped. The result indexes the mesh's own
/// vertices. With `normals` only vertices whose normals agree within about 25° are merged, so edges stay
/// sharp; without it holes up to a cell wide may close. No surface moves by more than a cell's diagonal. O(n)
/// for n vertices.
std::vector<std::array<std::uint32_t, 3>> coarseTriangles(const Mesh& mesh, double cell, bool normals);

}  // namespace tenon::xr
