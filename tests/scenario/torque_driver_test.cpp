// The shipped torque driver: preload at the click by the closed form, ratchet, misfit, and a record that
// repeats.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/step/world_state.h"
#include "tests/scenario/scene_run.h"

namespace tenon::tests {
namespace {

constexpr double kLimit = 8;  // N m

int partOf(const content::Scene& scene, const std::string& name) {
  for (std::size_t k = 0; k < scene.parts.size(); ++k)
    if (scene.parts[k].name == name) return static_cast<int>(k);
  return -1;
}

double yawOf(const physics::StepResult& tick, int part) {
  const physics::Quaterniond& q = tick.bodies[static_cast<std::size_t>(part)].X_WC.q;
  return 2 * std::atan2(q.z(), q.w());
}

/// The rate of the scene, as a user runs it.
physics::WorldOptions optionsOf(const content::Scene& scene) {
  physics::WorldOptions options;
  options.dt = 1 / scene.rate;
  return options;
}

TEST(TorqueDriver, clicksWithThePreloadOfItsTorqueAndRatchetsBackWithoutTheScrew) {
  const content::Scene scene = shippedScene("torque-driver");
  const int right = partOf(scene, "right screw");
  SceneRun run(scene, optionsOf(scene));
  const auto steps = std::llround(scene.duration * scene.rate);
  int clicks = 0, back = 0;
  double most = 0, loosened = 0, last = yawOf(run.world().stepResult(), right);
  for (long long k = 0; k < steps; ++k) {
    const physics::StepResult& tick = run.simulation.step();
    run.assessment.add(tick);
    const physics::DriverState& driver = tick.drivers.front();
    most = std::max(most, driver.torque);
    clicks = std::max(clicks, driver.clicks);
    const double yaw = yawOf(tick, right);
    // Positive: counter-clockwise seen from above, which loosens.
    loosened = std::max(loosened, std::remainder(yaw - last, 2 * std::numbers::pi));
    last = yaw;
    const bool returns = tick.bodies[static_cast<std::size_t>(partOf(scene, "driver"))].omega.z() > 0.5;
    back += driver.screw.value == right && returns;
  }
  EXPECT_GE(clicks, 4);
  EXPECT_NEAR(most, kLimit, 1e-6 * kLimit);
  EXPECT_GT(back, 50) << "the ratchet was not used";
  EXPECT_LT(loosened, 1e-3);
  const auto& goals = run.assessment.goals();
  ASSERT_EQ(goals.size(), 2u);
  for (const runtime::GoalResult& goal : goals) {
    EXPECT_EQ(goal.verdict, runtime::Verdict::tightened);
    ASSERT_TRUE(goal.thread);
    const runtime::ThreadEngagement& thread = *goal.thread;
    // VDI 2230-1: T = F (P/2π + µ d₂/(2 cos 30°) + µ D_h/2).
    const double mu = 0.12, mean = (13e-3 + 9e-3) / 2;
    const double perForce = thread.external.pitch / (2 * std::numbers::pi) +
                            mu * thread.external.pitchDiameter / (2 * std::cos(std::numbers::pi / 6)) +
                            mu * mean / 2;
    EXPECT_NEAR(thread.maxTorque, kLimit, 1e-6 * kLimit);
    EXPECT_NEAR(thread.preload * perForce, kLimit, 0.05 * kLimit);
  }
  EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
  EXPECT_LE(run.assessment.summary().maxPenetration, 1e-5)
      << "the elastic contacts of the clamped screws yield by micrometers";
}

TEST(TorqueDriver, ofAnotherWidthTurnsNothing) {
  const content::Scene scene = shippedScene("torque-driver", {{"width_mm", 4}});
  SceneRun run(scene, optionsOf(scene));
  const int left = partOf(scene, "left screw");
  const double start = yawOf(run.world().stepResult(), left);
  bool misfit = false;
  for (int k = 0; k < 1500; ++k) {
    const physics::DriverState& driver = run.simulation.step().drivers.front();
    ASSERT_FALSE(driver.screw.valid()) << k;
    misfit = misfit || (driver.misfit.value == left && driver.head.width == 6e-3);
  }
  EXPECT_TRUE(misfit);
  EXPECT_NEAR(std::remainder(yawOf(run.world().stepResult(), left) - start, 2 * std::numbers::pi), 0, 0.05);
}

TEST(TorqueDriver, givesTheSameBytesAgain) {
  const content::Scene scene = shippedScene("torque-driver");
  SceneRun first(scene, optionsOf(scene)), second(scene, optionsOf(scene));
  first.run(4.2, 0);
  second.run(4.2, 0);
  ASSERT_GE(first.world().stepResult().drivers.front().clicks, 1);
  EXPECT_EQ(first.world().stateHash(), second.world().stateHash());
}

}  // namespace
}  // namespace tenon::tests
