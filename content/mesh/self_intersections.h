// Where a surface runs through itself, and bodies that lie in others.
#pragma once

#include <cstddef>

#include "content/mesh/repair_mesh.h"

namespace tenon::content {

struct SelfIntersections {
  std::size_t pairs = 0;   ///< of triangles that share no vertex and run through each other
  std::size_t nested = 0;  ///< bodies without a crossing that lie in the material of another one
  Vector3d position = Vector3d::Zero();  ///< of the first of these [m]
};

/// Crossings deeper than the mesh's weld distance; faces that only touch or lie on each other are none.
/// About O(n log n).
SelfIntersections findSelfIntersections(const RepairedMesh& mesh);

}  // namespace tenon::content
