// Lengths of the borders between the faces of a triangle mesh.
#pragma once

#include <span>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::physics::brep {

/// An edge of a mesh between two faces.
struct MeshBorder {
  int from = 0, to = 0;       ///< vertices
  int before = 0, after = 0;  ///< faces
};

/// The length of the longest border at each vertex [m]; 0 without one. Edges in one straight line between the
/// same two faces count as one: a chord of a facet that further corners divide.
std::vector<double> longestBorders(std::span<const Vector3d> vertices, std::span<const MeshBorder> borders);

}  // namespace tenon::physics::brep
