// A mesh made fit to be reasoned about, and what was wrong with it.
#pragma once

#include <vector>

#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

/// What was found in a mesh, and mended where that is safe.
struct MeshReport {
  std::size_t vertices = 0, triangles = 0;  ///< as they came
  std::size_t welded = 0;                   ///< vertices that stood where another one does
  std::size_t degenerate = 0;               ///< triangles without area, left out
  std::size_t duplicate = 0;                ///< triangles over the corners of another one, left out
  std::size_t internalFacePairs = 0;        ///< pairs face to face between bodies that touch, left out
  std::size_t flipped = 0;                  ///< triangles turned to agree with their neighbours
  bool insideOut = false;                   ///< all were turned: the volume was negative
  std::size_t splitEdges = 0;               ///< split at vertices of neighbours that lay on them
  std::size_t joinedVertices = 0;           ///< vertices of cracks, joined with another one
  std::size_t openEdges = 0;                ///< with one triangle
  std::size_t nonManifoldEdges = 0;  ///< with three or more that are not the edges of bodies that touch
  bool nonOrientable = false;        ///< no way of turning triangles makes all neighbours agree
  std::size_t bodies = 0;            ///< connected pieces
  Vector3d openEdgePosition = Vector3d::Zero();         ///< middle of the first open edge [m]
  Vector3d nonManifoldEdgePosition = Vector3d::Zero();  ///< and of the first edge of three or more [m]

  bool isClosed() const { return openEdges == 0 && nonManifoldEdges == 0 && !nonOrientable; }
  bool isClean() const {
    return isClosed() && degenerate == 0 && duplicate == 0 && internalFacePairs == 0 && flipped == 0 &&
           !insideOut && splitEdges == 0 && joinedVertices == 0;
  }
};

/// Triangles over welded vertices, each with its neighbours.
struct RepairedMesh {
  TriangleMesh mesh;
  /// Triangle on the other side of edge k (corner k to corner k + 1), that of the same body where bodies
  /// touch along it; −1: none, or no single one.
  std::vector<std::array<int, 3>> neighbors;
  /// Of each triangle: which one it is of the mesh as it came.
  std::vector<int> sources;
  double weldDistance = 0;  ///< [m]
  MeshReport report;
};

/// Welds vertices nearer than 1e-7 of the mesh's extent (10 nm for a part of 100 mm; a float's rounding),
/// leaves out triangles without area, those given twice and walls between bodies that touch, closes cracks
/// narrower than 5e-6 of the extent, splitting edges at vertices of neighbours, and turns triangles so that
/// neighbours agree and a closed mesh holds a positive volume. Deterministic. Cost: O(n) but for a sort of
/// the edges.
RepairedMesh repairMesh(const TriangleMesh& mesh);

}  // namespace tenon::content
