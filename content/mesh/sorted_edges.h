// The sides of triangles by the edges that they lie on.
#pragma once

#include <cstdint>
#include <vector>

#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

/// A side of a triangle.
struct MeshEdge {
  std::uint64_t key = 0;  ///< its two vertices, the smaller one first
  int triangle = 0, side = 0;
};

/// The sides of all triangles by key, then by triangle.
std::vector<MeshEdge> sortedEdges(const TriangleMesh& mesh);

}  // namespace tenon::content
