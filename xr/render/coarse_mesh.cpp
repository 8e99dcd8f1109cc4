// Vertices are sorted into cells; the first one of a cell stands for all of it.
#include "xr/render/coarse_mesh.h"

#include <cmath>
#include <unordered_map>

namespace tenon::xr {

namespace {

struct Key {
  std::array<std::int64_t, 6> k;
  bool operator==(const Key&) const = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t hash = 14695981039346656037u;
    for (const std::int64_t one : key.k) hash = (hash ^ static_cast<std::uint64_t>(one)) * 1099511628211u;
    return static_cast<std::size_t>(hash ^ hash >> 32);
  }
};

}  // namespace

std::vector<std::array<std::uint32_t, 3>> coarseTriangles(const content::DisplayMesh& mesh, double cell,
                                                          bool normals) {
  constexpr double kFacing = 2.5;  // cells of a normal's component, from −1 to 1, are 2/(2·2.5) wide
  std::unordered_map<Key, std::uint32_t, KeyHash> cells;
  std::vector<std::uint32_t> stands;
  stands.reserve(mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    Key key{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<Eigen::Index>(axis);
      key.k[axis] = std::llround(mesh.positions[v][k] / cell);
      if (normals) key.k[3 + axis] = std::llround(kFacing * mesh.normals[v][k]);
    }
    stands.push_back(cells.try_emplace(key, static_cast<std::uint32_t>(v)).first->second);
  }
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (const auto& [a, b, c] : mesh.triangles) {
    const std::array<std::uint32_t, 3> t{stands[a], stands[b], stands[c]};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) triangles.push_back(t);
  }
  return triangles;
}

}  // namespace tenon::xr
