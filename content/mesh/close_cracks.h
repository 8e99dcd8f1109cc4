// Closes cracks of a mesh: T-junctions (a vertex on the edge of a neighbor), and vertices separated by
// rounding.
#pragma once

#include <cstddef>
#include <vector>

#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

struct ClosedCracks {
  std::size_t splitEdges = 0;      ///< T-junctions removed
  std::size_t joinedVertices = 0;  ///< vertices merged with another one
  double splitOffset = 0;          ///< largest distance of such a vertex from its edge [m]
  double joinedOffset = 0;         ///< largest distance of merged vertices [m]
};

/// Merges vertices of open edges that are at most `distance` [m] apart, and splits open edges at vertices
/// that are as close to them; such a vertex is removed again where the surface on both sides is flat. Reverts
/// all unless the number of open edges decreases. `sources` (one entry per triangle) is updated with the
/// mesh.
ClosedCracks closeCracks(TriangleMesh& mesh, std::vector<int>& sources, double distance);

}  // namespace tenon::content
