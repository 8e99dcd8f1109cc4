// A goal that is reached rings once.
#include "runtime/vr/goal_chime.h"

#include <gtest/gtest.h>

namespace tenon::tests {
namespace {

using runtime::GoalChime;
using runtime::Verdict;

TEST(GoalChime, SoundsOncePerGoalAndNotForGoalsReachedBefore) {
  std::vector<runtime::GoalResult> goals(2);
  goals[0].verdict = Verdict::inserted;
  GoalChime bell;
  EXPECT_FALSE(bell.shouldChime(goals)) << "so it began";
  goals[1].verdict = Verdict::blocked;
  EXPECT_FALSE(bell.shouldChime(goals));
  goals[1].verdict = Verdict::inserted;
  EXPECT_TRUE(bell.shouldChime(goals));
  EXPECT_FALSE(bell.shouldChime(goals));
  goals[0].verdict = Verdict::pending;  // undone
  EXPECT_FALSE(bell.shouldChime(goals));
  goals[0].verdict = Verdict::inserted;
  EXPECT_TRUE(bell.shouldChime(goals));
}

}  // namespace
}  // namespace tenon::tests
