// Hashes the grid cell of each vertex; the first vertex in a cell represents it.
#include "xr/render/coarse_mesh.h"

#include <cmath>
#include <unordered_map>

namespace tenon::xr {

namespace {

struct CellKey {
  std::array<std::int64_t, 6> k;
  bool operator==(const CellKey&) const = default;
};

struct CellKeyHash {
  std::size_t operator()(const CellKey& key) const {
    std::uint64_t hash = 14695981039346656037u;  // FNV-1a
    for (const std::int64_t value : key.k) hash = (hash ^ static_cast<std::uint64_t>(value)) * 1099511628211u;
    return static_cast<std::size_t>(hash ^ hash >> 32);
  }
};

}  // namespace

std::vector<std::array<std::uint32_t, 3>> coarseTriangles(const Mesh& mesh, double cell, bool normals) {
  constexpr double kNormalCells = 2.5;  // cells per unit of a normal's component, which lies in −1…1
  std::unordered_map<CellKey, std::uint32_t, CellKeyHash> cells;
  std::vector<std::uint32_t> representative;
  representative.reserve(mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    CellKey key{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<Eigen::Index>(axis);
      key.k[axis] = std::llround(mesh.positions[v][k] / cell);
      if (normals) key.k[3 + axis] = std::llround(kNormalCells * mesh.normals[v][k]);
    }
    representative.push_back(cells.try_emplace(key, static_cast<std::uint32_t>(v)).first->second);
  }
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (const auto& [a, b, c] : mesh.triangles) {
    const std::array<std::uint32_t, 3> t{representative[a], representative[b], representative[c]};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) triangles.push_back(t);
  }
  return triangles;
}

}  // namespace tenon::xr
