// The renderer's own triangle mesh: plain data without Vulkan.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::xr {

/// Triangles over vertices, counter-clockwise seen from outside. A vertex has one normal: on a sharp edge
/// each face has vertices of its own.
struct Mesh {
  std::vector<physics::Vector3d> positions;  ///< in the mesh's frame [m]
  std::vector<physics::Vector3d> normals;    ///< unit, one for each position
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

}  // namespace tenon::xr
