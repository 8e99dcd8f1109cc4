// Cracks in a surface that are no gaps: vertices on the edge of a neighbour (T-joints), and corners that
// rounding has moved apart.
#pragma once

#include <cstddef>
#include <vector>

#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

struct ClosedCracks {
  std::size_t split = 0;           ///< edges, each at one vertex
  std::size_t joinedVertices = 0;  ///< vertices with another one
};

/// Joins vertices of open edges nearer than `distance` [m] to each other, and splits open edges at vertices
/// of others that are as near to them, where that leaves fewer open edges; else the mesh stays as it is.
/// `sources` follows its triangles. Nothing is done to a mesh without open edges.
ClosedCracks closeCracks(TriangleMesh& mesh, std::vector<int>& sources, double distance);

}  // namespace tenon::content
