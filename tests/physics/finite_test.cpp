// Where numbers end: a state never becomes infinite, and the report says so.
#include <gtest/gtest.h>

#include "physics/world.h"
#include "tests/support/exact_collider.h"

namespace tenon::physics {
namespace {

World flight(double speed, double gravity) {
  World world({.dt = 10, .gravity = {0, 0, -gravity}}, std::make_unique<tests::ExactCollider>());
  BodyDescription body;
  body.shape = Sphere{0.01};
  body.mass = massProperties(body.shape, 7850);
  body.v = {speed, 0, 0};
  world.addBody(body);
  return world;
}

void expectToEndFinite(World world) {
  const BodyState* before = nullptr;
  BodyState last;
  for (int k = 0; k < 100; ++k) {
    last = world.stepResult().bodies[0];
    const StepResult& tick = world.step();
    const BodyState& now = tick.bodies[0];
    ASSERT_TRUE(now.X_WC.isFinite() && now.v.allFinite() && now.omega.allFinite()) << "step " << k;
    before = &now;
    if (tick.report.notFinite > 0) break;
    EXPECT_TRUE(tick.report.converged);
  }
  ASSERT_NE(before, nullptr);
  EXPECT_EQ(world.stepResult().report.notFinite, 1);
  EXPECT_FALSE(world.stepResult().report.converged);
  EXPECT_EQ(before->X_WC.p, last.X_WC.p) << "it stays where it was";
}

TEST(Finite, aPositionThatOverflowsIsReportedAndNotTaken) {
  expectToEndFinite(flight(1e307, 0));
}

TEST(Finite, aSpeedThatOverflowsIsReportedAndNotTaken) {
  expectToEndFinite(flight(0, 1e305));
}

TEST(Finite, aDayOfFreeFallIsFiniteAndConverges) {
  World world = flight(1, 9.81);
  for (int k = 0; k < 8640; ++k) ASSERT_EQ(world.step().report.notFinite, 0);
  EXPECT_TRUE(world.stepResult().report.converged);
  EXPECT_NEAR(world.stepResult().bodies[0].v.z(), -9.81 * 86400, 1e-6);
}

}  // namespace
}  // namespace tenon::physics
