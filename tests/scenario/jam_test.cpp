// Parts that really stop on their way in, and whether the reported cause is the real one.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/scenario/scene_run.h"

namespace tenon::tests {
namespace {

using runtime::StopCause;

runtime::GoalResult resultOf(content::Scene scene) {
  SceneRun run(scene, {.dt = 1e-3});
  run.run(scene.duration, true);
  return run.assessment.goals().front();
}

TEST(Jam, aRoughPegIsWedgedByConesThatContainEachOther) {
  const runtime::GoalResult goal =
      resultOf(shippedScene("insertion-benchmark", {{"clearance_um", 100}, {"friction", 0.8}}));
  EXPECT_EQ(goal.verdict, runtime::Verdict::jammed);
  ASSERT_TRUE(goal.standstill && goal.standstill->wedge);
  EXPECT_EQ(goal.standstill->cause, StopCause::wedged);
  EXPECT_TRUE(goal.standstill->wedge->possible);
  // Between edge and wall, across the slanting peg, there is just its diameter: ℓ sin θ = 2R cos θ − D, for
  // small tilt Whitney's θ = c/ℓ.
  const double theta = goal.standstill->tilt;
  EXPECT_NEAR(goal.standstill->wedge->length * std::sin(theta),
              2 * goal.fit.boreRadius * std::cos(theta) - 2 * goal.fit.pegRadius, 1e-8);
}

TEST(Jam, aTiltedPegJamsOutsideTheDiagramAndASmoothOneSlides) {
  content::Scene scene = shippedScene("insertion-benchmark", {{"clearance_um", 200}, {"friction", 0.35}});
  ASSERT_FALSE(scene.hands[0].script.empty());
  // The hand's target is turned by 12°: a moment and little else.
  content::Waypoint& last = scene.hands[0].script.back();
  ASSERT_TRUE(last.X_W);
  last.X_W->q = physics::Quaterniond(Eigen::AngleAxisd(0.21, physics::Vector3d::UnitY()));
  content::Waypoint straight = last;
  straight.time = 0.8;
  straight.X_W = physics::Pose::at({0, 0, -0.008});
  scene.hands[0].script.insert(scene.hands[0].script.end() - 1, straight);
  const runtime::GoalResult rough = resultOf(scene);
  ASSERT_TRUE(rough.standstill && rough.standstill->point);
  EXPECT_EQ(rough.standstill->cause, StopCause::jammed);
  EXPECT_EQ(rough.standstill->contact.state, runtime::ContactState::twoPoint);
  EXPECT_FALSE(rough.standstill->wedge->conesMeet);
  EXPECT_EQ(rough.standstill->point->side, runtime::JamSide::momentPlus);
  scene.pairs.clear();
  EXPECT_GT(resultOf(scene).depth, rough.depth + 0.005);
}

TEST(Jam, aPegThatIsTooWideIsBlockedAndTheExcessReported) {
  const runtime::GoalResult goal = resultOf(shippedScene("insertion-benchmark", {{"clearance_um", -4}}));
  EXPECT_EQ(goal.verdict, runtime::Verdict::blocked);
  ASSERT_TRUE(goal.standstill);
  EXPECT_EQ(goal.standstill->cause, StopCause::tooWide);
  EXPECT_TRUE(goal.standstill->contact.allRound);
}

TEST(Jam, anInterferenceFitIsBlockedWhateverTheRateAndTheForcesFound) {
  // Coarse steps, in which forces are hard to find: rate [Hz] and clearance [µm].
  for (const auto& [rate, clearance_um] : {std::pair(90.0, -50.0), std::pair(200.0, -20.0)}) {
    SCOPED_TRACE(testing::Message() << rate << " Hz, " << clearance_um << " µm");
    const content::Scene scene =
        shippedScene("insertion-benchmark", {{"clearance_um", clearance_um}, {"friction", 0.1}});
    SceneRun run(scene, {.dt = 1 / rate});
    run.run(1.5, false);
    const runtime::GoalResult& goal = run.assessment.goals().front();
    EXPECT_EQ(goal.verdict, runtime::Verdict::blocked);
    ASSERT_TRUE(goal.standstill);
    EXPECT_EQ(goal.standstill->cause, StopCause::tooWide);
    EXPECT_LT(goal.maxPush, 60) << "the hand can press with 2 kN/m over 26.5 mm, and its damping";
  }
}

}  // namespace
}  // namespace tenon::tests
