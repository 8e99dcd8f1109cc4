// Real threads in the shipped scenes: started, run down, and crossed, without overlap.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/scenario/scene_run.h"

namespace tenon::tests {
namespace {

using runtime::GoalResult;
using runtime::Verdict;

GoalResult outcomeOf(const content::Scene& scene) {
  SceneRun run(scene, {});
  run.run(scene.duration, false);
  const auto summary = run.assessment.summary();
  EXPECT_EQ(summary.notConvergedSteps, 0);
  EXPECT_LE(summary.maxPenetration, 10e-9);
  return run.assessment.goals().at(0);
}

TEST(RealThreads, aNutIsStartedAndRunDown) {
  const content::Scene scene = shippedScene("nut-on-bolt");
  const GoalResult goal = outcomeOf(scene);
  EXPECT_EQ(goal.verdict, Verdict::started);
  ASSERT_TRUE(goal.thread);
  EXPECT_GE(goal.thread->turns, 4);
  EXPECT_LE(goal.thread->tilt, goal.thread->freeTilt);
}

TEST(RealThreads, anUprightScrewStarts) {
  const GoalResult goal = outcomeOf(shippedScene("cross-thread", {{"tilt_deg", 0.5}}));
  EXPECT_EQ(goal.verdict, Verdict::started) << goal.depth;
}

TEST(RealThreads, aTiltedScrewCrosses) {
  const GoalResult goal = outcomeOf(shippedScene("cross-thread", {{"tilt_deg", 6}}));
  EXPECT_EQ(goal.verdict, Verdict::crossThreaded) << goal.depth;
  ASSERT_TRUE(goal.thread);
  EXPECT_GT(goal.thread->tilt, 2 * std::numbers::pi / 180);
}

}  // namespace
}  // namespace tenon::tests
