// Joints against closed forms: pendulums, screws, limits, no drift.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/world.h"
#include "tests/support/empty_collider.h"
#include "tests/support/every_solver.h"

namespace tenon::physics {
namespace {

using tests::EmptyCollider;
using tests::solverTestName;

constexpr double kJointGravity = 9.81;
constexpr double kPi = std::numbers::pi;
/// Largest error of a joint's equations at the end of any step [m or rad].
constexpr double kDrift = 1e-9;

void expectKept(const StepResult& tick) {
  for (const JointState& joint : tick.joints) {
    ASSERT_LE(joint.lengthError, kDrift);
    ASSERT_LE(joint.angleError, kDrift);
  }
}

World emptyWorld(double dt, SolverName solver = SolverName::automatic) {
  return World({.dt = dt, .solver = solver}, std::make_unique<EmptyCollider>());
}

/// A steel bar 0.2 m long along x, its center at `center`.
BodyDescription bar(const Vector3d& center) {
  BodyDescription body;
  body.shape = Box{Vector3d(0.1, 0.01, 0.02)};
  body.mass = massProperties(body.shape, 7850);
  body.X_WP = Pose::at(center);
  return body;
}

/// A joint of body j with the world, or with i, at a point of the world and with an axis there; the bodies'
/// axes are the world's at the start.
JointDescription jointAt(const World& world, JointKind kind, BodyId i, BodyId j, const Vector3d& p,
                         const Vector3d& axis = Vector3d::UnitZ()) {
  JointDescription joint;
  joint.kind = kind;
  joint.i = i;
  joint.j = j;
  const Quaterniond q = physics::shortestRotation(Vector3d::UnitZ(), axis);
  const auto in = [&](BodyId body) {
    return body.valid() ? world.body(body).X_WP.inverse() * Pose{q, p} : Pose{q, p};
  };
  joint.X_PA = in(i);
  joint.X_PB = in(j);
  return joint;
}

double energyOfJointed(const World& world, const StepResult& tick) {
  double energy = 0;
  for (std::size_t k = 0; k < world.bodyCount(); ++k) {
    const MassProperties& m = world.body({static_cast<int>(k)}).mass;
    const BodyState& state = tick.bodies[k];
    const Vector3d spin = state.X_WC.q.conjugate() * state.omega;
    energy += 0.5 * m.mass * state.v.squaredNorm() + 0.5 * spin.dot(m.inertia * spin) +
              m.mass * kJointGravity * state.X_WC.p.z();
  }
  return energy;
}

/// A bar that swings about a hinge along y through its end, released level.
struct BarPendulum {
  World world;
  BodyId body;
  double l = 0.1;  // hinge to center of mass [m]

  explicit BarPendulum(double dt) : world(emptyWorld(dt)) {
    body = world.addBody(bar({l, 0, 0}));
    world.addJoint(jointAt(world, JointKind::hinge, {}, body, Vector3d::Zero(), Vector3d::UnitY()));
  }
  /// About the hinge [kg m²].
  double inertia() const {
    const MassProperties& m = world.body(body).mass;
    return m.inertia(1, 1) + m.mass * l * l;
  }
};

/// Reaction of the hinge at the angle θ below level that a pendulum released level has reached: along the bar
/// m (l ω² + g sin θ), across it m g cos θ (1 − m l²/I), with I ω² = 2 m g l sin θ.
double reactionError(double dt) {
  BarPendulum it(dt);
  const double m = it.world.body(it.body).mass.mass, inertia = it.inertia();
  double worst = 0;
  for (int k = 0; k * dt < 0.25; ++k) {
    const StepResult& tick = it.world.step();
    const Vector3d towards = tick.bodies[0].X_WC.p.normalized();
    const double sine = -towards.z(), cosine = towards.x();
    const double along = m * kJointGravity * sine * (1 + 2 * m * it.l * it.l / inertia);
    const double across = m * kJointGravity * cosine * (1 - m * it.l * it.l / inertia);
    const Vector3d down = Vector3d::UnitY().cross(towards);
    worst = std::max(worst, (tick.joints[0].force - (-along * towards - across * down)).norm());
  }
  return worst / (m * kJointGravity);
}

TEST(Pendulum, HingeReactionConvergesToTheClosedFormAtFirstOrder) {
  const double coarse = reactionError(1e-3), fine = reactionError(5e-4);
  EXPECT_LT(coarse, 0.05);
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.1);
}

TEST(Pendulum, ConservesEnergy) {
  BarPendulum it(1e-3);
  double highest = -1;
  for (int k = 0; k < 100000; ++k) {
    const StepResult& tick = it.world.step();
    ASSERT_TRUE(tick.report.converged);
    highest = std::max(highest, tick.bodies[0].X_WC.p.z());
  }
  double late = -1;
  for (int k = 0; k < 1000; ++k) late = std::max(late, it.world.step().bodies[0].X_WC.p.z());
  // The height of the swing after a hundred seconds, relative to twice the length.
  EXPECT_NEAR(late, 0, 1e-3 * 2 * it.l);
  EXPECT_LT(highest, 1e-3 * 2 * it.l);
}

TEST(Pendulum, PeriodIsThatOfTheEllipticIntegral) {
  BarPendulum it(1e-3);
  // Level to level and back: T = 4 √(I/(m g l)) K(sin 45°), K = 1.8540746773.
  const double m = it.world.body(it.body).mass.mass;
  const double period = 4 * std::sqrt(it.inertia() / (m * kJointGravity * it.l)) * 1.8540746773013719;
  int crossings = 0;
  double last = it.l, time = 0;
  while (crossings < 20) {
    const StepResult& tick = it.world.step();
    const double x = tick.bodies[0].X_WC.p.x();
    if (x * last < 0) {
      ++crossings;
      time = tick.time;
    }
    last = x;
  }
  EXPECT_NEAR(time / 9.75, period, 2e-3 * period);
}

class EveryJoint : public testing::TestWithParam<JointKind> {};

TEST_P(EveryJoint, SatisfiesItsEquationsForAHundredThousandSteps) {
  World world = emptyWorld(1e-3);
  BodyDescription first = bar({0.1, 0, 0}), second = bar({0.3, 0.02, 0});
  first.v = Vector3d(0.2, 0.1, 0);
  first.omega = Vector3d(1, -2, 3);
  second.omega = Vector3d(-2, 1, 1);
  const BodyId a = world.addBody(first), b = world.addBody(second);
  JointDescription joint = jointAt(world, GetParam(), a, b, {0.2, 0.01, 0}, Vector3d(1, 2, 3).normalized());
  joint.pitch = 0.01;
  world.addJoint(jointAt(world, JointKind::ball, {}, a, Vector3d::Zero()));
  // The far limit returns bodies that slide apart.
  if (travels(GetParam())) joint.travel = {-0.05, 0.05};
  world.addJoint(joint);
  double error = 0;
  int notConverged = 0;
  for (int k = 0; k < 100000; ++k) {
    const StepResult& tick = world.step();
    for (const JointState& state : tick.joints)
      error = std::max({error, state.lengthError, state.angleError});
    notConverged += !tick.report.converged;
  }
  EXPECT_LE(error, kDrift);
  EXPECT_EQ(notConverged, 0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryJoint,
                         testing::Values(JointKind::fixed, JointKind::ball, JointKind::hinge,
                                         JointKind::slider, JointKind::cylindrical, JointKind::helical));

TEST(Screw, FallsWithTheInertiaOfItsRotation) {
  // (m + I (2π/p)²) a = m g.
  World world = emptyWorld(1e-3);
  const BodyId body = world.addBody(bar(Vector3d::Zero()));
  JointDescription thread = jointAt(world, JointKind::helical, {}, body, Vector3d::Zero());
  thread.pitch = 0.5;
  world.addJoint(thread);
  const MassProperties& m = world.body(body).mass;
  const double turning = 2 * kPi / thread.pitch;
  const double a = m.mass * kJointGravity / (m.mass + m.inertia(2, 2) * turning * turning);
  const int steps = 1000;
  for (int k = 0; k < steps; ++k) world.step();
  const double distance = 0.5 * a * 1e-6 * steps * (steps + 1);
  // A spin is that of its pose up to (Δt ω)²/12.
  EXPECT_NEAR(world.stepResult().joints[0].travel, -distance, 2e-4 * distance);
  EXPECT_NEAR(world.stepResult().bodies[0].omega.z(), -turning * a, 6e-4 * turning * a);
}

TEST(Screw, TravelsOverManyTurns) {
  World world = emptyWorld(1e-3);
  BodyDescription screw = bar(Vector3d::Zero());
  screw.omega = Vector3d(0, 0, 20);
  const BodyId body = world.addBody(screw);
  JointDescription thread = jointAt(world, JointKind::helical, {}, body, Vector3d::Zero());
  thread.pitch = 1.25e-3;
  world.addJoint(thread);
  for (int k = 0; k < 1000; ++k) expectKept(world.step());
  EXPECT_GT(world.stepResult().joints[0].travel, 3 * thread.pitch);
}

TEST(Stop, CarriesTheWeightOfTheSlidingBody) {
  World world = emptyWorld(1e-3);
  const BodyId body = world.addBody(bar(Vector3d::Zero()));
  JointDescription slider = jointAt(world, JointKind::slider, {}, body, Vector3d::Zero());
  slider.travel = {-0.01, 0.01};
  world.addJoint(slider);
  for (int k = 0; k < 200; ++k) {
    const StepResult& tick = world.step();
    ASSERT_TRUE(tick.report.converged);
    ASSERT_GE(tick.joints[0].travel, -0.01 - kDrift);
  }
  const double weight = world.body(body).mass.mass * kJointGravity;
  EXPECT_NEAR(world.stepResult().joints[0].travel, -0.01, kDrift);
  EXPECT_NEAR(world.stepResult().joints[0].force.z(), weight, 1e-6 * weight);
}

TEST(Stop, OnARotatingBaseReportsNoTorqueWhereItsForcePassesThroughTheFrame) {
  // The slider points away from the base's axis: the stop holds the bar on its circle by a radial force.
  World world({.dt = 1e-3, .gravity = Vector3d::Zero()}, std::make_unique<EmptyCollider>());
  BodyDescription base = bar({0, 0, 0});
  base.motion = MotionType::kinematic;
  base.omega = {0, 0, 20};
  BodyDescription out = bar({0.3, 0, 0});
  out.v = {0, 6, 0};
  out.omega = {0, 0, 20};
  const BodyId i = world.addBody(base), j = world.addBody(out);
  JointDescription slider = jointAt(world, JointKind::slider, i, j, {0.2, 0, 0}, Vector3d::UnitX());
  slider.travel = {-0.1, 0};
  world.addJoint(slider);
  for (int k = 0; k < 20; ++k) world.step();
  const JointState& state = world.stepResult().joints[0];
  const double force = world.body(j).mass.mass * 0.3 * 400;
  EXPECT_NEAR(state.force.norm(), force, 0.05 * force);
  EXPECT_LE(state.torque.norm(), 1e-3 * force * 0.1);
}

TEST(Hinge, StopsWhereItsLimitIs) {
  World world = emptyWorld(1e-3);
  const BodyId body = world.addBody(bar({0.1, 0, 0}));
  JointDescription hinge = jointAt(world, JointKind::hinge, {}, body, Vector3d::Zero(), Vector3d::UnitY());
  hinge.angle = {-0.1, 0.5};
  world.addJoint(hinge);
  for (int k = 0; k < 1000; ++k) ASSERT_LE(world.step().joints[0].angle, 0.5 + kDrift);
  EXPECT_NEAR(world.stepResult().joints[0].angle, 0.5, kDrift);
  const MassProperties& m = world.body(body).mass;
  EXPECT_NEAR(world.stepResult().joints[0].torque.y(), -m.mass * kJointGravity * 0.1 * std::cos(0.5), 1e-6);
}

TEST(Door, OnThreeHingesSharesItsWeight) {
  // Two redundant hinges: ten redundant equations have no effect.
  World world = emptyWorld(1e-3);
  const BodyId door = world.addBody(bar({0.1, 0, 0}));
  for (const double z : {-0.3, 0.0, 0.3})
    world.addJoint(jointAt(world, JointKind::hinge, {}, door, {0, 0, z}));
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE(world.step().report.converged);
    expectKept(world.stepResult());
  }
  const double weight = world.body(door).mass.mass * kJointGravity;
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  for (int k = 0; k < 3; ++k) {
    const JointState& hinge = world.stepResult().joints[k];
    EXPECT_NEAR(hinge.force.z(), weight / 3, 1e-6 * weight) << k;
    force += hinge.force;
    moment += hinge.torque + Vector3d(-0.1, 0, 0.3 * (k - 1)).cross(hinge.force);
  }
  EXPECT_LT((force - Vector3d(0, 0, weight)).norm(), 1e-6 * weight);
  EXPECT_LT(moment.norm(), 1e-6 * weight);
}

class JointSolver : public testing::TestWithParam<SolverName> {};

TEST_P(JointSolver, EnergyOfAChainNeverGrows) {
  World world = emptyWorld(1e-3, GetParam());
  BodyId last;
  for (int k = 0; k < 4; ++k) {
    const BodyId next = world.addBody(bar({0.1 + 0.2 * k, 0, 0}));
    world.addJoint(jointAt(world, k % 2 ? JointKind::ball : JointKind::hinge, last, next, {0.2 * k, 0, 0},
                           Vector3d::UnitY()));
    last = next;
  }
  const double start = energyOfJointed(world, world.stepResult());
  const double scale = 4 * world.body(last).mass.mass * kJointGravity * 0.8;
  double most = -HUGE_VAL;
  for (int k = 0; k < 3000; ++k) {
    const StepResult& tick = world.step();
    ASSERT_TRUE(tick.report.converged);
    most = std::max(most, energyOfJointed(world, tick));
  }
  EXPECT_LE(most - start, 1e-2 * scale);
}

INSTANTIATE_TEST_SUITE_P(Solvers, JointSolver, tests::everySolverAndBaraff(), solverTestName);

}  // namespace
}  // namespace tenon::physics
