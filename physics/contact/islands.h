// Groups of bodies that contacts couple: each is a problem of its own.
#pragma once

#include <span>
#include <vector>

#include "physics/collision/collider.h"

namespace tenon::physics {

/// Which dynamic bodies belong together, by union-find over pairs. Islands are numbered by their
/// lowest body, so the numbering depends on the pairs alone.
class Islands {
 public:
  /// `dynamic[i]` tells whether body i moves by forces; only those join islands together. Pairs are
  /// those that may touch in this step.
  void build(const std::vector<bool>& dynamic, std::span<const BodyPair> pairs);

  int count() const { return static_cast<int>(size_.size()); }
  /// Bodies of an island.
  int size(int island) const { return size_[island]; }
  /// Island of a body; −1: it is not dynamic or touches nothing.
  int islandOf(BodyId body) const { return island_[body.value]; }

 private:
  int root(int i);

  std::vector<int> parent_;
  std::vector<int> island_;
  std::vector<int> size_;  ///< bodies of each island
};

}  // namespace tenon::physics
