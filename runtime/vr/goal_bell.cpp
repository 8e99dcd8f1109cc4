// See goal_bell.h.
#include "runtime/vr/goal_bell.h"

namespace tenon::runtime {

bool GoalBell::rings(std::span<const GoalResult> goals) {
  reached_.resize(goals.size());
  bool rings = false;
  for (std::size_t k = 0; k < goals.size(); ++k) {
    const bool reached = isReached(goals[k].verdict);
    rings = rings || (begun_ && reached && !reached_[k]);
    reached_[k] = reached;
  }
  begun_ = true;
  return rings;
}

}  // namespace tenon::runtime
