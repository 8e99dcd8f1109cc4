// Friction in threads against closed forms: self-locking, the torque that raises or lowers a load, motion of
// a steep thread, and the clamping force of a screw turned home.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/joint/thread_flanks.h"
#include "physics/world.h"
#include "tests/support/every_solver.h"
#include "tests/support/exact_collider.h"

namespace tenon::physics {
namespace {

constexpr double kTurn = 2 * std::numbers::pi, kScrewGravity = 9.81;
constexpr double kRate = 1000;
const MaterialId kSteel{0};
constexpr double kM8 = 8e-3, kM8Pitch = 1.25e-3;

/// The closed forms of thread_flanks.h, from the thread's numbers alone.
struct PowerScrew {
  double pitch = kM8Pitch, diameter = kM8, mu = 0.12;

  double r() const { return 0.5 * (diameter - 0.6495 * std::abs(pitch)); }
  double slope() const { return std::abs(pitch) / (kTurn * r()); }  // tan α
  double effective() const { return mu / std::cos(std::numbers::pi / 6); }
  double raising(double force) const {
    return force * r() * (slope() + effective()) / (1 - effective() * slope());
  }
  double lowering(double force) const {
    return force * r() * (effective() - slope()) / (1 + effective() * slope());
  }
};

/// A screw like a block (or of another shape), upright in a thread of the world whose axis is z, and a hand
/// that turns it.
struct Screw {
  explicit Screw(const PowerScrew& thread, SolverName solver = SolverName::automatic, double mass = 0.1,
                 const Shape& shape = Box{Vector3d(4e-3, 4e-3, 15e-3)})
      : world({.dt = 1 / kRate, .gravity = {0, 0, -kScrewGravity}, .solver = solver},
              std::make_unique<tests::ExactCollider>()) {
    BodyDescription body;
    body.shape = shape;
    body.material = kSteel;
    body.mass = massProperties(body.shape, 7850);
    body.mass.inertia *= mass / body.mass.mass;
    body.mass.mass = mass;
    inertia = body.mass.inertia(2, 2);
    body.X_WP = Pose::at({0, 0, 20e-3});
    screw = world.addBody(body);
    JointDescription joint;
    joint.kind = JointKind::helical;
    joint.j = screw;
    joint.X_PA = body.X_WP;
    joint.pitch = thread.pitch;
    joint.friction = thread.mu;
    joint.pitchDiameter = isoPitchDiameter(thread.diameter, thread.pitch);
    world.addJoint(joint);
    HandParameters parameters;
    parameters.stiffness = Vector3d::Constant(1e-3);  // it does not carry
    parameters.angularStiffness = Vector3d::Constant(50);
    parameters.maxTorque = 1e3;
    parameters.carriesWeight = false;
    hand = world.addHand(parameters, body.X_WP);
    target = body.X_WP;
  }

  double travel() const { return world.stepResult().joints[0].travel; }
  void run(int steps) {
    for (int k = 0; k < steps; ++k) {
      ASSERT_TRUE(world.step().report.converged) << "step " << world.stepResult().step;
      ASSERT_LE(world.stepResult().joints[0].lengthError, 3e-8) << "step " << world.stepResult().step;
    }
  }
  /// Turns the hand about z at this speed [rad/s] for so many steps.
  void turn(double speed, int steps) {
    for (int k = 0; k < steps; ++k) {
      target.q = Quaterniond(Eigen::AngleAxisd(speed / kRate, Vector3d::UnitZ())) * target.q;
      world.apply(MoveHand{hand, target});
      ASSERT_NO_FATAL_FAILURE(run(1));
    }
  }
  double torque() const { return world.stepResult().hands[0].torque.z(); }

  World world;
  BodyId screw;
  HandId hand;
  Pose target;
  double inertia = 0;  ///< about the axis [kg m²]
};

/// With a restitution of 1. The screw is a ball of the same mass: free, it would take all of the motion.
TEST(ThreadFriction, ballBouncesOffAScrewAsOffTheFloor) {
  Screw s({}, SolverName::automatic, 0.1, Sphere{15e-3});
  s.world.setSurfaces(kSteel, kSteel, {.friction = 0, .restitution = 1});
  BodyDescription ball;
  ball.shape = Sphere{5e-3};
  ball.material = kSteel;
  ball.mass = massProperties(ball.shape, 7850);
  ball.mass.inertia *= 0.1 / ball.mass.mass;
  ball.mass.mass = 0.1;
  ball.X_WP = Pose::at({0, 0, 35e-3 + 5e-3 + 1e-3});
  ball.v = {0, 0, -0.5};
  const BodyId id = s.world.addBody(ball);
  double fastest = 0;
  for (int k = 0; k < 20; ++k) {
    ASSERT_NO_FATAL_FAILURE(s.run(1));
    fastest = std::max(fastest, s.world.stepResult().bodies[static_cast<std::size_t>(id.value)].v.z());
  }
  EXPECT_NEAR(fastest, 0.5, 0.03);  // a step of weight is 0.01 m/s
  EXPECT_NEAR(s.travel(), 0, 1e-9);
}

class EveryThreadFriction : public testing::TestWithParam<SolverName> {};

TEST_P(EveryThreadFriction, locksAScrewUnderItsOwnWeight) {
  Screw s({}, GetParam());
  ASSERT_NO_FATAL_FAILURE(s.run(1000));
  EXPECT_NEAR(s.travel(), 0, 1e-9);
  EXPECT_LT(s.world.stepResult().bodies[0].v.norm(), 1e-9);
  const double angle = s.world.stepResult().joints[0].angle;
  ASSERT_NO_FATAL_FAILURE(s.run(1000));
  EXPECT_NEAR(s.world.stepResult().joints[0].angle, angle, 1e-8);
}

class EveryExactThreadFriction : public EveryThreadFriction {};

TEST_P(EveryExactThreadFriction, takesTheTorqueThatRaisesAndLowersALoad) {
  const PowerScrew thread;
  const double load = 10 * kScrewGravity;
  Screw s(thread, GetParam(), 10);
  s.world.apply(Grab{s.hand, s.screw, s.target});
  ASSERT_NO_FATAL_FAILURE(s.turn(1, 400));
  EXPECT_NEAR(s.torque(), thread.raising(load), 1e-3 * thread.raising(load));
  ASSERT_NO_FATAL_FAILURE(s.turn(-1, 800));
  EXPECT_NEAR(s.torque(), -thread.lowering(load), 1e-3 * thread.raising(load));
}

INSTANTIATE_TEST_SUITE_P(solvers, EveryThreadFriction, tests::everySolver(), tests::solverTestName);
INSTANTIATE_TEST_SUITE_P(solvers, EveryExactThreadFriction, tests::everyExactSolver(), tests::solverTestName);

// The reported force and torque of the joint are those of its flanks: the load, and with the hand's torque
// nothing.
TEST(ThreadFriction, isPartOfTheReportedJointForces) {
  Screw s({}, SolverName::automatic, 10);
  s.world.apply(Grab{s.hand, s.screw, s.target});
  ASSERT_NO_FATAL_FAILURE(s.turn(1, 400));
  const JointState& joint = s.world.stepResult().joints[0];
  EXPECT_NEAR(joint.force.z(), 10 * kScrewGravity, 0.01);
  EXPECT_LT(joint.force.head<2>().norm(), 1e-3);
  EXPECT_NEAR(joint.torque.z(), -s.torque(), 1e-6);
}

TEST(ThreadFriction, isTheSameInALeftHandedThread) {
  const PowerScrew thread{.pitch = -kM8Pitch};
  Screw s(thread, SolverName::automatic, 10);
  ASSERT_NO_FATAL_FAILURE(s.run(500));
  EXPECT_NEAR(s.travel(), 0, 1e-9);
  s.world.apply(Grab{s.hand, s.screw, s.target});
  ASSERT_NO_FATAL_FAILURE(s.turn(-1, 400));
  EXPECT_NEAR(s.torque(), -thread.raising(10 * kScrewGravity), 1e-3 * thread.raising(10 * kScrewGravity));
}

// µ / cos 30° on either side of tan α.
TEST(ThreadFriction, locksAboveTheSlopeOfTheThreadAndNotBelow) {
  PowerScrew thread;
  const double limit = thread.slope() * std::cos(std::numbers::pi / 6);
  thread.mu = 1.02 * limit;
  Screw locks(thread);
  ASSERT_NO_FATAL_FAILURE(locks.run(500));
  EXPECT_NEAR(locks.travel(), 0, 1e-9);
  thread.mu = 0.98 * limit;
  Screw runs(thread);
  ASSERT_NO_FATAL_FAILURE(runs.run(500));
  EXPECT_LT(runs.travel(), -1e-6);
}

/// Of a screw that runs down its thread [m/s²]: N of the flank from the axial and the angular equation.
double runningDown(const PowerScrew& thread, double mass, double inertia) {
  const double a = std::atan(thread.slope()), r = thread.r(), mu = thread.effective();
  const double along = std::sin(a) - mu * std::cos(a);  // turns
  const double force =
      mass * kScrewGravity / (std::cos(a) + mu * std::sin(a) + mass * r * r * std::tan(a) * along / inertia);
  return r * std::tan(a) * r * along * force / inertia;
}

TEST(ThreadFriction, brakesASteepThread) {
  for (const double mu : {0.0, 0.05, 0.15}) {
    const PowerScrew thread{.pitch = 10e-3, .diameter = 16e-3, .mu = mu};  // tan α = 0.33
    Screw s(thread);
    ASSERT_NO_FATAL_FAILURE(s.run(50));  // it turns by less than 0.06 rad a step
    const double expected = runningDown(thread, 0.1, s.inertia) * 0.05;
    EXPECT_NEAR(s.world.stepResult().bodies[0].v.z(), -expected, 1e-3 * expected) << mu;
  }
}

// Its tip reaches a smooth floor; the hand keeps turning. From there the floor's force is that of the
// torque, kilonewtons between rigid parts.
TEST(ThreadFriction, clampsWithTheForceOfItsTorque) {
  const PowerScrew thread;
  Screw s(thread);
  BodyDescription floor;
  floor.shape = HalfSpace{};
  floor.motion = MotionType::fixed;
  floor.X_WP = Pose::at({0, 0, 5e-3 - 0.25 * kM8Pitch});
  s.world.addBody(floor);
  s.world.apply(Grab{s.hand, s.screw, s.target});
  ASSERT_NO_FATAL_FAILURE(s.turn(-kTurn, 250));
  for (int k = 0; k < 10; ++k) {
    ASSERT_NO_FATAL_FAILURE(s.turn(-0.1, 100));  // 0.5 N m
    double clamping = 0;
    for (const ContactForce& contact : s.world.stepResult().contacts) clamping += contact.force;
    const double torque = thread.raising(clamping - 0.1 * kScrewGravity);
    EXPECT_NEAR(-s.torque(), torque, 0.01 * torque + 1e-4);
    EXPECT_GT(clamping, 600 * k);
  }
}

TEST(ThreadFriction, rejectsInvalidValues) {
  World world({}, std::make_unique<tests::ExactCollider>());
  BodyDescription body;
  body.shape = Box{Vector3d(1e-2, 1e-2, 1e-2)};
  body.mass = massProperties(body.shape, 7850);
  JointDescription good;
  good.kind = JointKind::helical;
  good.j = world.addBody(body);
  good.pitch = kM8Pitch;
  good.friction = 0.1;
  good.pitchDiameter = 7e-3;
  const auto refused = [&](const auto& spoil) {
    JointDescription bad = good;
    spoil(bad);
    EXPECT_THROW(world.addJoint(bad), std::invalid_argument);
  };
  refused([](JointDescription& d) { d.kind = JointKind::cylindrical; });
  refused([](JointDescription& d) { d.friction = -0.1; });
  refused([](JointDescription& d) { d.friction = std::nan(""); });
  refused([](JointDescription& d) { d.pitchDiameter = 0; });
  EXPECT_NO_THROW(world.addJoint(good));
}

}  // namespace
}  // namespace tenon::physics
