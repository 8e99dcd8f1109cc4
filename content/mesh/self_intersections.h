// Self-intersections of a mesh, and bodies inside other bodies.
#pragma once

#include <cstddef>

#include "content/mesh/repair_mesh.h"

namespace tenon::content {

struct SelfIntersections {
  std::size_t pairs = 0;   ///< of intersecting triangles without a common vertex
  std::size_t nested = 0;  ///< bodies without an intersection inside the material of another one
  Vector3d position = Vector3d::Zero();  ///< of the first finding [m]
  int first = -1, second = -1;  ///< triangles of the first pair, counted from 1 as in the file; −1: no pair

  bool exist() const { return pairs + nested > 0; }
};

/// Finds intersections deeper than `depth` [m] and the mesh's weld distance; touching and coincident faces do
/// not count. About O(n log n).
SelfIntersections findSelfIntersections(const RepairedMesh& mesh, double depth = 0);

}  // namespace tenon::content
