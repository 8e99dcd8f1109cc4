// Groups of bodies coupled by contacts: each is a separate problem.
#pragma once

#include <span>
#include <vector>

#include "physics/collision/collider.h"
#include "physics/math/disjoint_sets.h"

namespace tenon::physics {

/// Partition of the dynamic bodies into islands, joined by pairs. Islands are numbered in the order
/// of their lowest bodies, so that the numbers depend on the pairs alone.
class Islands {
 public:
  /// `dynamic[i]`: body i moves by forces; only such bodies connect pairs to an island. `pairs`: those that
  /// can touch in this step.
  void build(const std::vector<bool>& dynamic, std::span<const BodyPair> pairs);

  int count() const { return static_cast<int>(size_.size()); }
  /// Number of bodies of an island.
  int size(int island) const { return size_[island]; }
  /// Island of a body; −1: it is not dynamic or touches nothing.
  int islandOf(BodyId body) const { return island_[body.value]; }

 private:
  DisjointSets sets_;
  std::vector<int> island_;
  std::vector<int> size_;  ///< bodies of each island
};

}  // namespace tenon::physics
