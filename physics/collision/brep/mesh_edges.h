// The edges of a closed triangle mesh.
#pragma once

#include <array>
#include <vector>

namespace tenon::physics::brep {

/// An edge of the mesh, as its first triangle runs along it.
struct MeshEdge {
  int from = 0, to = 0;
  int left = -1, right = -1;  ///< triangles: of from → to, and of to → from
};

struct MeshEdges {
  std::vector<MeshEdge> edges;                 ///< by their lower vertex, then by the other one
  std::vector<std::array<int, 3>> ofTriangle;  ///< edge k from its corner k to corner k + 1
};

/// Throws std::invalid_argument where an edge is not shared by two triangles in opposite directions.
MeshEdges meshEdges(const std::vector<std::array<int, 3>>& triangles, std::size_t vertexCount);

}  // namespace tenon::physics::brep
