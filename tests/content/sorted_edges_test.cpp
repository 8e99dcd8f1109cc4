// Edges of triangles by counting, as a plain sort has them.
#include "content/mesh/sorted_edges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace tenon::content {
namespace {

TEST(SortedEdges, AreThoseOfAPlainSort) {
  std::mt19937 random(5);
  for (const int vertices : {3, 10, 1000}) {
    TriangleMesh mesh;
    std::uniform_int_distribution<int> vertex(0, vertices - 1);
    for (int t = 0; t < 2000; ++t) mesh.triangles.push_back({vertex(random), vertex(random), vertex(random)});
    std::vector<std::tuple<int, int, int, int>> expected;
    for (int t = 0; t < 2000; ++t)
      for (int k = 0; k < 3; ++k) {
        const auto& corners = mesh.triangles[static_cast<std::size_t>(t)];
        const auto [low, high] = std::minmax(
            {corners[static_cast<std::size_t>(k)], corners[static_cast<std::size_t>((k + 1) % 3)]});
        expected.emplace_back(low, high, t, k);
      }
    std::sort(expected.begin(), expected.end());
    const std::vector<MeshEdge> edges = sortedEdges(mesh);
    ASSERT_EQ(edges.size(), expected.size());
    for (std::size_t n = 0; n < edges.size(); ++n)
      EXPECT_EQ(std::tuple(static_cast<int>(edges[n].key >> 32), static_cast<int>(edges[n].key & 0xffffffffU),
                           edges[n].triangle, edges[n].side),
                expected[n]);
  }
  EXPECT_TRUE(sortedEdges({}).empty());
}

}  // namespace
}  // namespace tenon::content
