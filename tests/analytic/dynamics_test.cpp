// Gravity, damping, restitution and thrusters that change while a world runs, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "physics/step/world_state.h"
#include "physics/world.h"
#include "tests/support/empty_collider.h"
#include "tests/support/exact_collider.h"

namespace tenon::physics::dynamics_test {
namespace {

using tests::EmptyCollider;
using tests::ExactCollider;

constexpr double kG = 9.81, kStep = 1e-3;

BodyDescription ball(const Vector3d& center, const Vector3d& v = Vector3d::Zero()) {
  BodyDescription body;
  body.shape = Sphere{0.01};
  body.mass = massProperties(body.shape, 7850);
  body.X_WP = Pose::at(center);
  body.v = v;
  body.material = {0};
  return body;
}

BodyDescription floor() {
  BodyDescription body;
  body.shape = HalfSpace{};
  body.motion = MotionType::fixed;
  body.material = {0};
  return body;
}

World damped(double linear, double angular, const Vector3d& gravity = Vector3d::Zero()) {
  return World({.dt = kStep, .gravity = gravity, .linearDamping = linear, .angularDamping = angular},
               std::make_unique<EmptyCollider>());
}

void stepFor(World& world, int steps) {
  for (int k = 0; k < steps; ++k) world.step();
}

TEST(Damping, slowsAFreeBodyExponentially) {
  World world = damped(3, 5);
  BodyDescription thrown = ball(Vector3d::Zero(), {0.4, 0, 0});
  thrown.omega = {0, 0, 7};
  world.addBody(thrown);
  stepFor(world, 500);
  const BodyState& end = world.stepResult().bodies[0];
  EXPECT_NEAR(end.v.x(), 0.4 * std::pow(1 + 3 * kStep, -500), 1e-14);
  EXPECT_NEAR(end.v.x(), 0.4 * std::exp(-1.5), 0.003 * 0.4 * std::exp(-1.5));
  // The spin of a step is that of its pose up to (Δt ω)²/12.
  EXPECT_NEAR(end.omega.z(), 7 * std::pow(1 + 5 * kStep, -500), 1e-4);
}

TEST(Damping, endsAFallAtTheSpeedAtWhichItCarriesTheWeight) {
  World world = damped(20, 0, {0, 0, -kG});
  world.addBody(ball(Vector3d::Zero()));
  stepFor(world, 2000);
  // v = v/(1 + Δt c) − Δt g; first order in Δt: g/c.
  EXPECT_NEAR(world.stepResult().bodies[0].v.z(), -kG * (1.0 / 20 + kStep), 1e-12);
}

TEST(Damping, ofAnyStrengthIsStable) {
  World world = damped(1e9, 1e9);
  BodyDescription thrown = ball(Vector3d::Zero(), {1, -2, 3});
  thrown.omega = {30, 0, 1};
  world.addBody(thrown);
  stepFor(world, 3);
  EXPECT_LE(world.stepResult().bodies[0].v.norm(), 1e-9);
  EXPECT_LE(world.stepResult().bodies[0].omega.norm(), 1e-6);
}

TEST(Damping, changesNoForceOfABodyAtRest) {
  World world({.dt = kStep, .linearDamping = 50, .angularDamping = 50}, std::make_unique<ExactCollider>());
  world.addBody(floor());
  const BodyId body = world.addBody(ball({0, 0, 0.01}));
  stepFor(world, 20);
  ASSERT_EQ(world.stepResult().contacts.size(), 1u);
  EXPECT_NEAR(world.stepResult().contacts[0].force, kG * world.body(body).mass.mass, 1e-9);
}

TEST(SetDynamics, actsFromTheNextStepAndResetUndoesIt) {
  World world({.dt = kStep}, std::make_unique<EmptyCollider>());
  world.addBody(ball(Vector3d::Zero()));
  stepFor(world, 10);
  EXPECT_NEAR(world.stepResult().bodies[0].v.z(), -10 * kStep * kG, 1e-14);
  const auto before = world.snapshot();
  world.apply(SetDynamics{{.gravity = {0, 0, 1.62}}});
  stepFor(world, 10);
  EXPECT_NEAR(world.stepResult().bodies[0].v.z(), 10 * kStep * (1.62 - kG), 1e-14);
  EXPECT_EQ(world.stepResult().dynamics.gravity.z(), 1.62);
  world.restore(*before);
  world.step();
  EXPECT_NEAR(world.stepResult().bodies[0].v.z(), -11 * kStep * kG, 1e-14);
  world.apply(SetDynamics{{.gravity = Vector3d::Zero(), .linearDamping = 4}});
  world.step();
  world.apply(Reset{});
  world.step();
  EXPECT_EQ(world.stepResult().dynamics, Dynamics{});
  EXPECT_NEAR(world.stepResult().bodies[0].v.z(), -kStep * kG, 1e-14);
}

TEST(SetDynamics, replacesTheRestitutionOfAllPairs) {
  for (const double e : {0.0, 0.5, 1.0}) {
    World world({.dt = kStep, .gravity = Vector3d::Zero()}, std::make_unique<ExactCollider>());
    world.setSurfaces({0}, {0}, {.restitution = 0.8});
    world.addBody(floor());
    const BodyId body = world.addBody(ball({0, 0, 0.0125}, {0, 0, -1}));
    world.apply(SetDynamics{{.gravity = Vector3d::Zero(), .restitution = e}});
    stepFor(world, 10);
    EXPECT_NEAR(world.stepResult().bodies[body.value].v.z(), e, 1e-8);
  }
}

TEST(SetDynamics, wakesSleepingBodies) {
  World world({.dt = kStep}, std::make_unique<ExactCollider>());
  world.addBody(floor());
  const BodyId body = world.addBody(ball({0, 0, 0.01}));
  stepFor(world, 300);
  world.apply(SetDynamics{{.gravity = {0, 0, 2}}});
  stepFor(world, 100);
  EXPECT_NEAR(world.stepResult().bodies[body.value].v.z(), 0.2, 1e-6);
}

TEST(SetDynamics, isKeptByAWorldOfAnotherRateAndReplacedByOtherGravity) {
  World first({.dt = kStep}, std::make_unique<EmptyCollider>());
  first.addBody(ball(Vector3d::Zero()));
  first.apply(SetDynamics{{.gravity = {0, 0, -3}}});
  first.step();
  World faster({.dt = kStep / 2}, std::make_unique<EmptyCollider>());
  faster.addBody(ball(Vector3d::Zero()));
  faster.restore(*first.snapshot());
  EXPECT_EQ(faster.step().dynamics.gravity.z(), -3);
  World other({.dt = kStep, .gravity = {0, 0, -5}}, std::make_unique<EmptyCollider>());
  other.addBody(ball(Vector3d::Zero()));
  other.restore(*first.snapshot());
  EXPECT_EQ(other.step().dynamics.gravity.z(), -5);
}

TEST(SetDynamics, refusesInvalidNumbers) {
  World world({.dt = kStep}, std::make_unique<EmptyCollider>());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Dynamics& bad :
       {Dynamics{.gravity = {0, 0, nan}}, Dynamics{.linearDamping = -1}, Dynamics{.angularDamping = nan},
        Dynamics{.restitution = 1.1}, Dynamics{.restitution = -0.1}})
    EXPECT_THROW(world.apply(SetDynamics{bad}), std::invalid_argument);
  EXPECT_THROW(damped(-1, 0), std::invalid_argument);
  EXPECT_THROW(world.apply(SetThruster{ThrusterId{0}, 1}), std::invalid_argument);
}

/// A box of 0.2 × 0.1 × 0.1 m without gravity, turned by a quarter about z.
struct Driven {
  World world{{.dt = kStep, .gravity = Vector3d::Zero()}, std::make_unique<EmptyCollider>()};
  BodyId body;
  MassProperties mass;

  Driven() {
    BodyDescription box;
    box.shape = Box{Vector3d(0.1, 0.05, 0.05)};
    box.mass = mass = massProperties(box.shape, 1000);
    box.X_WP.q = Quaterniond(Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitZ()));
    body = world.addBody(box);
  }
};

TEST(Thruster, acceleratesInThePartsOrTheWorldsAxes) {
  for (const bool inWorldAxes : {false, true}) {
    Driven driven;
    const ThrusterId thruster =
        driven.world.addThruster({driven.body, Vector3d::Zero(), {4, 0, 0}, inWorldAxes});
    driven.world.apply(SetThruster{thruster, 0.5});
    stepFor(driven.world, 100);
    const double speed = 0.5 * 4 / driven.mass.mass * 100 * kStep;
    const Vector3d along = inWorldAxes ? Vector3d::UnitX() : Vector3d::UnitY();
    EXPECT_NEAR((driven.world.stepResult().bodies[0].v - speed * along).norm(), 0, 1e-12);
    EXPECT_EQ(driven.world.stepResult().thrusters[0], 0.5);
    driven.world.apply(SetThruster{thruster, 0});
    stepFor(driven.world, 10);
    EXPECT_NEAR((driven.world.stepResult().bodies[0].v - speed * along).norm(), 0, 1e-12);
  }
}

TEST(Thruster, givesTheTorqueOfItsLeverArm) {
  Driven driven;
  // At the end of the long side, across: in the part's axes (0.1, 0, 0) × (0, F, 0) = (0, 0, 0.1 F).
  const ThrusterId thruster = driven.world.addThruster({driven.body, {0.1, 0, 0}, {0, 0.02, 0}});
  driven.world.apply(SetThruster{thruster, 1});
  stepFor(driven.world, 100);
  const double omega = 0.1 * 0.02 / driven.mass.inertia(2, 2) * 100 * kStep;
  EXPECT_NEAR(driven.world.stepResult().bodies[0].omega.z(), omega, 1e-6 * omega);
  EXPECT_NEAR(driven.world.stepResult().bodies[0].omega.head<2>().norm(), 0, 1e-12);
  driven.world.apply(Reset{});
  driven.world.step();
  EXPECT_EQ(driven.world.stepResult().bodies[0].omega.norm(), 0) << "off after a reset";
}

TEST(Thruster, refusesOtherBodiesAndLevels) {
  Driven driven;
  EXPECT_THROW(driven.world.addThruster({BodyId{3}, {}, {}}), std::invalid_argument);
  EXPECT_THROW(driven.world.addThruster({driven.body, {}, {0, HUGE_VAL, 0}}), std::invalid_argument);
  const ThrusterId thruster = driven.world.addThruster({driven.body, Vector3d::Zero(), {1, 0, 0}});
  for (const double level : {-0.1, 1.1, std::nan("")})
    EXPECT_THROW(driven.world.apply(SetThruster{thruster, level}), std::invalid_argument);
  EXPECT_THROW(driven.world.apply(SetThruster{ThrusterId{1}, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace tenon::physics::dynamics_test
