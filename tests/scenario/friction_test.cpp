// Insertions with friction against planar statics, and a press fit against its own closed form.
#include <gtest/gtest.h>

#include <numbers>

#include "tests/scenario/scene_run.h"
#include "tests/support/every_solver.h"
#include "tests/support/planar_insertion.h"

namespace tenon::tests {
namespace {

using physics::SolverName;

/// A moving hand adds to the quasi-static push: critically damped, 28 N s/m at 15 mm/s.
constexpr double kDamping = 0.42;  // [N]

struct RoughPeg : testing::TestWithParam<std::tuple<int, double, SolverName>> {};

TEST_P(RoughPeg, goesInWithTheForceOfStaticsAndNanometresAtMost) {
  const auto& [clearance_um, friction, solver] = GetParam();
  const content::ParameterValues values = {{"clearance_um", static_cast<double>(clearance_um)},
                                           {"friction", friction}};
  SceneRun run(shippedScene("insertion-benchmark", values), {.dt = 1e-3, .solver = solver});
  run.run(2.5, true);
  EXPECT_LE(run.worstPenetration, 1e-8);
  PlanarInsertion insertion;
  insertion.clearance = 1e-6 * clearance_um;
  insertion.friction = friction;
  const InsertionTruth truth = insertionTruth(insertion);
  const runtime::GoalResult& goal = run.assessment.goals().front();
  RecordProperty("push_n", std::to_string(goal.maxPush));
  RecordProperty("truth_n", std::to_string(truth.peakPush));
  ASSERT_TRUE(truth.arrives);
  EXPECT_EQ(goal.verdict, runtime::Verdict::inserted);
  EXPECT_GE(goal.maxPush, 0.95 * truth.peakPush);
  EXPECT_LE(goal.maxPush, 1.05 * truth.peakPush + kDamping);
}

std::string roughPegName(const testing::TestParamInfo<RoughPeg::ParamType>& it) {
  return std::to_string(std::get<0>(it.param)) + "_um_" + solverName(std::get<2>(it.param));
}

INSTANTIATE_TEST_SUITE_P(byLemke, RoughPeg, testing::Values(std::tuple(100, 0.1, SolverName::lemkeFixpoint)),
                         roughPegName);
INSTANTIATE_TEST_SUITE_P(cases, RoughPeg,
                         testing::Combine(testing::Values(500, 100, 50, 20, 10), testing::Values(0.1),
                                          testing::Values(SolverName::automatic, SolverName::fischerNewton)),
                         roughPegName);

/// Without friction a close fit snaps in, and the damped hand cannot follow; a hand sixteen times slower can.
TEST(SlowHand, pushesByStatics) {
  for (const int clearance_um : {100, 20, 10}) {
    content::Scene scene =
        shippedScene("insertion-benchmark", {{"clearance_um", static_cast<double>(clearance_um)}});
    for (content::Hand& hand : scene.hands)
      for (content::Waypoint& waypoint : hand.script) waypoint.time *= 16;
    for (content::Goal& goal : scene.goals) goal.timeLimit *= 16;
    SceneRun run(scene, {.dt = 1e-3});
    run.run(16 * 2.5, false);
    PlanarInsertion insertion;
    insertion.clearance = 1e-6 * clearance_um;
    const double truth = insertionTruth(insertion).peakPush;
    EXPECT_EQ(run.assessment.goals().front().verdict, runtime::Verdict::inserted) << clearance_um;
    EXPECT_NEAR(run.assessment.goals().front().maxPush, truth, 0.05 * truth + kDamping / 16) << clearance_um;
  }
}

/// The scene with the same stiffness [N/m] at any depth.
content::Scene pressFitOf(double interference_um, double stiffness) {
  content::Scene scene = shippedScene("press-fit", {{"interference_um", interference_um}});
  scene.pairs.front().stiffness = stiffness;
  for (content::Hand& hand : scene.hands) {
    hand.parameters.stiffness.setConstant(2e5);
    hand.parameters.maxForce = 1000;
  }
  return scene;
}

/// Lamé's pressure of two steels, hub Ø 40 mm, on the engaged length: the pin's chamfer is 0.6 mm long, the
/// hole's 0.5 mm.
TEST(PressFit, isPushedHomeAgainstAForceThatGrowsWithItsDepth) {
  constexpr double kYoung = 210e9, kPoisson = 0.3, kPinWidth = 6e-3, kHub = 40e-3;
  constexpr double kSquares = (kHub * kHub + kPinWidth * kPinWidth) / (kHub * kHub - kPinWidth * kPinWidth);
  for (const double interference_um : {2.0, 4.0}) {
    SceneRun run(shippedScene("press-fit", {{"interference_um", interference_um}}), {.dt = 1e-3});
    const double pressure =
        1e-6 * interference_um * kYoung / (kPinWidth * (kSquares + kPoisson + 1 - kPoisson));
    for (const double time : {1.5, 2.0, 2.5}) {
      run.run(time - run.world().stepResult().time, false);
      const runtime::GoalResult& goal = run.assessment.goals().front();
      const double engaged = goal.depth - 1.1e-3;
      ASSERT_GT(engaged, 1e-3);
      EXPECT_NEAR(goal.push, 0.1 * pressure * std::numbers::pi * kPinWidth * engaged, 0.05 * goal.push)
          << time;
    }
    run.run(1.0, false);
    const runtime::GoalResult& goal = run.assessment.goals().front();
    EXPECT_EQ(goal.verdict, runtime::Verdict::inserted) << interference_um;
    EXPECT_NEAR(run.assessment.summary().maxPenetration, 0.5e-6 * interference_um, 0.1e-6 * interference_um);
    EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
  }
}

/// Overlap i/2 all round, stiffness k over all points: they press with k i/2, and sliding takes μ k i/2.
TEST(PressFit, isPushedHomeAgainstFrictionTimesStiffnessTimesOverlap) {
  for (const double interference_um : {2.0, 4.0}) {
    SceneRun run(pressFitOf(interference_um, 5e8), {.dt = 1e-3});
    run.run(2.7, false);
    const double slidingPush = run.assessment.goals().front().push;
    run.run(0.8, false);
    const runtime::GoalResult& goal = run.assessment.goals().front();
    EXPECT_EQ(goal.verdict, runtime::Verdict::inserted) << interference_um;
    EXPECT_NEAR(slidingPush, 0.1 * 500 * interference_um / 2, 0.02 * 50 * interference_um / 2);
    EXPECT_NEAR(run.assessment.summary().maxPenetration, 0.5e-6 * interference_um, 0.1e-6 * interference_um);
    EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
  }
}

/// A pair's stiffness is that of all its points together, however many the trials of a step have seen.
TEST(PressFit, isAsStiffAtAnyRate) {
  for (const auto& [rate, interference_um] : {std::pair(200.0, 10.0), std::pair(250.0, 6.0)}) {
    SceneRun run(pressFitOf(interference_um, 5e8), {.dt = 1 / rate});
    run.run(3.5, false);
    const runtime::GoalResult& goal = run.assessment.goals().front();
    EXPECT_LE(run.assessment.summary().notConvergedSteps, 2) << rate << " Hz";
    EXPECT_LT(run.assessment.summary().maxPenetration, 0.6e-6 * interference_um) << rate << " Hz";
    EXPECT_EQ(goal.verdict, runtime::Verdict::blocked) << rate << " Hz";
  }
}

/// Interference without any give: clearance [µm], friction, rate [Hz], factor on the hand's stiffness.
struct TightPeg : testing::TestWithParam<std::tuple<double, double, double, double>> {};

/// It rests on the chamfer as deep as its tip is as wide as the cone, and no force or speed runs away.
TEST_P(TightPeg, restsOnTheChamferWhateverPushesIt) {
  const auto& [clearance_um, friction, rate, factor] = GetParam();
  content::Scene scene =
      shippedScene("insertion-benchmark", {{"clearance_um", clearance_um}, {"friction", friction}});
  for (content::Hand& hand : scene.hands) hand.parameters.stiffness *= factor;
  SceneRun run(scene, {.dt = 1 / rate});
  run.run(2.5, true);
  const runtime::GoalResult& goal = run.assessment.goals().front();
  EXPECT_EQ(goal.verdict, runtime::Verdict::blocked);
  const double chamfer = 1.5e-3;
  EXPECT_LT(goal.depth, chamfer + 0.5e-6 * clearance_um + 1e-7);
  EXPECT_GT(goal.depth, 0.9 * chamfer);
  EXPECT_LE(run.worstPenetration, 1e-8);
  // The hand's spring at the end of its way, as far as it may pull; more only by the inertia of the peg.
  const double way = 28e-3 - goal.depth, stiffness = 2000 * factor;
  const double push = std::min(stiffness * way, 1000.0);
  EXPECT_GT(goal.maxPush, 0.9 * push);
  EXPECT_LT(goal.maxPush, 1.1 * push + 5);
  EXPECT_LT(run.world().stepResult().bodies[1].v.norm(), 1e-3);
  RecordProperty("not_converged", std::to_string(run.assessment.summary().notConvergedSteps));
  EXPECT_LE(run.assessment.summary().notConvergedSteps, (rate < 1000 ? 0.08 : 0.005) * 2.5 * rate);
}

std::string tightPegName(const testing::TestParamInfo<TightPeg::ParamType>& it) {
  const auto& [clearance_um, friction, rate, factor] = it.param;
  return std::to_string(std::lround(-clearance_um)) + "_um_friction_" +
         std::to_string(std::lround(100 * friction)) + "_percent_" + std::to_string(std::lround(rate)) +
         "_hz" + (factor > 1 ? "_kilonewton" : "");
}

INSTANTIATE_TEST_SUITE_P(pushed, TightPeg,
                         testing::Combine(testing::Values(-4, -20, -50), testing::Values(0, 0.1, 0.5),
                                          testing::Values(90, 200, 1000), testing::Values(1)),
                         tightPegName);
INSTANTIATE_TEST_SUITE_P(pressed, TightPeg,
                         testing::Combine(testing::Values(-4, -20), testing::Values(0, 0.1, 0.5),
                                          testing::Values(90, 500), testing::Values(40)),
                         tightPegName);

/// Friction clamps this peg with kilonewtons while the hand pushes with some fifty: a normal reported a
/// thousandth of a radian off would be newtons.
TEST(ClampedPeg, isMovedByExactlyTheForcesReported) {
  const double dt = 1.0 / 200;
  SceneRun run(shippedScene("insertion-benchmark", {{"clearance_um", -4}, {"friction", 0.5}}), {.dt = dt});
  physics::Vector3d before = physics::Vector3d::Zero();
  double largest = 0;
  for (int step = 0; step < 500; ++step) {
    run.run(dt, false);
    const physics::StepResult& tick = run.world().stepResult();
    const physics::Vector3d now = tick.bodies[1].v;
    physics::Vector3d forces = tick.hands[0].force;
    double pressed = 0;
    for (const physics::ContactForce& contact : tick.contacts) {
      const double side = contact.contact.j.value == 1 ? 1 : -1;
      forces += side * (contact.force * contact.contact.n + contact.friction);
      pressed += contact.force;
    }
    largest = std::max(largest, pressed);
    EXPECT_LT((0.1 * (now - before) / dt - forces).norm(), 1e-9 * pressed + 1e-6) << "step " << step;
    before = now;
  }
  EXPECT_GT(largest, 500) << "it was not clamped";
}

}  // namespace
}  // namespace tenon::tests
