// Which goals have been reached since the last look: what is worth a sound.
#pragma once

#include <span>
#include <vector>

#include "runtime/assess/goal_watch.h"

namespace tenon::runtime {

class GoalChime {
 public:
  /// True where one of them is reached that was not when it was looked at last. What is reached at the first
  /// look was so before.
  bool shouldChime(std::span<const GoalResult> goals);

 private:
  bool begun_ = false;
  std::vector<bool> reached_;
};

}  // namespace tenon::runtime
