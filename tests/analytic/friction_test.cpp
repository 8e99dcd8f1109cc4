// Friction against closed forms: sticking, sliding and rolling on inclines and belts.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"
#include "tests/support/every_solver.h"
#include "tests/support/exact_collider.h"

namespace tenon::physics {
namespace {

using tests::ExactCollider;

constexpr double kGravity = 9.81;
constexpr MaterialId kGround{0}, kPart{1};

/// A half-space inclined towards +x by `degrees`, and the bodies on it.
struct Incline : testing::TestWithParam<SolverName> {
  World world{{.dt = 1e-3, .solver = GetParam(), .allowSleep = false}, std::make_unique<ExactCollider>()};
  Pose X_WS;  ///< z out of the surface, x downhill

  void build(double degrees, const SurfacePair& surfaces) {
    X_WS = {exponential(Vector3d(0, degrees * std::numbers::pi / 180, 0)), Vector3d(0.3, 0, 0.2)};
    BodyDescription ground;
    ground.shape = HalfSpace{};
    ground.motion = MotionType::fixed;
    ground.X_WP = X_WS;
    ground.material = kGround;
    world.addBody(ground);
    world.setSurfaces(kPart, kGround, surfaces);
  }
  BodyId add(const Shape& shape, double height, const Vector3d& v_S = Vector3d::Zero(),
             const Vector3d& omega_S = Vector3d::Zero()) {
    BodyDescription body;
    body.shape = shape;
    body.mass = massProperties(shape, 7850);
    body.X_WP = X_WS * Pose::at({0, 0, height});
    body.v = X_WS.q * v_S;
    body.omega = X_WS.q * omega_S;
    body.material = kPart;
    return world.addBody(body);
  }
  /// Velocity of a body, in the frame of the surface.
  Vector3d velocity(BodyId id) const { return X_WS.q.conjugate() * world.stepResult().bodies[id.value].v; }
  Vector3d spin(BodyId id) const { return X_WS.q.conjugate() * world.stepResult().bodies[id.value].omega; }
};

const Box kBlock{Vector3d(0.03, 0.02, 0.01)};

/// tan 20° = 0.364 < 0.4: it sticks (Coulomb). Required: less than 1 µm in 60 s.
TEST_P(Incline, blockWithinItsFrictionAngleStaysForAMinute) {
  build(20, {.friction = 0.4});
  const BodyId block = add(kBlock, kBlock.halfExtents.z());
  const BodyState start = world.stepResult().bodies[block.value];
  for (int n = 0; n < 60000; ++n) world.step();
  const BodyState& end = world.stepResult().bodies[block.value];
  EXPECT_LT((end.X_WC.p - start.X_WC.p).norm(), 1e-6);
  EXPECT_LT(logarithm(end.X_WC.q * start.X_WC.q.conjugate()).norm(), 1e-6);
}

/// Steeper, it slides: a = g (sin α − μ cos α). Required: within 1e-6 of it.
TEST_P(Incline, blockSlidesAtGravityTimesSineLessFriction) {
  const double mu = 0.2, alpha = 20 * std::numbers::pi / 180;
  build(20, {.friction = mu});
  const BodyId block = add(kBlock, kBlock.halfExtents.z());
  for (int n = 0; n < 100; ++n) world.step();
  const double before = velocity(block).x();
  for (int n = 0; n < 500; ++n) world.step();
  const double a = kGravity * (std::sin(alpha) - mu * std::cos(alpha));
  EXPECT_NEAR((velocity(block).x() - before) / 0.5, a, 1e-6 * a);
  EXPECT_LT(velocity(block).tail<2>().norm(), 1e-9);
}

/// Two tonnes slide by the same law: the regularizing compliance must not grow with the load.
TEST_P(Incline, heavyBlockSlidesAsALightOne) {
  const double mu = 0.2, alpha = 20 * std::numbers::pi / 180;
  build(20, {.friction = mu});
  const Box block{Vector3d(0.5, 0.4, 0.15)};
  const BodyId heavy = add(block, block.halfExtents.z());
  for (int n = 0; n < 200; ++n) ASSERT_TRUE(world.step().report.converged) << n;
  const double a = kGravity * (std::sin(alpha) - mu * std::cos(alpha));
  EXPECT_NEAR(velocity(heavy).x() / 0.2, a, 1e-6 * a);
}

/// On a level surface, thrown obliquely: friction opposes the sliding, so it decelerates on a straight line
/// and stops after v/(μ g).
TEST_P(Incline, blockThrownAcrossTheLevelStopsOnItsLine) {
  const double mu = 0.3, speed = 0.3;
  build(0, {.friction = mu});
  const Vector3d direction(0.6, 0.8, 0);
  const Box flat{Vector3d(0.03, 0.03, 0.001)};  // low: its friction does not tip it
  const BodyId block = add(flat, flat.halfExtents.z(), speed * direction);
  const int steps = static_cast<int>(speed / (mu * kGravity) / 1e-3);
  for (int n = 0; n < steps - 1; ++n) {
    world.step();
    const double expected = speed - (n + 1) * 1e-3 * mu * kGravity;
    ASSERT_NEAR(velocity(block).dot(direction), expected, 1e-7) << n;
    ASSERT_LT((velocity(block) - velocity(block).dot(direction) * direction).norm(), 1e-7) << n;
  }
  for (int n = 0; n < 100; ++n) world.step();
  EXPECT_LT(velocity(block).norm(), 1e-9);
}

/// A ball rolls down without slipping at 5/7 g sin α as long as tan α ≤ 7/2 μ (e.g. Goldstein, Classical
/// Mechanics), and beyond that slips at g (sin α − μ cos α).
TEST_P(Incline, ballRollsOrSlipsByItsFriction) {
  const double alpha = 20 * std::numbers::pi / 180, r = 0.02;
  build(20, {.friction = 0.2});
  const BodyId ball = add(Sphere{r}, r);
  for (int n = 0; n < 100; ++n) world.step();
  const double v = velocity(ball).x(), turned = 1e-3 * v / r;  // by one step [rad]
  // The pose rolls: its rotation in a step is that of the state's spin up to (Δt ω)²/12.
  EXPECT_NEAR(v / 0.1, 5.0 / 7 * kGravity * std::sin(alpha), turned * turned / 12 * kGravity);
  EXPECT_NEAR(spin(ball).y() * r, v, turned * turned / 10 * v);
}

TEST_P(Incline, slipperyBallSlips) {
  const double alpha = 20 * std::numbers::pi / 180, r = 0.02, mu = 0.05;
  build(20, {.friction = mu});
  const BodyId ball = add(Sphere{r}, r);
  for (int n = 0; n < 500; ++n) world.step();
  EXPECT_NEAR(velocity(ball).x() / 0.5, kGravity * (std::sin(alpha) - mu * std::cos(alpha)), 1e-5);
  // Its spin grows by the moment of friction, μ m g cos α r / (2/5 m r²).
  EXPECT_NEAR(spin(ball).y() / 0.5, 2.5 * mu * kGravity * std::cos(alpha) / r, 1e-3);
}

/// A ball that slides on a level surface ends rolling at 5/7 of its speed, for any friction.
TEST_P(Incline, slidingBallEndsRollingAtFiveSevenths) {
  build(0, {.friction = 0.3});
  const BodyId ball = add(Sphere{0.02}, 0.02, {0.35, 0, 0});
  for (int n = 0; n < 1000; ++n) world.step();
  const double v = 5.0 / 7 * 0.35, turned = 1e-3 * v / 0.02;
  EXPECT_NEAR(velocity(ball).x(), v, turned * turned / 12 * v);
}

/// Every reported contact obeys the law, and the reported forces are all.
TEST_P(Incline, reportsFrictionOfEveryContact) {
  const double mu = 0.2;
  build(20, {.friction = mu});
  const BodyId block = add(kBlock, kBlock.halfExtents.z());
  for (int n = 0; n < 50; ++n) world.step();
  Vector3d total = Vector3d::Zero();
  for (const ContactForce& contact : world.stepResult().contacts) {
    EXPECT_EQ(contact.mu, mu);
    EXPECT_NEAR(contact.friction.dot(contact.contact.n), 0, 1e-12);
    EXPECT_LE(contact.friction.norm(), mu * contact.force * (1 + 1e-9) + 1e-9);
    total += contact.force * contact.contact.n + contact.friction;
  }
  const double weight = world.body(block).mass.mass * kGravity, alpha = 20 * std::numbers::pi / 180;
  const Vector3d total_S = X_WS.q.conjugate() * total;
  EXPECT_NEAR(total_S.z(), weight * std::cos(alpha), 1e-6 * weight);
  EXPECT_NEAR(total_S.x(), -mu * weight * std::cos(alpha), 1e-6 * weight);
}

/// A pair with a stiffness k yields by m g / k, for any number of contact points.
TEST_P(Incline, compliantPairYieldsByForceOverStiffness) {
  const double k = 1e6;
  build(0, {.stiffness = k});
  const BodyId block = add(kBlock, kBlock.halfExtents.z());
  const BodyId ball = add(Sphere{0.01}, 0.01);
  world.apply(SetPose{ball, X_WS * Pose::at({0.2, 0, 0.01})});
  const std::vector<BodyState> start = world.stepResult().bodies;
  for (int n = 0; n < 200; ++n) world.step();
  for (const BodyId id : {block, ball}) {
    const double weight = world.body(id).mass.mass * kGravity;
    const double sunk = world.stepResult().bodies[id.value].X_WC.p.z() - X_WS.p.z() -
                        (id == block ? kBlock.halfExtents.z() : 0.01);
    EXPECT_NEAR(-sunk, weight / k, 1e-3 * weight / k);
    EXPECT_TRUE(world.stepResult().report.converged);
  }
}

/// A block laid on a belt of speed v is carried along by μ g until it has that speed.
struct Belt : testing::TestWithParam<bool> {};

TEST_P(Belt, carriesABlockUpToItsSpeed) {
  const double mu = 0.3, speed = 0.2;
  World world({.dt = 1e-3}, makeBulletCollider());
  BodyDescription belt, block;
  belt.shape = Box{Vector3d(0.5, 0.2, 0.01)};
  belt.motion = MotionType::kinematic;
  belt.X_WP = Pose::at({0, 0, -0.01});
  belt.v = Vector3d(speed, 0, 0);
  belt.material = kGround;
  block.shape = Box{Vector3d(0.03, 0.03, 0.002)};
  block.mass = massProperties(block.shape, 7850);
  block.X_WP = Pose::at({0, 0, 0.002});
  block.material = kPart;
  const bool beltFirst = GetParam();  // it is body i of the contacts, or body j
  const BodyId first = world.addBody(beltFirst ? belt : block),
               second = world.addBody(beltFirst ? block : belt);
  const BodyId id = beltFirst ? second : first;
  world.setSurfaces(kGround, kPart, {.friction = mu});
  for (int n = 1; n * 1e-3 * mu * kGravity < speed; ++n)
    ASSERT_NEAR(world.step().bodies[id.value].v.x(), n * 1e-3 * mu * kGravity, 1e-7) << n;
  for (int n = 0; n < 50; ++n) world.step();
  EXPECT_NEAR(world.stepResult().bodies[id.value].v.x(), speed, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(bodyOrders, Belt, testing::Bool());

TEST(SurfacePairs, rejectInvalidValues) {
  World world({}, std::make_unique<ExactCollider>());
  EXPECT_THROW(world.setSurfaces({}, kPart, {}), std::invalid_argument);
  EXPECT_THROW(world.setSurfaces(kPart, kPart, {.friction = -0.1}), std::invalid_argument);
  EXPECT_THROW(world.setSurfaces(kPart, kPart, {.friction = std::nan("")}), std::invalid_argument);
  EXPECT_THROW(world.setSurfaces(kPart, kPart, {.stiffness = 0}), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Solvers, Incline, tests::everySolver(), tests::solverTestName);

}  // namespace
}  // namespace tenon::physics
