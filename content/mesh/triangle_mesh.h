// An indexed triangle mesh.
#pragma once

#include <array>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::content {

using physics::Vector3d;

/// Triangles as read from a file: finite coordinates, counter-clockwise seen from outside if the file is
/// correct; otherwise unchecked.
struct TriangleMesh {
  std::vector<Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  double rounding =
      0;  ///< bound of the rounding of a coordinate in files of floats, else 0 [unit of the vertices]
};

/// Of a float, relative to it [-].
inline constexpr double kFloatRounding = 0x1p-24;

/// Larger meshes are rejected before memory is allocated: this size takes seconds, not minutes.
inline constexpr std::size_t kMaxTriangles = 10'000'000;
/// Size of a mesh file or of a separate buffer [bytes].
inline constexpr std::size_t kMaxMeshBytes = std::size_t{1} << 30;

}  // namespace tenon::content
