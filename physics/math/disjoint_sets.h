// Union-find: a partition of 0 … n−1 into sets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace tenon::physics {

/// The root of a set is its lowest element, so that roots depend on the joined pairs alone, not on their
/// order. (Tarjan and van Leeuwen 1984: path halving.)
class DisjointSets {
 public:
  explicit DisjointSets(int n = 0) { reset(n); }

  /// n sets of one element. Reuses memory.
  void reset(int n) {
    parent_.resize(static_cast<std::size_t>(n));
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int root(int i) {
    while (at(i) != i) i = at(i) = at(at(i));
    return i;
  }
  void join(int i, int j) {
    i = root(i), j = root(j);
    at(std::max(i, j)) = std::min(i, j);
  }

 private:
  int& at(int i) { return parent_[static_cast<std::size_t>(i)]; }
  std::vector<int> parent_;
};

}  // namespace tenon::physics
