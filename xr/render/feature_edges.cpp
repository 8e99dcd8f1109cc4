// Triangles are joined by the positions of their corners, since each face has its own vertices on a sharp
// edge.
#include "xr/render/feature_edges.h"

#include <cmath>
#include <map>
#include <utility>

namespace tenon::xr {

namespace {

using physics::Vector3d;

constexpr double kGrid = 1e-8;          ///< [m]
constexpr double kSharpCosine = 0.898;  ///< of 26°

/// An edge: a pair of its vertices, the normal of its first triangle, and whether it is sharp.
struct Edge {
  std::array<std::uint32_t, 2> vertices{};
  Vector3d normal = Vector3d::Zero();
  bool shared = false, sharp = false;
};

/// For each vertex a number that all vertices at its position share.
std::vector<std::uint32_t> positionIndices(const Mesh& mesh) {
  std::map<std::array<std::int64_t, 3>, std::uint32_t> numbers;
  std::vector<std::uint32_t> indices;
  for (const Vector3d& p : mesh.positions) {
    const std::array<std::int64_t, 3> cell{std::llround(p.x() / kGrid), std::llround(p.y() / kGrid),
                                           std::llround(p.z() / kGrid)};
    indices.push_back(numbers.try_emplace(cell, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return indices;
}

}  // namespace

std::vector<std::array<std::uint32_t, 2>> featureEdges(const Mesh& mesh) {
  const std::vector<std::uint32_t> position = positionIndices(mesh);
  std::map<std::pair<std::uint32_t, std::uint32_t>, Edge> edges;
  for (const auto& t : mesh.triangles) {
    const Vector3d &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
    const Vector3d normal = (b - a).cross(c - a).normalized();
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t i = t[k], j = t[(k + 1) % 3];
      const auto [found, inserted] = edges.try_emplace(std::minmax({position[i], position[j]}));
      Edge& edge = found->second;
      if (inserted) {
        edge.vertices = {i, j};
        edge.normal = normal;
      } else {
        edge.shared = true;
        edge.sharp = edge.sharp || edge.normal.dot(normal) < kSharpCosine;
      }
    }
  }
  std::vector<std::array<std::uint32_t, 2>> sharp;
  for (const auto& [key, edge] : edges)
    if (edge.sharp || !edge.shared) sharp.push_back(edge.vertices);
  return sharp;
}

}  // namespace tenon::xr
