// A mesh with fewer triangles, for shadows and for parts that are small in the picture.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "content/parts/display_mesh.h"

namespace tenon::xr {

/// Triangles over the mesh's own vertices: those in one cell of this size [m] become one, the first
/// of them, and what is no triangle then is left out (Rossignac & Borrel 1993). With `normals` only vertices
/// that face the same way within about 25° become one, so that edges stay sharp; without, holes may close and
/// walls fall together, by no more than a cell. Moves no surface by more than the cell's diagonal. O(n) for n
/// vertices.
std::vector<std::array<std::uint32_t, 3>> coarseTriangles(const content::DisplayMesh& mesh, double cell,
                                                          bool normals);

}  // namespace tenon::xr
