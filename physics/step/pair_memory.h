// What is known of pairs from earlier steps: how far apart they were, and how far their bodies went since. As
// long as that decides who may touch whom, nobody is asked again.
#pragma once

#include <span>
#include <vector>

#include "physics/collision/collider.h"

namespace tenon::physics {

/// Distances change by no more than bodies move (conservative advancement: B. Mirtich, Impulse-based dynamic
/// simulation of rigid body systems, 1996, section 2.3): the answers are those that asking would give, and a
/// world that was restored, and remembers nothing, goes on alike.
class PairMemory {
 public:
  /// Where bodies are taken from now on; a body that came there in any way has gone the whole of it.
  /// `radius`: of each body about its centre of mass [m].
  void moveTo(std::span<const Pose> X_WC, std::span<const double> radius);

  /// Of `pairs`, sorted, those with a contact within the sum of their bodies' `reach` [m], by asking where it
  /// is not known. Replaces `touching`.
  void findTouching(const Collider& collider, std::span<const BodyPair> pairs, std::span<const double> reach,
                    std::vector<BodyPair>& touching);

 private:
  struct Known {
    BodyPair pair;
    double nearest = 0;  ///< distance [m]; where nothing was found, as far as it was looked for
    bool found = false;
    double travelled = 0;  ///< of both bodies, when it was asked [m]
  };
  Known ask(const Collider& collider, const BodyPair& pair, double range);

  std::vector<Pose> poses_;
  std::vector<double> travelled_;  ///< by body [m]
  std::vector<Known> known_, next_;
  ContactSet found_;
};

}  // namespace tenon::physics
