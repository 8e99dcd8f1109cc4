// Surfaces, holes and ends of a part that collides on its own faces.
#pragma once

#include <vector>

#include "content/recognize/chain_shapes.h"

namespace tenon::content {

/// The surfaces of a BoundarySolid.
struct BoundarySurfaces {
  std::vector<physics::Surface> surfaces;
  std::vector<int> surfaceOf;  ///< of each triangle; −1: the plane of the triangle
  /// Of each triangle, 1: its surface goes through the middle of its facet, as of bores along their flats and
  /// of what continues them; 0: through its vertices.
  std::vector<char> alongFlats;
  /// The surfaces from this one on are of parts of a smooth region.
  std::size_t firstGrown = 0;
};

/// The surface of each face: that of the CAD file, else the profile line of a group, else the plane of a
/// planar region with vertices within a tenth of the tolerance (1 µm). In the rest, three and more triangles
/// in one plane, to 10⁻⁶ of the largest coordinate and at most 1 µm, have that plane. Outer faces pass
/// through the vertices of their facets, inner ones follow `rule`, as ProfileChain::points. A face whose
/// vertices are too far from its surface stays with its triangles.
BoundarySurfaces boundarySurfaces(const RecognitionInput& input, BoreRule rule);

/// Holes, shafts and rings of all groups whose faces are full circles, as blocks with one hole and solids of
/// revolution.
std::vector<ExactChain> holesAndShafts(const RecognitionInput& input);

}  // namespace tenon::content
