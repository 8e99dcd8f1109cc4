// Meshes to read: small files in memory, and seeded parts of revolution with facets.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "content/mesh/triangle_mesh.h"
#include "content/scene/load_scene.h"

namespace tenon::content::test {

/// What `read` complains of, or "".
template <class Read>
std::string complaintOf(Read read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A unit cube [0, 1]³ as OBJ, its faces quadrangles that look outwards.
inline std::string cubeObj() {
  return "# a cube\nmtllib missing.mtl\no cube\n"
         "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
         "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
}

/// A cuboid [0, a] × [0, b] × [0, c], added to `mesh` with vertices of its own.
inline void addBox(const Eigen::Vector3d& size, const Eigen::Vector3d& at, TriangleMesh& mesh) {
  const int first = static_cast<int>(mesh.vertices.size());
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back(
        at + Eigen::Vector3d(k & 1 ? size.x() : 0, k & 2 ? size.y() : 0, k & 4 ? size.z() : 0));
  for (const auto& q :
       {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {1, 3, 7, 5}, {3, 2, 6, 7}, {2, 0, 4, 6}}) {
    mesh.triangles.push_back({first + q[0], first + q[1], first + q[2]});
    mesh.triangles.push_back({first + q[0], first + q[2], first + q[3]});
  }
}

/// A solid of revolution about z from its profile (z, r), bottom up, with N facets, vertices on the circle;
/// where the profile does not end on the axis it is closed to a ring by its own first point.
inline TriangleMesh turnedMesh(const std::vector<Eigen::Vector2d>& profile, int facets, double phase = 0) {
  TriangleMesh mesh;
  std::vector<std::vector<int>> rings;
  for (const auto& zr : profile) {
    auto& ring = rings.emplace_back();
    for (int k = 0; k < facets; ++k) {
      if (zr.y() == 0 && k > 0) {
        ring.push_back(ring.front());
        continue;
      }
      const double angle = phase + 2 * std::numbers::pi * k / facets;
      ring.push_back(static_cast<int>(mesh.vertices.size()));
      mesh.vertices.emplace_back(zr.y() * std::cos(angle), zr.y() * std::sin(angle), zr.x());
    }
  }
  for (std::size_t i = 0; i + 1 < rings.size(); ++i)
    for (int k = 0; k < facets; ++k) {
      const auto a = static_cast<std::size_t>(k), b = static_cast<std::size_t>((k + 1) % facets);
      const int p = rings[i][a], q = rings[i][b], r = rings[i + 1][b], s = rings[i + 1][a];
      if (p != q) mesh.triangles.push_back({p, q, r});
      if (r != s) mesh.triangles.push_back({p, r, s});
    }
  return mesh;
}

}  // namespace tenon::content::test
