// A goal that is reached rings once.
#include "runtime/vr/goal_bell.h"

#include <gtest/gtest.h>

namespace tenon::tests {
namespace {

using runtime::GoalBell;
using runtime::Verdict;

TEST(GoalBell, RingsOnceForEachGoalAndNotForWhatWasReachedBefore) {
  std::vector<runtime::GoalResult> goals(2);
  goals[0].verdict = Verdict::inserted;
  GoalBell bell;
  EXPECT_FALSE(bell.rings(goals)) << "so it began";
  goals[1].verdict = Verdict::blocked;
  EXPECT_FALSE(bell.rings(goals));
  goals[1].verdict = Verdict::inserted;
  EXPECT_TRUE(bell.rings(goals));
  EXPECT_FALSE(bell.rings(goals));
  goals[0].verdict = Verdict::pending;  // undone
  EXPECT_FALSE(bell.rings(goals));
  goals[0].verdict = Verdict::inserted;
  EXPECT_TRUE(bell.rings(goals));
}

}  // namespace
}  // namespace tenon::tests
