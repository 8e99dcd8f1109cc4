// See sorted_edges.h. Sides are collected by their smaller vertex and sorted there.
#include "content/mesh/sorted_edges.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

namespace tenon::content {

std::vector<MeshEdge> sortedEdges(const TriangleMesh& mesh) {
  const auto verticesOf = [](const std::array<int, 3>& t, std::size_t k) {
    return std::minmax({static_cast<std::uint64_t>(t[k]), static_cast<std::uint64_t>(t[(k + 1) % 3])});
  };
  int last = -1;
  for (const auto& t : mesh.triangles) last = std::max({last, t[0], t[1], t[2]});
  std::vector<std::size_t> next(static_cast<std::size_t>(last) + 2, 0);  // by vertex, after its sides so far
  for (const auto& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) ++next[verticesOf(t, k).first + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<MeshEdge> edges(3 * mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [low, high] = verticesOf(mesh.triangles[i], k);
      edges[next[low]++] = {low << 32 | high, static_cast<int>(i), static_cast<int>(k)};
    }
  std::size_t first = 0;
  for (const std::size_t end : next) {  // now the ends of the vertices' sides
    std::sort(edges.begin() + static_cast<std::ptrdiff_t>(first),
              edges.begin() + static_cast<std::ptrdiff_t>(end), [](const MeshEdge& a, const MeshEdge& b) {
                return std::tie(a.key, a.triangle, a.side) < std::tie(b.key, b.triangle, b.side);
              });
    first = std::max(first, end);
  }
  return edges;
}

}  // namespace tenon::content
