// What is known of pairs from earlier steps: how far apart they were, and where. As long as that decides who
// may touch whom, nobody is asked again.
#pragma once

#include <span>
#include <vector>

#include "physics/collision/collider.h"

namespace tenon::physics {

/// Distances change by no more than one body moves as the other sees it (conservative advancement: B.
/// Mirtich, Impulse-based dynamic simulation of rigid body systems, 1996, section 2.3): the answers are those
/// that asking would give, and a world that was restored, and remembers nothing, goes on alike.
class DistanceCache {
 public:
  /// Of `pairs`, sorted, those with a contact within the sum of their bodies' `reach` [m], by asking where it
  /// is not known. Poses and `radius` about the centre of mass [m] of every body. Replaces `touching`.
  void findTouching(const Collider& collider, std::span<const Pose> X_WC, std::span<const double> radius,
                    std::span<const BodyPair> pairs, std::span<const double> searchMargin,
                    std::vector<BodyPair>& touching);

 private:
  struct CachedDistance {
    BodyPair pair;
    double nearest = 0;  ///< distance [m]; where nothing was found, as far as it was looked for
    bool found = false;
    Pose seen;  ///< where the smaller body was then, in the other's frame
  };

  std::vector<CachedDistance> cache_, next_;
  ContactSet found_;
};

}  // namespace tenon::physics
