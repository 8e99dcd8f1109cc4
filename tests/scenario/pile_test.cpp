// Random blocks that fall into a V pit: many bodies, many contacts, sparse systems.
#include <gtest/gtest.h>

#include "content/model/build_world.h"
#include "tests/scenario/scene_run.h"
#include "tests/support/every_solver.h"

namespace tenon {
namespace {

using physics::SolverName;
using tests::SceneRun;
using tests::shippedScene;

/// Largest overlap of parts at the end of a step [m], measured by BoxProbe.
constexpr double kOverlap = 1e-8;

double energyOf(const SceneRun& run) {
  double energy = 0;
  for (std::size_t k = 0; k < run.scene.parts.size(); ++k) {
    const content::Part& part = run.scene.parts[k];
    if (part.motion != physics::MotionType::dynamic) continue;
    const physics::BodyState& state = run.world().stepResult().bodies[k];
    const physics::Vector3d spin = state.X_WC.q.conjugate() * state.omega;
    energy += 0.5 * part.mass.mass * state.v.squaredNorm() + 0.5 * spin.dot(part.mass.inertia * spin) -
              part.mass.mass * run.scene.gravity.dot(state.X_WC.p);
  }
  return energy;
}

class Pile : public testing::TestWithParam<SolverName> {};

TEST_P(Pile, fallsWithoutOverlap) {
  const content::Scene scene = shippedScene("pile", {{"blocks", 6}});
  SceneRun run(scene, {.dt = 1e-3, .gravity = scene.gravity, .solver = GetParam()});
  run.run(0.4, 1);
  EXPECT_LE(run.worstPenetration, kOverlap);
  EXPECT_NEAR(run.assessment.summary().maxPenetration, run.worstPenetration, 1e-9);
  EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
  EXPECT_GT(run.assessment.summary().maxContacts, 20);
}

INSTANTIATE_TEST_SUITE_P(Solvers, Pile, tests::everySolver(), tests::solverTestName);

TEST(PileOfBaraff, OverlapsByLessThanTheStepsOfItsFall) {
  const content::Scene scene = shippedScene("pile", {{"blocks", 6}});
  SceneRun run(scene, {.dt = 1e-3, .gravity = scene.gravity, .solver = SolverName::baraff});
  run.run(0.4, 1);
  // Its constraints are those of the start of a step: a corner that turns at 30 rad/s leaves its line by some
  // 10 µm.
  EXPECT_LE(run.worstPenetration, 2e-4);
  EXPECT_GT(run.assessment.summary().maxContacts, 20);
}

TEST(PileOfTwenty, HeapsUpWithoutOverlapOrGainOfEnergy) {
  const content::Scene scene = shippedScene("pile", {{"blocks", 20}});
  SceneRun run(scene, {.dt = 1e-3, .gravity = scene.gravity});
  double before = energyOf(run);
  const double all = before;
  for (int k = 0; k < 60; ++k) {
    run.run(0.01, 2);
    const double now = energyOf(run);
    // Directions of forces are those of the trial that was solved: first order in the step.
    EXPECT_LE(now, before + 1e-3 * all) << k;
    before = now;
  }
  EXPECT_LT(before, 0.6 * all);
  EXPECT_LE(run.worstPenetration, kOverlap);
  EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
  EXPECT_GT(run.assessment.summary().maxContacts, 150);
}

TEST(FastPileOfSixty, OverlapsByLessThanAMicrometer) {
  const content::Scene scene = shippedScene("pile", {{"blocks", 60}});
  SceneRun run(
      scene, {.dt = 1e-3, .gravity = scene.gravity, .solverOptions = {.accuracy = physics::Accuracy::fast}});
  const double all = energyOf(run);
  double before = all;
  int fast = 0, backedOff = 0, lost = 0;
  for (int k = 0; k < 500; ++k) {
    run.run(0.001, 1);
    const physics::StepReport& report = run.world().stepResult().report;
    const bool isFast = report.accuracy == physics::Accuracy::fast;
    fast += isFast;
    backedOff += isFast ? report.backedOff : 0;
    lost += isFast && !report.converged;
    const double now = energyOf(run);
    EXPECT_LE(now, before + 1e-3 * all) << k;
    before = now;
  }
  EXPECT_GE(fast, 30) << "no blocks touched: the test tests nothing";
  EXPECT_EQ(backedOff, 0);
  EXPECT_LE(run.worstPenetration, 1e-6);
  EXPECT_LE(lost, fast / 50);
}

/// Exact steps of many bodies with friction: while they collide, one in a hundred fails at most; none
/// overlaps.
TEST(PileOfThirtyWithFriction, ConvergesToNanometers) {
  const content::Scene scene = shippedScene("pile", {{"blocks", 30}, {"friction", 0.5}});
  SceneRun run(scene, {.dt = 1e-3, .gravity = scene.gravity});
  run.run(0.4, 1);
  EXPECT_LE(run.worstPenetration, kOverlap);
  EXPECT_LE(run.assessment.summary().notConvergedSteps, 4);
  EXPECT_GT(run.assessment.summary().maxContacts, 100);
}

/// At 4 ms blocks turn by tenths of a radian a step, and the forces on flush faces may be carried by any of
/// their corners.
TEST(PileOfThirtyWithFriction, ConvergesInLongSteps) {
  for (const double seed : {3, 4, 6, 8}) {
    const content::Scene scene = shippedScene("pile", {{"blocks", 30}, {"friction", 0.5}, {"seed", seed}});
    SceneRun run(scene, {.dt = 4e-3, .gravity = scene.gravity});
    run.run(0.6, 1);
    EXPECT_LE(run.worstPenetration, kOverlap) << seed;
    EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0) << seed;
    EXPECT_GT(run.assessment.summary().maxContacts, 150) << seed;
  }
}

/// Adds `share` of the sum of the contact forces on each body [N].
void addContactForces(const physics::StepResult& result, double share,
                      std::vector<physics::Vector3d>& forces) {
  for (const physics::ContactForce& contact : result.contacts) {
    const physics::Vector3d force = share * (contact.force * contact.contact.n + contact.friction);
    forces[contact.contact.j.value] += force;
    forces[contact.contact.i.value] -= force;
  }
}

/// A step that cannot be solved as a whole has the states of a world with an eighth of its time step, to the
/// last bit, and counts as one step.
TEST(DividedStep, IsEightStepsOfAnEighth) {
  constexpr double kLong = 1.0 / 256;  // an eighth of it is exact
  const content::Scene scene = shippedScene("pile", {{"blocks", 8}, {"friction", 0.5}, {"seed", 3}});
  const auto worldWith = [&scene](double dt) {
    return content::buildWorld(scene, {.dt = dt, .gravity = scene.gravity, .allowSleep = false});
  };
  physics::World world = worldWith(kLong), reference = worldWith(kLong / 8);
  int divided = 0, compared = 0;
  for (int step = 1; step <= 150; ++step) {
    const auto before = world.snapshot();
    const physics::StepResult& result = world.step();
    EXPECT_EQ(result.step, step);
    EXPECT_EQ(result.time, step * kLong);
    EXPECT_TRUE(result.report.converged) << step;
    if (result.report.substeps == 1) continue;
    ++divided;
    EXPECT_EQ(result.report.substeps, 8);
    reference.restore(*before);
    bool whole = true;
    std::vector<physics::Vector3d> mean(scene.parts.size(), physics::Vector3d::Zero());
    for (int k = 0; k < 8; ++k) {
      whole = reference.step().report.substeps == 1 && whole;
      addContactForces(reference.stepResult(), 0.125, mean);
    }
    if (!whole) continue;
    ++compared;
    EXPECT_EQ(world.stateHash(), reference.stateHash()) << step;
    addContactForces(result, -1, mean);
    for (const physics::Vector3d& difference : mean) EXPECT_LE(difference.norm(), 1e-9) << step;
  }
  EXPECT_GE(compared, 1) << "the test tests nothing";
  EXPECT_LE(divided, 15);
}

}  // namespace
}  // namespace tenon
