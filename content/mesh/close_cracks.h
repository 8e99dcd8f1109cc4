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
  double joinedOffset = 0;         ///< bound of how far merged vertices have moved [m]
};

/// Splits edges that other ones connect from end to end, at the vertices of these, which are at most
/// `distance` [m] from the edge; of both, not as many triangles run one way as the other. A vertex at which
/// an edge was split is removed again where the surface on both sides is flat. `sources` (one entry per
/// triangle) is updated with the mesh.
ClosedCracks splitAtRows(TriangleMesh& mesh, std::vector<int>& sources, double distance);

/// Closes open edges: first by splitAtRows(); what is still open by merging vertices and splitting edges at
/// vertices, the closest ones first, from `least` to `distance` [m] apart; merged ones move by up to twice
/// that. No edge of two triangles is shortened to a point; a triangle narrower than the distance may vanish
/// if its short side is open. Reverts what would not decrease the number of open edges.
ClosedCracks closeCracks(TriangleMesh& mesh, std::vector<int>& sources, double least, double distance);

}  // namespace tenon::content
