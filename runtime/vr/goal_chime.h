// Decides when a reached goal sounds.
#pragma once

#include <span>
#include <vector>

#include "runtime/assess/goal_watch.h"

namespace tenon::runtime {

class GoalChime {
 public:
  /// True if a goal is reached that was not at the previous call. The first call returns false.
  bool shouldChime(std::span<const GoalResult> goals);

 private:
  bool initialized_ = false;
  std::vector<bool> reached_;
};

}  // namespace tenon::runtime
