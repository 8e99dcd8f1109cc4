// Repairs a mesh and reports its defects.
#pragma once

#include <vector>

#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

/// Defects of a mesh; those that are safe to repair have been repaired.
struct MeshReport {
  std::size_t vertices = 0, triangles = 0;  ///< as in the file
  std::size_t welded = 0;                   ///< vertices merged with one at the same position
  std::size_t degenerate = 0;               ///< triangles without area, removed
  std::size_t duplicate = 0;                ///< triangles with the vertices of another one, removed
  std::size_t internalFacePairs = 0;  ///< coincident opposite triangles between touching bodies, removed
  std::size_t flipped = 0;            ///< triangles reoriented to match their neighbors
  bool insideOut = false;             ///< all triangles were flipped: the volume was negative
  std::size_t splitEdges = 0;         ///< T-junctions: split at vertices of neighbors
  std::size_t joinedVertices = 0;     ///< vertices at cracks, merged with another one
  std::size_t filledTriangles = 0;    ///< holes of three edges, filled with a triangle
  std::size_t unitedBodies = 0;       ///< bodies that overlapped and were united; 0: none did
  std::size_t hiddenTriangles =
      0;  ///< triangles that lay inside other bodies, wholly or in part: removed there
  std::size_t foldedTriangles = 0;   ///< of hiddenTriangles, those at folds that turn the surface inside out
  double foldDepth = 0;              ///< largest distance of these from the remaining surface [m]
  bool thickened = false;            ///< open surfaces were given a back side
  std::size_t remaining = 0;         ///< triangles after the repair
  double splitOffset = 0;            ///< largest distance of a vertex from the edge that was split at it [m]
  double joinedOffset = 0;           ///< largest distance of vertices merged at cracks [m]
  double filledArea = 0;             ///< of all filled holes [m²]
  double crackWidth = 0;             ///< cracks up to this width are closed [m]
  std::size_t openEdges = 0;         ///< with a single triangle
  std::size_t nonManifoldEdges = 0;  ///< with three or more triangles, except edges of touching bodies
  std::size_t emptyFaces = 0;        ///< of a STEP file, without area: left out
  bool nonOrientable = false;        ///< no orientation makes all neighbors consistent
  std::size_t bodies = 0;            ///< connected components
  Vector3d openEdgePosition = Vector3d::Zero();         ///< middle of the first open edge [m]
  Vector3d nonManifoldEdgePosition = Vector3d::Zero();  ///< middle of the first non-manifold edge [m]
  Vector3d emptyFacePosition = Vector3d::Zero();        ///< middle of the first face without area [m]

  bool isClosed() const { return openEdges == 0 && nonManifoldEdges == 0 && !nonOrientable; }
  bool isClean() const {
    return isClosed() && emptyFaces == 0 && degenerate == 0 && duplicate == 0 && internalFacePairs == 0 &&
           flipped == 0 && !insideOut && splitEdges == 0 && joinedVertices == 0 && filledTriangles == 0 &&
           unitedBodies == 0;
  }
};

/// Triangles with welded vertices and their adjacency.
struct RepairedMesh {
  TriangleMesh mesh;
  /// Triangle on the other side of edge k (corner k to corner k + 1); the one of the same body if bodies
  /// touch along the edge; −1: none or ambiguous.
  std::vector<std::array<int, 3>> neighbors;
  /// Index of each triangle in the original mesh.
  std::vector<int> sources;
  double extent = 0;        ///< largest side of the bounds [m]
  double weldDistance = 0;  ///< [m]
  MeshReport report;
};

/// Edges of more than two triangles that do not alternate with material and without: non-manifold edges, or,
/// in a mesh that is closed but for the rounding of its vertices, linked in pairs all the same.
enum class AmbiguousEdges { report, link };

/// Welds vertices closer than 1e-7 of the mesh's extent (10 nm for a part of 100 mm; a float's rounding),
/// removes triangles without area, duplicates and walls between touching bodies, closes cracks up to 2 µm and
/// 5e-6 of the extent wide (splitting edges at T-junctions), fills holes of three edges, and orients
/// triangles consistently and, in a closed mesh, outwards. Deterministic. Cost: O(n log n), for sorting the
/// edges.
RepairedMesh repairMesh(const TriangleMesh& mesh, AmbiguousEdges ambiguous = AmbiguousEdges::report);

/// Gives each edge of a closed mesh to two triangles only, by their vertices: where more than one pair of
/// neighbors has the same two vertices, each pair gets a vertex of its own in the middle.
void separateEdges(RepairedMesh& mesh);

}  // namespace tenon::content
