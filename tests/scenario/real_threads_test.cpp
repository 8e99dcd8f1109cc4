// Real threads in the shipped scenes: started, run down, and crossed, without overlap.
#include <gtest/gtest.h>

#include <numbers>

#include "tests/scenario/scene_run.h"

namespace tenon::tests {
namespace {

using runtime::GoalResult;
using runtime::Verdict;

/// The first goal after `seconds`, with at most this many steps that did not converge.
GoalResult outcomeOf(const content::Scene& scene, double seconds, int mostFailed) {
  SceneRun run(scene, {});
  run.run(seconds, 0);
  const auto summary = run.assessment.summary();
  EXPECT_LE(summary.notConvergedSteps, mostFailed);
  EXPECT_LE(summary.maxPenetration, 10e-9);
  return run.assessment.goals().at(0);
}

TEST(RealThreads, aNutIsStartedAndRunDown) {
  const content::Scene scene = shippedScene("nut-on-bolt");
  const GoalResult goal = outcomeOf(scene, scene.duration, 0);
  EXPECT_EQ(goal.verdict, Verdict::started);
  ASSERT_TRUE(goal.thread);
  EXPECT_GE(goal.thread->turns, 4);
  EXPECT_LE(goal.thread->tilt, goal.thread->freeTilt);
}

// The tilted nut rests with an edge beside the end of the bolt's first tooth.
TEST(RealThreads, aNutThatRestsOnTheFirstToothConverges) {
  const content::Scene scene = shippedScene("nut-on-bolt", {{"offset_mm", 0.6692},
                                                            {"tilt_deg", 0.0829},
                                                            {"phase_deg", -196.78},
                                                            {"bolt_at", 0.6556},
                                                            {"nut_at", 0.4194}});
  EXPECT_EQ(outcomeOf(scene, scene.duration, 0).verdict, Verdict::started);
}

TEST(RealThreads, anUprightScrewStarts) {
  const content::Scene scene = shippedScene("cross-thread");
  const GoalResult goal = outcomeOf(scene, scene.duration, 0);
  EXPECT_EQ(goal.verdict, Verdict::started) << goal.depth;
  ASSERT_TRUE(goal.thread);
  EXPECT_LE(goal.thread->tilt, goal.thread->freeTilt);
}

TEST(RealThreads, aTiltedScrewCrosses) {
  const GoalResult goal = outcomeOf(shippedScene("cross-thread", {{"tilt_deg", 8}}), 1.2, 5);
  EXPECT_EQ(goal.verdict, Verdict::crossThreaded) << goal.depth;
  ASSERT_TRUE(goal.thread);
  EXPECT_GT(goal.thread->tilt, 2 * std::numbers::pi / 180);
  EXPECT_LT(goal.thread->turns, 1);
}

}  // namespace
}  // namespace tenon::tests
