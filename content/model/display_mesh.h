// The mesh that represents a part in images and exports. Physics does not use it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "physics/collision/geometry/shape.h"

namespace tenon::content {

using physics::Pose;
using physics::Vector3d;

/// Indexed triangles, counter-clockwise seen from outside. Each vertex has one normal; vertices on a sharp
/// edge are duplicated for each face.
struct DisplayMesh {
  std::vector<Vector3d> positions;  ///< in the part's frame [m]
  std::vector<Vector3d> normals;    ///< unit, one per position
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

}  // namespace tenon::content
