// Coupling of a hand and a part: stable without tuning, equal to closed forms, limited, and lost beyond the
// break distance.
#include "physics/hand/hand_coupling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/world.h"
#include "tests/support/empty_collider.h"

namespace tenon::physics {
namespace {

/// A ball-like part of `mass` [kg] and steel's density, held at `grip` [m] from its center.
struct HeldPart {
  World world;
  BodyId body{0};
  HandId hand{0};
  Pose grip;

  HeldPart(double mass, double dt, const HandParameters& parameters = {},
           const Vector3d& at = Vector3d::Zero(), const Vector3d& gravity = Vector3d::Zero(),
           const Vector3d& v = Vector3d::Zero())
      : world({.dt = dt, .gravity = gravity}, std::make_unique<tests::EmptyCollider>()), grip(Pose::at(at)) {
    const double radius = std::cbrt(mass / 7850 * 3 / (4 * std::numbers::pi));
    BodyDescription part;
    part.shape = Sphere{radius};
    part.mass = {mass, Vector3d::Zero(), Matrix3d::Identity() * (0.4 * mass * radius * radius)};
    part.v = v;
    world.addBody(part);
    world.addHand(parameters, grip);
    world.apply(Grab{hand, body, grip});
  }
  const BodyState& step(const Pose& target) {
    world.apply(MoveHand{hand, target});
    return world.step().bodies[0];
  }
  const HandState& handState() const { return world.stepResult().hands[0]; }
};

TEST(HandCoupling, settlesOnItsTargetForAnyRateAndMassWithoutTuning) {
  for (const double rate : {60.0, 90.0, 240.0, 1000.0, 2000.0})
    for (const double mass : {0.001, 0.1, 2.0, 20.0}) {
      HeldPart part(mass, 1 / rate, {}, Vector3d(0.02, 0, 0.05));
      const Pose target{exponential(Vector3d(0.1, 0.3, -0.2)), Vector3d(0.05, -0.03, 0.1)};
      for (int step = 0; step < static_cast<int>(6 * rate); ++step) part.step(target);
      const Pose now = part.world.stepResult().bodies[0].X_WC * part.handState().X_CH;
      EXPECT_TRUE(part.handState().body.valid()) << rate << " Hz, " << mass << " kg";
      EXPECT_LT((now.p - target.p).norm(), 1e-6) << rate << " Hz, " << mass << " kg";
      EXPECT_LT(logarithm(now.q * target.q.conjugate()).norm(), 1e-5) << rate << " Hz, " << mass << " kg";
    }
}

TEST(HandCoupling, followsTheCriticallyDampedOscillatorAtFirstOrder) {
  // A part that leaves its equilibrium at v0: x(t) = v0 t e^{−w t}, w = √(K/m).
  const double mass = 0.5, v0 = 0.4, time = 0.03;
  const double w = std::sqrt(HandParameters{}.stiffness.x() / mass);
  const auto error = [&](double dt) {
    HeldPart part(mass, dt, {}, Vector3d::Zero(), Vector3d::Zero(), Vector3d(v0, 0, 0));
    const int steps = static_cast<int>(std::lround(time / dt));
    for (int step = 0; step < steps; ++step) part.step(Pose{});
    return std::abs(part.world.stepResult().bodies[0].X_WC.p.x() - v0 * time * std::exp(-w * time));
  };
  EXPECT_LT(error(1e-5), 2e-3 * v0 * time * std::exp(-w * time));
  EXPECT_NEAR(std::log2(error(2e-5) / error(1e-5)), 1.0, 0.05);
}

TEST(HandCoupling, followsAMovingTargetWithoutLag) {
  HeldPart part(0.2, 1e-3);
  const Vector3d velocity(0.3, -0.1, 0.2);
  for (int step = 1; step <= 2000; ++step) part.step(Pose::at(velocity * (1e-3 * step)));
  EXPECT_LT((part.world.stepResult().bodies[0].X_WC.p - velocity * 2.0).norm(), 1e-9);
  EXPECT_LT(part.handState().force.norm(), 1e-6);
}

TEST(HandCoupling, carriesTheWeightOrSagsByWeightOverStiffness) {
  const Vector3d gravity(0, 0, -9.81);
  for (const bool carries : {true, false}) {
    HandParameters parameters;
    parameters.carriesWeight = carries;
    HeldPart part(2.0, 1e-3, parameters, Vector3d::Zero(), gravity);
    for (int step = 0; step < 3000; ++step) part.step(Pose{});
    const double sag = carries ? 0.0 : 2.0 * 9.81 / parameters.stiffness.z();
    EXPECT_NEAR(part.world.stepResult().bodies[0].X_WC.p.z(), -sag, 1e-9);
  }
}

TEST(HandCoupling, pushesNoHarderThanItsLimits) {
  HandParameters parameters;
  parameters.maxForce = 20;
  parameters.maxTorque = 0.05;
  parameters.breakDistance = 10;
  HeldPart part(0.1, 1e-3, parameters);
  const Pose far{exponential(Vector3d(0, 0, 2.5)), Vector3d(0.5, 0, 0)};
  double force = 0, torque = 0;
  for (int step = 0; step < 3000; ++step) {
    part.step(far);
    force = std::max(force, part.handState().force.norm());
    torque = std::max(torque, part.handState().torque.norm());
  }
  EXPECT_LE(force, 20 * (1 + 1e-9));
  EXPECT_GT(force, 10);
  EXPECT_LE(torque, 0.05 * (1 + 1e-9));
  EXPECT_LT((part.world.stepResult().bodies[0].X_WC.p - far.p).norm(), 1e-6) << "and it still arrives";
}

TEST(HandCoupling, losesThePartBeyondItsBreakDistanceAndReportsIt) {
  HandParameters parameters;
  parameters.maxForce = 1;
  HeldPart part(20, 1e-3, parameters);
  part.step(Pose::at(Vector3d(parameters.breakDistance * 1.01, 0, 0)));
  EXPECT_TRUE(part.handState().lost);
  EXPECT_FALSE(part.handState().body.valid());
  part.step(Pose::at(Vector3d(parameters.breakDistance * 1.01, 0, 0)));
  EXPECT_FALSE(part.handState().lost) << "reported once";
  EXPECT_EQ(part.handState().force.norm(), 0.0);
}

TEST(HandCoupling, twoHandsShareAPart) {
  const HandId second{1};
  HandParameters parameters;
  World world({.dt = 1e-3, .gravity = Vector3d::Zero()}, std::make_unique<tests::EmptyCollider>());
  BodyDescription bar;
  bar.shape = Box{Vector3d(0.1, 0.01, 0.01)};
  bar.mass = massProperties(bar.shape, 1000);
  const BodyId body = world.addBody(bar);
  const Pose left = Pose::at(Vector3d(-0.1, 0, 0)), right = Pose::at(Vector3d(0.1, 0, 0));
  const HandId one = world.addHand(parameters, left);
  EXPECT_EQ(world.addHand(parameters, right), second);
  world.apply(Grab{one, body, left});
  world.apply(Grab{second, body, right});
  for (int step = 0; step < 3000; ++step) {
    // The right hand rises, the left stays: the bar tilts about the left hand.
    world.apply(MoveHand{second, Pose::at(Vector3d(0.1, 0, 0.02))});
    world.step();
  }
  const BodyState& state = world.stepResult().bodies[0];
  EXPECT_NEAR(state.X_WC.p.z(), 0.01, 1e-4);
  EXPECT_GT((state.X_WC.q * Vector3d::UnitX()).z(), 0.08);
}

}  // namespace
}  // namespace tenon::physics
