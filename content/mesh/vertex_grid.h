// A spatial hash of points.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::content {

using physics::Vector3d;

/// Spatial hash of vertices: each bucket is a linked list.
class VertexGrid {
 public:
  VertexGrid(const std::vector<Vector3d>& points, double cell) : points_(points), cell_(cell) {
    std::size_t size = 16;
    while (size < 2 * points.size()) size *= 2;
    heads_.assign(size, -1);
    next_.assign(points.size(), -1);
  }
  /// The first inserted vertex within `distance` of vertex i, or −1. Searches the cells that overlap the ball
  /// around i: mostly one.
  int findWithin(int i, double distance) const {
    const Vector3d& p = points_[static_cast<std::size_t>(i)];
    const Cell low = cellOf(p - Vector3d::Constant(distance)),
               high = cellOf(p + Vector3d::Constant(distance));
    int best = -1;
    for (std::int64_t x = low[0]; x <= high[0]; ++x)
      for (std::int64_t y = low[1]; y <= high[1]; ++y)
        for (std::int64_t z = low[2]; z <= high[2]; ++z)
          for (int k = heads_[slot({x, y, z})]; k >= 0; k = next_[static_cast<std::size_t>(k)])
            if ((points_[static_cast<std::size_t>(k)] - p).squaredNorm() <= distance * distance &&
                (best < 0 || k < best))
              best = k;
    return best;
  }
  void insert(int i) {
    const std::size_t s = slot(cellOf(points_[static_cast<std::size_t>(i)]));
    next_[static_cast<std::size_t>(i)] = heads_[s];
    heads_[s] = i;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  Cell cellOf(const Vector3d& p) const {
    Cell cell;
    for (int k = 0; k < 3; ++k)
      cell[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(std::floor(p[k] / cell_));
    return cell;
  }
  std::size_t slot(const Cell& c) const {
    std::uint64_t h = 0x9e3779b97f4a7c15ULL;
    for (const std::int64_t v : c) {
      h ^= static_cast<std::uint64_t>(v);
      h *= 0xff51afd7ed558ccdULL;
      h ^= h >> 32;
    }
    return h & (heads_.size() - 1);
  }

  const std::vector<Vector3d>& points_;
  double cell_;
  std::vector<int> heads_, next_;
};

}  // namespace tenon::content
