// The world: rejected input, effects of commands, and steps that are independent of the number of threads and
// allocate nothing.
#include "physics/world.h"

#include <gtest/gtest.h>

#include <cmath>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/math/tolerances.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/every_solver.h"
#include "tests/support/exact_collider.h"
#include "tests/support/many_islands.h"

namespace tenon::physics::world_test {
namespace {

using tests::ExactCollider;
using tests::ManyIslands;
using tests::numbersOf;

BodyDescription cube(double z) {
  BodyDescription body;
  body.name = "cube";
  body.shape = Box{Vector3d::Constant(0.02)};
  body.mass = massProperties(body.shape, 7850);
  body.X_WP = Pose::at({0, 0, z});
  return body;
}

BodyDescription ground() {
  BodyDescription body;
  body.name = "ground";
  body.shape = HalfSpace{};
  body.motion = MotionType::fixed;
  return body;
}

/// A cube on the ground and one hand.
struct Small {
  World world;
  BodyId floor, part;
  HandId hand;

  explicit Small(const WorldOptions& options = {}) : world(options, std::make_unique<ExactCollider>()) {
    floor = world.addBody(ground());
    part = world.addBody(cube(0.02));
    hand = world.addHand({}, Pose::at({0, 0, 0.1}));
  }
  const BodyState& state() const { return world.stepResult().bodies[part.value]; }
};

TEST(World, rejectsInvalidOptions) {
  const auto make = [](const WorldOptions& options) { World(options, std::make_unique<ExactCollider>()); };
  for (const double dt : {0.0, -1e-3, std::nan(""), HUGE_VAL})
    EXPECT_THROW(make({.dt = dt}), std::invalid_argument) << dt;
  EXPECT_THROW(make({.threads = 0}), std::invalid_argument);
  EXPECT_THROW(World({}, nullptr), std::invalid_argument);
}

TEST(World, rejectsInvalidBodies) {
  World world({}, std::make_unique<ExactCollider>());
  BodyDescription massless = cube(0), thin = cube(0);
  massless.mass.mass = 0;
  thin.mass.inertia(2, 2) *= 10;  // more than the other two together
  EXPECT_THROW(world.addBody(massless), std::invalid_argument);
  EXPECT_THROW(world.addBody(thin), std::invalid_argument);
  EXPECT_EQ(world.bodyCount(), 0u);
}

TEST(World, acceptsBodiesAndHandsOnlyBeforeTheFirstStep) {
  Small small;
  small.world.step();
  EXPECT_THROW(small.world.addBody(cube(1)), std::invalid_argument);
  EXPECT_THROW(small.world.addHand({}, Pose{}), std::invalid_argument);
}

TEST(World, rejectsInvalidJoints) {
  Small small;
  World& world = small.world;
  BodyDescription other = cube(0.5);
  other.mass.center = Vector3d(0, 0, 0.01);
  const BodyId second = world.addBody(other);
  JointDescription good;
  good.kind = JointKind::cylindrical;
  good.i = small.part;
  good.j = second;
  good.X_PB.p = Vector3d(0.01, 0, 0);
  good.X_PA.p = Vector3d(0.01, 0, 0.48);
  good.angle = {-1, 3.1};
  good.travel = {0, 0.1};
  const auto rejects = [&](const char* what, const auto& spoil) {
    JointDescription bad = good;
    spoil(bad);
    EXPECT_THROW(world.addJoint(bad), std::invalid_argument) << what;
  };
  rejects("no body", [](auto& d) { d.j = {}; });
  rejects("an unknown body", [](auto& d) { d.j = BodyId{3}; });
  rejects("an unknown other body", [](auto& d) { d.i = BodyId{17}; });
  rejects("the same body twice", [](auto& d) { d.i = d.j; });
  rejects("no dynamic body", [&](auto& d) { d.i = {}, d.j = small.floor; });
  rejects("frames apart", [](auto& d) { d.X_PA.p.x() += 2e-6; });
  rejects("axes apart", [](auto& d) { d.X_PA.q = exponential(Vector3d(2e-6, 0, 0)); });
  rejects("frames apart that must not turn", [](auto& d) {
    d.kind = JointKind::slider;
    d.X_PA.q = exponential(Vector3d(0, 0, 2e-6));
  });
  rejects("a frame that is not finite", [](auto& d) { d.X_PA.p.z() = std::nan(""); });
  rejects("a quaternion not of length 1", [](auto& d) { d.X_PB.q.coeffs() *= 2; });
  rejects("an empty range of angles", [](auto& d) { d.angle = {0, 0}; });
  rejects("angles without the start", [](auto& d) { d.angle = {0.1, 1}; });
  rejects("half a turn", [](auto& d) { d.angle.high = 3.15; });
  rejects("a limit that is not a number", [](auto& d) { d.angle.high = std::nan(""); });
  rejects("one limit of the angle alone", [](auto& d) { d.angle = {-1, HUGE_VAL}; });
  rejects("limits of a helical joint's angle", [](auto& d) {
    d.kind = JointKind::helical;
    d.pitch = 1e-3;
  });
  rejects("opposite axes", [](auto& d) {
    d.angle = {};
    d.X_PA.q = Quaterniond(0, 1, 0, 0);
  });
  rejects("an empty range of travel", [](auto& d) { d.travel = {0.01, -0.01}; });
  rejects("travel without the start", [](auto& d) { d.travel = {-1, -0.1}; });
  for (const double pitch : {0.0, std::nan(""), HUGE_VAL})
    rejects("an invalid pitch", [&](auto& d) {
      d.kind = JointKind::helical;
      d.angle = {};
      d.pitch = pitch;
    });
  EXPECT_EQ(world.jointCount(), 0u);
  EXPECT_TRUE(world.stepResult().joints.empty());
  EXPECT_EQ(world.addJoint(good), JointId{0});
  EXPECT_EQ(world.jointCount(), 1u);
  EXPECT_LE(world.stepResult().joints.at(0).lengthError, 1e-15);
  EXPECT_THROW(world.apply(SetPose{second, Pose::at({0, 0, 1})}), std::invalid_argument)
      << "out of its joint";
  world.step();
  EXPECT_THROW(world.addJoint(good), std::invalid_argument) << "after the first step";
}

TEST(World, rejectsCommandsWithInvalidIds) {
  Small small;
  World& world = small.world;
  const std::uint64_t before = world.stateHash();
  for (const int bad : {-1, 1, 1000}) {
    const HandId hand{bad};
    EXPECT_THROW(world.apply(Grab{hand, small.part, {}}), std::invalid_argument) << bad;
    EXPECT_THROW(world.apply(MoveHand{hand, {}}), std::invalid_argument) << bad;
    EXPECT_THROW(world.apply(Release{hand}), std::invalid_argument) << bad;
  }
  for (const int bad : {-1, 2, 1000}) {
    EXPECT_THROW(world.apply(Grab{small.hand, BodyId{bad}, {}}), std::invalid_argument) << bad;
    EXPECT_THROW(world.apply(SetPose{BodyId{bad}, {}}), std::invalid_argument) << bad;
  }
  EXPECT_THROW(world.apply(Grab{small.hand, small.floor, {}}), std::invalid_argument);
  EXPECT_THROW(world.apply(SetPose{small.floor, {}}), std::invalid_argument);
  EXPECT_EQ(world.stateHash(), before);
  world.step();
  EXPECT_FALSE(world.stepResult().hands[0].body.valid()) << "a rejected command must not be queued";
}

TEST(World, placesABodyAtRestAndOutOfTheHand) {
  Small small;
  small.world.apply(Grab{small.hand, small.part, Pose::at({0, 0, 0.1})});
  for (int k = 0; k < 50; ++k) {
    small.world.apply(MoveHand{small.hand, Pose::at({0.002 * k, 0, 0.1 + 0.001 * k})});
    small.world.step();
  }
  ASSERT_TRUE(small.world.stepResult().hands[0].body.valid());
  const Pose there{exponential(Vector3d(0, 0, 0.7)), Vector3d(0.3, 0.2, 0.5)};
  small.world.apply(SetPose{small.part, there});
  small.world.step();
  EXPECT_FALSE(small.world.stepResult().hands[0].body.valid());
  const double dt = small.world.options().dt;
  EXPECT_NEAR((small.state().X_WC.p - there.p - Vector3d(0, 0, -9.81 * dt * dt)).norm(), 0, 1e-15);
  EXPECT_NEAR((small.state().v - Vector3d(0, 0, -9.81 * dt)).norm(), 0, 1e-15);
  EXPECT_EQ(small.state().omega.norm(), 0);
  EXPECT_NEAR(small.state().X_WC.q.angularDistance(there.q), 0, 1e-15);
}

TEST(World, releasesAPartThatKeepsItsVelocity) {
  Small small({.gravity = Vector3d::Zero()});
  small.world.apply(Grab{small.hand, small.part, Pose::at({0, 0, 0.1})});
  for (int k = 1; k <= 400; ++k) {
    small.world.apply(MoveHand{small.hand, Pose::at({0, 0, 0.1 + 0.0005 * k})});
    small.world.step();
  }
  const Vector3d v = small.state().v;
  EXPECT_NEAR(v.z(), 0.5, 1e-6);
  small.world.apply(Release{small.hand});
  small.world.step();
  EXPECT_EQ(small.state().v, v);
  EXPECT_EQ(small.world.stepResult().hands[0].force.norm(), 0);
}

TEST(World, resetsToItsStartInEveryByte) {
  ManyIslands scene({});
  std::vector<std::vector<double>> first;
  for (int k = 0; k < 60; ++k) first.push_back(numbersOf(scene.step()));
  for (int again = 0; again < 2; ++again) {
    scene.run(37);
    scene.world.apply(Reset{});
    // Reset takes effect in the step it precedes; the hand's target is that of a first step.
    scene.world.apply(Grab{scene.hand, scene.held, Pose::at({0, -0.3, 0.05})});
    ManyIslands fresh({});
    scene.world.apply(MoveHand{scene.hand, fresh.step().hands[0].X_WH});
    EXPECT_EQ(numbersOf(scene.world.step()), first[0]);
    for (int k = 1; k < 60; ++k) ASSERT_EQ(numbersOf(scene.step()), first[k]) << "step " << k;
  }
}

TEST(World, movesAKinematicBodyAtItsVelocityDespiteContacts) {
  World world({}, std::make_unique<ExactCollider>());
  BodyDescription piston;
  piston.shape = HalfSpace{};
  piston.motion = MotionType::kinematic;
  piston.v = Vector3d(0, 0, 0.2);
  world.addBody(piston);
  world.addBody(cube(0.02));
  for (int k = 1; k <= 500; ++k) {
    const StepResult& result = world.step();
    ASSERT_NEAR(result.bodies[0].X_WC.p.z(), 0.2 * result.time, 1e-12);
    ASSERT_NEAR(result.bodies[1].X_WC.p.z() - 0.02, 0.2 * result.time, 2e-9) << "it lifts what stands on it";
  }
}

TEST(World, findsTheContactsOfItsStateInAnyRange) {
  Small small;
  EXPECT_EQ(small.world.contactsWithin(1e-6).size(), 4u);
  EXPECT_EQ(small.world.contactsWithin(0.041).size(), 8u);
  EXPECT_EQ(small.world.findBody("cube"), small.part);
  EXPECT_FALSE(small.world.findBody("nothing").has_value());
}

TEST(World, givesPartPosesFromStates) {
  World world({.gravity = Vector3d::Zero()}, std::make_unique<ExactCollider>());
  BodyDescription body = cube(0);
  body.X_WP = {exponential(Vector3d(0.1, 0.2, 0.3)), Vector3d(1, 2, 3)};
  body.mass.center = Vector3d(0.01, 0.02, -0.03);
  const BodyId id = world.addBody(body);
  const BodyState& state = world.stepResult().bodies[id.value];
  EXPECT_NEAR((state.X_WC.p - body.X_WP * body.mass.center).norm(), 0, 1e-15);
  EXPECT_NEAR((world.partPose(id, state).p - body.X_WP.p).norm(), 0, 1e-15);
}

TEST(World, hashesEveryNumberOfTheState) {
  std::vector<std::uint64_t> hashes;
  for (int change = 0; change < 14; ++change) {
    World world({}, std::make_unique<ExactCollider>());
    BodyDescription body = cube(1);
    const double tiny = 1e-15;
    if (change >= 1 && change <= 3) body.X_WP.p[change - 1] += tiny;
    if (change >= 4 && change <= 6) body.X_WP.q = exponential(tiny * Vector3d::Unit(change - 4));
    if (change >= 7 && change <= 9) body.v[change - 7] += tiny;
    if (change >= 10 && change <= 12) body.omega[change - 10] += tiny;
    if (change == 13) body.v = Vector3d::Constant(-0.0);  // not a change
    world.addBody(body);
    hashes.push_back(world.stateHash());
  }
  EXPECT_EQ(hashes.back(), hashes.front());
  hashes.pop_back();
  std::sort(hashes.begin(), hashes.end());
  EXPECT_EQ(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

TEST(World, findsContactsOfBodiesPushedBeyondTheirSearchMargins) {
  // Each heavy cube pushes a light one by 35 µm in the step, twice the search margin of a body at rest. The
  // gap between the two light ones is more than both margins and less than both displacements.
  World world({.gravity = Vector3d::Zero()}, makeBulletCollider());
  const double half = 0.02, gap = 5e-5, speed = 0.035;
  const auto add = [&](double x, double density, double v) {
    BodyDescription body = cube(0);
    body.mass = massProperties(body.shape, density);
    body.X_WP = Pose::at({x, 0, 0});
    body.v = Vector3d(v, 0, 0);
    return world.addBody(body);
  };
  add(-3 * half - 0.5 * gap, 1e6, speed);
  const BodyId left = add(-half - 0.5 * gap, 1000, 0), right = add(half + 0.5 * gap, 1000, 0);
  add(3 * half + 0.5 * gap, 1e6, -speed);
  const auto between = [&] {
    const auto x = [&](BodyId id) { return world.stepResult().bodies[id.value].X_WC.p.x(); };
    return x(right) - x(left) - 2 * half;
  };
  for (int k = 0; k < 5; ++k) {
    world.step();
    EXPECT_GE(between(), -kMaxPenetration) << k;
  }
  EXPECT_LT(between(), 0.5 * gap) << "they were not pushed: the test checks nothing";
}

struct WorldOfEverySolver : testing::TestWithParam<SolverName> {};

TEST_P(WorldOfEverySolver, givesTheSameBytesOnRepeatAndForAnyNumberOfThreads) {
  std::vector<std::vector<double>> first;
  std::vector<std::uint64_t> hashes;
  int maxIslands = 0;
  bool bounced = false, doorStopped = false, nutStopped = false;
  for (const int threads : {1, 1, 2, 3}) {
    ManyIslands scene({.solver = GetParam(), .threads = threads});
    for (int k = 0; k < 400; ++k) {
      const StepResult& result = scene.step();
      maxIslands = std::max(maxIslands, result.report.islands);
      for (const ContactForce& contact : result.contacts) bounced = bounced || contact.impulse.z() > 0;
      doorStopped = doorStopped || std::abs(result.joints[2].angle - 0.4) < kGapTolerance;
      nutStopped = nutStopped || std::abs(result.joints[4].travel + 0.02) < kGapTolerance;
      if (hashes.empty())
        first.push_back(numbersOf(result));
      else
        ASSERT_EQ(numbersOf(result), first[k]) << threads << " threads, step " << k;
    }
    hashes.push_back(scene.world.stateHash());
    EXPECT_EQ(hashes.back(), hashes.front()) << threads << " threads";
  }
  EXPECT_GE(maxIslands, 5) << "too few to give threads something to do";
  EXPECT_TRUE(bounced && doorStopped && nutStopped) << bounced << doorStopped << nutStopped;
}

TEST_P(WorldOfEverySolver, allocatesNothingAfterAFirstRun) {
  for (const int threads : {1, 3}) {
    // The same motion twice: the second time all buffers are large enough.
    ManyIslands scene({.solver = GetParam(), .threads = threads});
    const auto start = scene.world.snapshot();
    scene.run(300);
    scene.world.restore(*start);
    scene.run(1);
    const std::int64_t before = tests::allocationCount();
    scene.run(299);
    EXPECT_EQ(tests::allocationCount() - before, 0) << threads << " threads";
    EXPECT_FALSE(scene.world.stepResult().contacts.empty());
  }
}

TEST_P(WorldOfEverySolver, allocatesNothingWhileABoxRests) {
  Small small({.solver = GetParam()});
  for (int k = 0; k < 20; ++k) small.world.step();
  const std::int64_t before = tests::allocationCount();
  for (int k = 0; k < 1000; ++k) small.world.step();
  EXPECT_EQ(tests::allocationCount() - before, 0);
  EXPECT_EQ(small.world.stepResult().contacts.size(), 4u);
}

TEST_P(WorldOfEverySolver, catchesAFastBodyInOneStep) {
  // At 60 Hz and 30 m/s a step is half a meter: far beyond any fixed search range.
  World world({.dt = 1.0 / 60, .solver = GetParam()}, std::make_unique<ExactCollider>());
  world.addBody(ground());
  BodyDescription body = cube(0.3);
  body.v = Vector3d(1, 0, -30);
  world.addBody(body);
  for (int k = 0; k < 10; ++k) {
    const StepResult& result = world.step();
    EXPECT_TRUE(result.report.converged);
    EXPECT_GE(result.bodies[1].X_WC.p.z(), 0.02 - kPenetrationTolerance) << "step " << k;
    EXPECT_LE(result.report.penetration, kPenetrationTolerance);
  }
  EXPECT_NEAR(world.stepResult().bodies[1].v.x(), 1, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(solvers, WorldOfEverySolver, tests::everySolverAndBaraff(), tests::solverTestName);

}  // namespace
}  // namespace tenon::physics::world_test
