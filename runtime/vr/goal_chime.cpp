// Compares the goals with the previous frame.
#include "runtime/vr/goal_chime.h"

namespace tenon::runtime {

bool GoalChime::shouldChime(std::span<const GoalResult> goals) {
  reached_.resize(goals.size());
  bool shouldChime = false;
  for (std::size_t k = 0; k < goals.size(); ++k) {
    const bool reached = isReached(goals[k].verdict);
    shouldChime = shouldChime || (initialized_ && reached && !reached_[k]);
    reached_[k] = reached;
  }
  initialized_ = true;
  return shouldChime;
}

}  // namespace tenon::runtime
