// Triangles are joined by the places of their corners, since vertices on a sharp edge are there once for each
// face.
#include "xr/render/feature_edges.h"

#include <cmath>
#include <map>
#include <utility>

namespace tenon::xr {

namespace {

using physics::Vector3d;

constexpr double kGrid = 1e-8;          ///< [m]
constexpr double kSharpCosine = 0.898;  ///< of 26°

/// What is known of an edge: a pair of vertices there, the first triangle's normal, and how sharp it is.
struct Edge {
  std::array<std::uint32_t, 2> vertices{};
  Vector3d normal = Vector3d::Zero();
  bool shared = false, sharp = false;
};

/// The same number for all vertices at one place.
std::vector<std::uint32_t> places(const content::DisplayMesh& mesh) {
  std::map<std::array<std::int64_t, 3>, std::uint32_t> known;
  std::vector<std::uint32_t> of;
  for (const Vector3d& p : mesh.positions) {
    const std::array<std::int64_t, 3> cell{std::llround(p.x() / kGrid), std::llround(p.y() / kGrid),
                                           std::llround(p.z() / kGrid)};
    of.push_back(known.try_emplace(cell, static_cast<std::uint32_t>(known.size())).first->second);
  }
  return of;
}

}  // namespace

std::vector<std::array<std::uint32_t, 2>> featureEdges(const content::DisplayMesh& mesh) {
  const std::vector<std::uint32_t> place = places(mesh);
  std::map<std::pair<std::uint32_t, std::uint32_t>, Edge> edges;
  for (const auto& t : mesh.triangles) {
    const Vector3d &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
    const Vector3d normal = (b - a).cross(c - a).normalized();
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t i = t[k], j = t[(k + 1) % 3];
      const auto [at, fresh] = edges.try_emplace(std::minmax({place[i], place[j]}));
      Edge& edge = at->second;
      if (fresh) {
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
