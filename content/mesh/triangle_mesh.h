// Triangles as they come out of a file: nothing is known of them yet but that they are finite numbers.
#pragma once

#include <array>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::content {

using physics::Vector3d;

/// Triangles over shared vertices, counter-clockwise seen from outside where the file is right about it.
struct TriangleMesh {
  std::vector<Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
};

/// More is refused before room is made for it: a mesh of this size takes seconds, not minutes.
inline constexpr std::size_t kMaxTriangles = 10'000'000;
/// Bytes of a mesh file, and of one buffer beside it.
inline constexpr std::size_t kMaxMeshBytes = std::size_t{1} << 30;

}  // namespace tenon::content
