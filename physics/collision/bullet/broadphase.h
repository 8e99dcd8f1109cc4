// Pairs of bodies with overlapping bounds, by Bullet's dynamic bounding volume trees.
#pragma once

#include <memory>
#include <vector>

#include "physics/collision/collider.h"
#include "physics/collision/convex_part.h"

namespace tenon::physics::bullet {

/// Bounded bodies by their axis-aligned bounds. Bullet keeps its trees and pairs from call to call,
/// with loose and stale entries; what is reported here depends on the given bounds alone.
class Broadphase {
 public:
  Broadphase();
  ~Broadphase();
  Broadphase(const Broadphase&) = delete;
  Broadphase& operator=(const Broadphase&) = delete;

  /// The next body, in the order of ids. `isBounded` false: it is never paired here.
  void add(bool canMove, bool isBounded);

  /// Replaces `pairs` by those of overlapping bounds, sorted; no two bodies that cannot move.
  void findPairs(const std::vector<Bounds>& bounds, std::vector<BodyPair>& pairs);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::physics::bullet
