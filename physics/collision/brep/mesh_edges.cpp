// See mesh_edges.h. Sides of triangles are collected by their lower vertex and sorted there.
#include "physics/collision/brep/mesh_edges.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace tenon::physics::brep {
namespace {

struct Side {
  int high = 0, triangle = 0, corner = 0;
};

class EdgeFinder {
 public:
  EdgeFinder(const std::vector<std::array<int, 3>>& triangles, std::size_t vertexCount)
      : triangles_(triangles), first_(vertexCount + 1, 0), sides_(3 * triangles.size()) {}

  MeshEdges find() {
    collect();
    MeshEdges found;
    found.edges.reserve(sides_.size() / 2);
    found.ofTriangle.resize(triangles_.size());
    for (std::size_t low = 0; low + 1 < first_.size(); ++low) {
      const auto begin = sides_.begin() + first_[low], end = sides_.begin() + first_[low + 1];
      std::sort(begin, end, [](const Side& s, const Side& t) {
        return std::tie(s.high, s.triangle, s.corner) < std::tie(t.high, t.triangle, t.corner);
      });
      for (auto side = begin; side != end; side += 2) add(static_cast<int>(low), side, end, found);
    }
    return found;
  }

 private:
  using SideIterator = std::vector<Side>::const_iterator;

  int corner(std::size_t t, std::size_t k) const { return triangles_[t][k % 3]; }

  void collect() {
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k)
        ++first_[static_cast<std::size_t>(std::min(corner(t, k), corner(t, k + 1))) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<int> next(first_.begin(), first_.end() - 1);
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax({corner(t, k), corner(t, k + 1)});
        sides_[static_cast<std::size_t>(next[static_cast<std::size_t>(low)]++)] = {high, static_cast<int>(t),
                                                                                   static_cast<int>(k)};
      }
  }

  /// The edge of the next two sides.
  void add(int low, SideIterator one, SideIterator end, MeshEdges& found) const {
    const auto two = one + 1;
    if (two == end || two->high != one->high)
      throw std::invalid_argument("an edge belongs to one triangle only");
    const bool isThird = two + 1 != end && (two + 1)->high == one->high;
    if (isThird || startOf(*one) == startOf(*two))
      throw std::invalid_argument("an edge is not shared by two triangles in opposite directions");
    for (const Side& side : {*one, *two})
      found.ofTriangle[static_cast<std::size_t>(side.triangle)][static_cast<std::size_t>(side.corner)] =
          static_cast<int>(found.edges.size());
    const int from = startOf(*one);
    found.edges.push_back({from, from == low ? one->high : low, one->triangle, two->triangle});
  }

  int startOf(const Side& side) const {
    return corner(static_cast<std::size_t>(side.triangle), static_cast<std::size_t>(side.corner));
  }

  const std::vector<std::array<int, 3>>& triangles_;
  std::vector<int> first_;  // side by its lower vertex
  std::vector<Side> sides_;
};

}  // namespace

MeshEdges meshEdges(const std::vector<std::array<int, 3>>& triangles, std::size_t vertexCount) {
  return EdgeFinder(triangles, vertexCount).find();
}

}  // namespace tenon::physics::brep
