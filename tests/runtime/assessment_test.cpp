// Verdicts and statistics from ticks made by hand.
#include "runtime/assess/assessment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "tests/runtime/goal_scene.h"

namespace tenon::runtime {
namespace {

using tests::goalScene;
using tests::Standing;
using tests::tickOf;

/// Feeds an assessment with ticks every 10 ms.
class Session {
 public:
  content::Scene scene = goalScene();
  Assessment assessment{scene};
  double time = 0;

  const GoalResult& goal() const { return assessment.goals()[0]; }

  /// Goes at constant speed to `to` within `duration` [s]; to.time is ignored.
  void go(double duration, Standing to) {
    const int steps = static_cast<int>(std::lround(duration * 100));
    for (int k = 1; k <= steps; ++k) {
      Standing now = to;
      const double s = static_cast<double>(k) / steps;
      now.depth = last_.depth + s * (to.depth - last_.depth);
      now.time = time + 0.01 * k;
      assessment.add(tickOf(scene, now));
    }
    time += 0.01 * steps;
    last_ = to;
  }

 private:
  Standing last_{.depth = -0.01};
};

TEST(GoalWatch, ReadsDepthTiltAndPushWhateverTheHolesPose) {
  const content::Scene scene = goalScene();
  for (const bool pegFirst : {false, true}) {
    Assessment assessment(scene);
    assessment.add(
        tickOf(scene, {.time = 0.5, .depth = 0.0123, .lateral = 0.0004, .tilt = 1e-5, .push = 7}, pegFirst));
    const GoalResult& goal = assessment.goals()[0];
    EXPECT_NEAR(goal.depth, 0.0123, 1e-15);
    EXPECT_NEAR(goal.tilt, 1e-5, 1e-15);
    EXPECT_NEAR(goal.push, 7, 1e-13);
    EXPECT_EQ(goal.time, 0.5);
  }
}

TEST(GoalWatch, PushIsThePeakResistanceAndPullingIsNone) {
  Session session;
  session.go(0.1, {.depth = 0.001, .push = 3});
  session.go(0.1, {.depth = 0.002, .push = 12.5});
  session.go(0.1, {.depth = 0.003, .push = -40});
  EXPECT_EQ(session.goal().push, 0);
  EXPECT_NEAR(session.goal().maxPush, 12.5, 1e-12);
  EXPECT_NEAR(session.assessment.summary().maxPush, 12.5, 1e-12);
}

TEST(GoalWatch, OnlyForcesBetweenItsOwnTwoPartsArePush) {
  content::Scene scene = goalScene();
  Assessment assessment(scene);
  physics::StepResult tick = tickOf(scene, {.time = 0.1, .push = 5});
  for (physics::ContactForce& contact : tick.contacts) contact.contact.i = physics::BodyId{2};
  assessment.add(tick);
  EXPECT_EQ(assessment.goals()[0].maxPush, 0);
}

TEST(GoalWatch, IsInsertedAtDepthAndKeepsTheFirstTime) {
  Session session;
  session.go(1, {.depth = 0.01});
  EXPECT_EQ(session.goal().verdict, Verdict::pending);
  EXPECT_FALSE(session.assessment.allInserted());
  session.go(0.1, {.depth = 0.01991});
  EXPECT_EQ(session.goal().verdict, Verdict::inserted);
  EXPECT_TRUE(session.assessment.allInserted());
  const double first = session.goal().time;
  EXPECT_NEAR(first, 1.1, 1e-9);
  session.go(3, {.depth = 0.02009});  // past the time limit: it was in time
  session.go(0.2, {.depth = 0.02, .held = false});
  EXPECT_EQ(session.goal().verdict, Verdict::inserted);
  EXPECT_EQ(session.goal().time, first);
}

TEST(GoalWatch, DepthAloneIsNotInserted) {
  for (const Standing& wrong : {Standing{.depth = 0.02, .tilt = 0.0101},
                                Standing{.depth = 0.02, .lateral = 0.00501}, Standing{.depth = 0.01989}}) {
    Session session;
    session.go(1, wrong);
    EXPECT_EQ(session.goal().verdict, Verdict::pending)
        << wrong.depth << " " << wrong.tilt << " " << wrong.lateral;
  }
}

TEST(GoalWatch, ComingOutAgainOrComingLateIsNotInserted) {
  Session out;
  out.go(0.5, {.depth = 0.02});
  out.go(0.5, {.depth = 0.01});
  EXPECT_EQ(out.goal().verdict, Verdict::pending);
  EXPECT_FALSE(out.assessment.allInserted());
  Session late;
  late.go(2.01, {.depth = 0.01});
  late.go(0.1, {.depth = 0.02});
  late.go(1, {.depth = 0.02, .push = 50});  // pushed against the bottom is not jammed
  EXPECT_EQ(late.goal().verdict, Verdict::pending);
}

TEST(GoalWatch, IsJammedWhenPushedToAStandstillInTheHole) {
  Session session;
  session.go(0.5, {.depth = 0.008, .push = 1});
  EXPECT_EQ(session.goal().verdict, Verdict::pending);  // it still moves
  session.go(0.3, {.depth = 0.008, .push = 20});
  EXPECT_EQ(session.goal().verdict, Verdict::jammed);
  session.go(0.3, {.depth = 0.008, .push = 0, .held = false});  // and stays so when released
  EXPECT_EQ(session.goal().verdict, Verdict::jammed);
}

TEST(GoalWatch, IsBlockedWhenPushedToAStandstillBeforeTheBore) {
  Session leadIn;
  leadIn.go(0.3, {.depth = 0.0009});
  leadIn.go(0.3, {.depth = 0.0009, .push = 20});
  EXPECT_EQ(leadIn.goal().verdict, Verdict::blocked);
  Session beside;
  beside.go(0.3, {.depth = 0, .lateral = 0.02});
  beside.go(0.3, {.depth = 0, .lateral = 0.02, .push = 20});
  EXPECT_EQ(beside.goal().verdict, Verdict::blocked);
}

TEST(GoalWatch, AStandstillWithoutPushOrThatEndsIsNoJam) {
  Session waiting;
  waiting.go(0.3, {.depth = 0.008});
  waiting.go(1, {.depth = 0.008, .push = 0.1});
  EXPECT_EQ(waiting.goal().verdict, Verdict::pending);
  Session freed;
  freed.go(0.3, {.depth = 0.008});
  freed.go(0.3, {.depth = 0.008, .push = 20});
  ASSERT_EQ(freed.goal().verdict, Verdict::jammed);
  freed.go(0.3, {.depth = 0.012, .push = 5});
  EXPECT_EQ(freed.goal().verdict, Verdict::pending);
}

TEST(GoalWatch, IsReleasedWhenOpenedTooEarlyAndNotBeforeItWasEverHeld) {
  Session session;
  session.go(0.3, {.depth = -0.01, .held = false});
  EXPECT_EQ(session.goal().verdict, Verdict::pending);
  session.go(0.3, {.depth = 0.005});
  session.go(0.3, {.depth = 0.005, .held = false});
  EXPECT_EQ(session.goal().verdict, Verdict::released);
  session.go(0.3, {.depth = 0.005, .push = 3, .held = false});  // lying there is not pushing
  EXPECT_EQ(session.goal().verdict, Verdict::released);
  session.go(0.3, {.depth = 0.02});  // taken up again
  EXPECT_EQ(session.goal().verdict, Verdict::inserted);
}

TEST(GoalWatch, APartNoHandEverHeldCanJamByItsWeight) {
  Session session;
  session.go(0.3, {.depth = 0.008, .held = false});
  session.go(0.3, {.depth = 0.008, .push = 1, .held = false});
  EXPECT_EQ(session.goal().verdict, Verdict::jammed);
}

/// A tick whose forces are those of a failed step, with a hand that presses with `load` [N].
physics::StepResult unsettled(const content::Scene& scene, const Standing& standing, double load) {
  physics::StepResult tick = tickOf(scene, standing);
  tick.report.converged = false;
  tick.hands[0].force = -load * ((scene.parts[0].X_WP * scene.goals[0].X_IH).q * physics::Vector3d::UnitZ());
  return tick;
}

TEST(GoalWatch, ForcesOfStepsThatDidNotConvergeAreNoPush) {
  const content::Scene scene = goalScene();
  Assessment assessment(scene);
  assessment.add(tickOf(scene, {.time = 0.1, .depth = 0.01, .push = 3}));
  assessment.add(unsettled(scene, {.time = 0.2, .depth = 0.01, .push = 40000}, 5));
  const GoalResult& goal = assessment.goals()[0];
  EXPECT_NEAR(goal.maxPush, 3, 1e-12);
  EXPECT_NEAR(goal.push, 5, 1e-12) << "what the hand presses with";
  EXPECT_FALSE(goal.current.converged);
  EXPECT_TRUE(goal.current.contact.clusters.empty());
}

TEST(GoalWatch, APartStoppedForLackOfForcesStandsStill) {
  // Pressed by the hand, near the hole's part, at no force that was found.
  const content::Scene scene = goalScene();
  for (const double load : {5.0, 0.1, -5.0}) {
    Assessment assessment(scene);
    for (int k = 0; k <= 30; ++k) assessment.add(unsettled(scene, {.time = 0.01 * k, .depth = 0.0009}, load));
    EXPECT_EQ(assessment.goals()[0].verdict, load > 1 ? Verdict::blocked : Verdict::pending) << load;
  }
  Assessment apart(scene);
  for (int k = 0; k <= 30; ++k) {
    physics::StepResult tick = unsettled(scene, {.time = 0.01 * k, .depth = 0.0009}, 5);
    tick.contacts.clear();  // some other part's step failed
    apart.add(tick);
  }
  EXPECT_EQ(apart.goals()[0].verdict, Verdict::pending);
}

TEST(GoalWatch, AStopWhoseForcesAreKnownIsKeptOverOneWithout) {
  const content::Scene scene = goalScene();
  Assessment assessment(scene);
  for (int k = 0; k <= 15; ++k)
    assessment.add(tickOf(scene, {.time = 0.01 * k, .depth = 0.0009, .push = 20}));
  ASSERT_TRUE(assessment.goals()[0].standstill);
  assessment.add(unsettled(scene, {.time = 0.16, .depth = 0.0009}, 20));
  ASSERT_TRUE(assessment.goals()[0].standstill);
  EXPECT_TRUE(assessment.goals()[0].standstill->converged);
  EXPECT_NEAR(assessment.goals()[0].standstill->time, 0.15, 1e-12);
}

TEST(GoalWatch, IsBlockedWhereOnlyTheTipsChamferIsInTheBore) {
  content::Scene scene = goalScene();
  scene.parts[1].shape =
      physics::SolidOfRevolution{{{0, 0}, {0, 0.0039}, {0.001, 0.0049}, {0.04, 0.0049}, {0.04, 0}}};
  for (const double depth : {0.0019, 0.00202}) {
    Assessment assessment(scene);
    for (int k = 0; k <= 30; ++k)
      assessment.add(tickOf(scene, {.time = 0.01 * k, .depth = depth, .push = 20}));
    EXPECT_EQ(assessment.goals()[0].verdict, depth < 0.002 ? Verdict::blocked : Verdict::jammed) << depth;
  }
}

TEST(GoalWatch, StandingOnTheBoresEdgeIsBlockedWhateverTheRounding) {
  const content::Scene scene = goalScene();
  for (const double depth : {0.001 - 1e-12, 0.001 + 1e-9}) {
    Assessment assessment(scene);
    for (int k = 0; k <= 30; ++k)
      assessment.add(tickOf(scene, {.time = 0.01 * k, .depth = depth, .push = 20}));
    EXPECT_EQ(assessment.goals()[0].verdict, Verdict::blocked) << depth;
  }
}

TEST(Assessment, WithoutGoalsOrTicksSaysSo) {
  content::Scene scene = goalScene();
  EXPECT_FALSE(Assessment(scene).allInserted());
  scene.goals.clear();
  const Assessment none(scene);
  EXPECT_TRUE(none.allInserted());
  EXPECT_EQ(none.summary().steps, 0);
  EXPECT_EQ(none.summary().stepTimeP99_us, 0);
  EXPECT_EQ(none.summary().meanContacts, 0);
}

TEST(Assessment, AddsUpWhatTheStepsReport) {
  const content::Scene scene = goalScene();
  Assessment assessment(scene);
  physics::StepResult tick = tickOf(scene, {});
  tick.time = 0.001;
  tick.report.contacts = 4;
  tick.report.linearizations = 1;
  tick.report.penetration = 3e-9;
  tick.report.residual = 2e-7;
  tick.joints = {{.angle = 0.5, .lengthError = 5e-11, .angleError = 1e-12, .force = {3, 4, 0}}};
  tick.report.solver = physics::SolverName::fischerNewton;
  tick.report.fallbacks[static_cast<std::size_t>(physics::SolverName::fischerNewton)] = 2;
  assessment.add(tick, 10);
  tick.time = 0.002;
  tick.report = {};
  tick.report.contacts = 1;
  tick.joints = {{.angle = 0.7, .lengthError = 4e-11, .angleError = 2e-12, .force = {30, 40, 0}}};
  tick.report.linearizations = 4;
  tick.report.converged = false;
  assessment.add(tick, 30);
  const Assessment::Summary s = assessment.summary();
  EXPECT_EQ(s.steps, 2);
  EXPECT_EQ(s.simulated, 0.002);
  EXPECT_EQ(s.maxPenetration, 3e-9);
  EXPECT_EQ(s.maxResidual, 2e-7);
  EXPECT_EQ(s.maxJointLengthError, 5e-11);
  EXPECT_EQ(s.maxJointAngleError, 2e-12);
  EXPECT_EQ(assessment.joints().at(0).end.angle, 0.7);
  EXPECT_EQ(assessment.joints().at(0).maxForce, 5) << "the second step did not converge";
  EXPECT_EQ(s.meanContacts, 2.5);
  EXPECT_EQ(s.maxContacts, 4);
  EXPECT_EQ(s.meanLinearizations, 2.5);
  EXPECT_EQ(s.maxLinearizations, 4);
  EXPECT_EQ(s.notConvergedSteps, 1);
  EXPECT_EQ(s.fallbacks, (std::map<std::string, int>{{"fischer-newton", 2}}));
  EXPECT_EQ(s.stepsBySolver, (std::map<std::string, std::int64_t>{{"fischer-newton", 1}}));
  EXPECT_EQ(s.stepTimeP50_us, 10);
  EXPECT_EQ(s.stepTimeMax_us, 30);
}

TEST(StepTimes, ArePercentilesByNearestRank) {
  std::vector<double> times(1000);
  std::iota(times.begin(), times.end(), 1.0);
  const unsigned seed = 4711;
  SCOPED_TRACE(seed);
  std::shuffle(times.begin(), times.end(), std::mt19937(seed));
  StepTimes all;
  for (const double time : times) all.add(time);
  EXPECT_EQ(all.percentile(50), 500);
  EXPECT_EQ(all.percentile(99), 990);
  EXPECT_EQ(all.percentile(99.95), 1000);
  EXPECT_EQ(all.percentile(100), 1000);
  EXPECT_EQ(all.percentile(0.01), 1);
  EXPECT_EQ(all.maximum(), 1000);
}

TEST(StepTimes, ThinLongRunsEvenly) {
  // 5 million rising times: thinned to every 8th, whose percentiles are within 8 of the exact ones.
  StepTimes all;
  constexpr int kCount = 5'000'000;
  for (int k = 1; k <= kCount; ++k) all.add(k);
  EXPECT_NEAR(all.percentile(50), 0.50 * kCount, 8);
  EXPECT_NEAR(all.percentile(99), 0.99 * kCount, 8);
  EXPECT_EQ(all.maximum(), kCount);
}

}  // namespace
}  // namespace tenon::runtime
