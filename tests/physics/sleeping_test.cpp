// Sleeping islands: their states and reported forces stay constant, and they wake before anything touches
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/many_islands.h"

namespace tenon::physics::sleeping_test {
namespace {

constexpr double kHalf = 0.02;  ///< of a cube [m]

BodyDescription cube(const Vector3d& p, MotionType motion = MotionType::dynamic) {
  BodyDescription body;
  body.shape = Box{Vector3d::Constant(kHalf)};
  body.mass = massProperties(body.shape, 1000);
  body.motion = motion;
  body.material = MaterialId{0};
  body.X_WP = Pose::at(p);
  return body;
}

/// Two cubes on each other and one beside them, on the ground, and a hand.
struct Stack {
  World world;
  BodyId ground, lower, upper, beside;
  HandId hand;

  explicit Stack(bool allowSleep = true, int threads = 1, Accuracy accuracy = Accuracy::exact,
                 const Vector3d& gravity = {0, 0, -9.81})
      : world({.gravity = gravity,
               .solverOptions = {.accuracy = accuracy},
               .threads = threads,
               .allowSleep = allowSleep},
              makeBulletCollider()) {
    BodyDescription floor;
    floor.shape = HalfSpace{};
    floor.motion = MotionType::fixed;
    floor.material = MaterialId{0};
    ground = world.addBody(floor);
    lower = world.addBody(cube({0, 0, kHalf}));
    upper = world.addBody(cube({0.001, 0, 3 * kHalf}));
    beside = world.addBody(cube({0.3, 0, kHalf}));
    hand = world.addHand({}, Pose());
    world.setSurfaces(MaterialId{0}, MaterialId{0}, {.friction = 0.3});
  }
  void run(int steps) {
    for (int k = 0; k < steps; ++k) world.step();
  }
  const Vector3d& positionOf(BodyId body) const { return world.stepResult().bodies[body.value].X_WC.p; }
  double loadOf(BodyId body) const {
    double load = 0;
    for (const ContactForce& c : world.stepResult().contacts) {
      if (c.contact.j == body) load += (c.force * c.contact.n + c.friction).z();
      if (c.contact.i == body) load -= (c.force * c.contact.n + c.friction).z();
    }
    return load;
  }
  bool isAsleep() const { return world.stepResult().report.linearizations == 0; }
};

TEST(Sleeping, SleepingPartsKeepEveryBitAndTheirForces) {
  Stack stack;
  stack.run(20);
  EXPECT_FALSE(stack.isAsleep()) << "they were not still for long enough";
  stack.run(180);
  ASSERT_TRUE(stack.isAsleep());
  const std::uint64_t hash = stack.world.stateHash();
  const std::size_t contacts = stack.world.stepResult().contacts.size();
  stack.run(1000);
  EXPECT_TRUE(stack.isAsleep());
  EXPECT_EQ(stack.world.stateHash(), hash);
  EXPECT_EQ(stack.world.stepResult().contacts.size(), contacts);
  EXPECT_GE(stack.world.stepResult().report.contacts, 11);
  EXPECT_EQ(stack.world.stepResult().report.islands, 2);
  EXPECT_TRUE(stack.world.stepResult().report.converged);
  EXPECT_NEAR(stack.world.stepResult().time, 1.2, 1e-12);
  const double weight = 9.81 * stack.world.body(stack.upper).mass.mass;
  for (const BodyId body : {stack.lower, stack.upper, stack.beside})
    EXPECT_NEAR(stack.loadOf(body), weight, 1e-6 * weight);
}

TEST(Sleeping, SamePositionsWithoutSleeping) {
  Stack with, without(false);
  for (Stack* stack : {&with, &without}) {
    stack->run(300);
    // The hand takes the upper cube and pushes the lower one away with it.
    stack->world.apply(Grab{stack->hand, stack->upper, Pose::at(stack->positionOf(stack->upper))});
    stack->run(100);
    stack->world.apply(MoveHand{stack->hand, Pose::at({0.03, 0, 3 * kHalf})});
    stack->run(300);
  }
  EXPECT_FALSE(without.isAsleep());
  for (const BodyId body : {with.lower, with.upper, with.beside})
    EXPECT_LT((with.positionOf(body) - without.positionOf(body)).norm(), 1e-9) << body.value;
  EXPECT_GT(with.positionOf(with.upper).x(), 0.02);
}

// Without gravity, as sweeps never leave a pressed stack still.
TEST(Sleeping, KeepsTheAccuracyOfTheLastSolve) {
  for (const Accuracy accuracy : {Accuracy::exact, Accuracy::fast}) {
    Stack stack(true, 1, accuracy, Vector3d::Zero());
    stack.run(200);
    ASSERT_TRUE(stack.isAsleep());
    EXPECT_EQ(stack.world.stepResult().report.accuracy, accuracy);
    const auto asleep = stack.world.snapshot();
    stack.world.apply(Grab{stack.hand, stack.upper, Pose::at(stack.positionOf(stack.upper))});
    stack.run(1);
    ASSERT_FALSE(stack.isAsleep());
    stack.world.restore(*asleep);
    stack.run(1);
    ASSERT_TRUE(stack.isAsleep());
    EXPECT_EQ(stack.world.stepResult().report.accuracy, accuracy);
  }
}

TEST(Sleeping, GrabbedPartWakesThePartOnIt) {
  Stack stack;
  stack.run(300);
  stack.world.apply(Grab{stack.hand, stack.lower, Pose::at(stack.positionOf(stack.lower))});
  stack.world.apply(MoveHand{stack.hand, Pose::at({0, 0, kHalf + 0.01})});
  stack.run(400);
  EXPECT_GT(stack.positionOf(stack.upper).z(), 3 * kHalf + 0.005);
  stack.world.apply(Release{stack.hand});
  stack.run(500);
  EXPECT_NEAR(stack.positionOf(stack.upper).z(), 3 * kHalf, 1e-8);
  EXPECT_TRUE(stack.isAsleep());
}

TEST(Sleeping, PartFallsWhenItsSupportIsRemoved) {
  Stack stack;
  stack.run(300);
  ASSERT_TRUE(stack.isAsleep());
  stack.world.apply(SetPose{stack.lower, Pose::at({-0.3, 0, kHalf})});
  stack.run(300);
  EXPECT_NEAR(stack.positionOf(stack.upper).z(), kHalf, 1e-8);
}

TEST(Sleeping, MovingPartWakesPartsBeforeContact) {
  // Dropped on the single cube: if that did not wake, the part would pass through it, or rest on it without
  // force.
  Stack stack;
  stack.world.apply(SetPose{stack.upper, Pose::at({0.3 + 0.018, 0, 0.3})});
  stack.run(150);
  ASSERT_EQ(stack.world.stepResult().report.islands, 2) << "it still falls";
  ASSERT_TRUE(stack.isAsleep()) << "the others still sleep";
  int overlaps = 0;
  for (int k = 0; k < 800; ++k) {
    stack.world.step();
    overlaps += stack.world.stepResult().report.penetration > 1e-8;
  }
  EXPECT_EQ(overlaps, 0);
  EXPECT_LT(stack.positionOf(stack.upper).z(), 0.1);
  const double weight = 9.81 * stack.world.body(stack.beside).mass.mass;
  EXPECT_NEAR(stack.loadOf(stack.beside) + stack.loadOf(stack.upper), 2 * weight, 1e-3 * weight);
}

TEST(Sleeping, NothingSleepsOnAKinematicBody) {
  World world({}, makeBulletCollider());
  BodyDescription belt = cube({0, 0, 0}, MotionType::kinematic);
  belt.v = {0.01, 0, 0};
  world.addBody(belt);
  const BodyId part = world.addBody(cube({0, 0, 2 * kHalf}));
  world.setSurfaces(MaterialId{0}, MaterialId{0}, {.friction = 0.5});
  for (int k = 0; k < 1000; ++k) world.step();
  EXPECT_NEAR(world.stepResult().bodies[part.value].X_WC.p.x(), 0.01, 1e-4);
}

/// All numbers of the next 250 steps after the commands.
std::vector<double> resultsAfter(Stack& stack, const std::vector<Command>& commands) {
  std::vector<double> all;
  for (const Command& command : commands) stack.world.apply(command);
  for (int k = 0; k < 250; ++k) {
    const std::vector<double> tick = tests::numbersOf(stack.world.step());
    all.insert(all.end(), tick.begin(), tick.end());
    if (k == 150) stack.world.apply(Release{stack.hand});
  }
  return all;
}

TEST(Sleeping, SnapshotContinuesWithTheSameBytesForAnyNumberOfThreads) {
  // Before they sleep, in the steps in which they begin to, and after; with commands that act in their first
  // step.
  for (int before : {60, 98, 99, 100, 101, 102, 103, 104, 160}) {
    for (int what = 0; what < 3; ++what) {
      Stack original(true, 3);
      original.run(before);
      const auto snapshot = original.world.snapshot();
      const Vector3d p = original.positionOf(original.upper);
      const std::vector<std::vector<Command>> commands = {
          {Grab{original.hand, original.upper, Pose::at(p)},
           MoveHand{original.hand, Pose::at(p + Vector3d(0.02, 0, 0.001))}},
          {SetPose{original.beside, Pose::at({0.1, 0, kHalf + 0.05})}},
          {Reset{}}};
      Stack other;
      other.run(3);
      other.world.restore(*snapshot);
      EXPECT_EQ(resultsAfter(original, commands[what]), resultsAfter(other, commands[what]))
          << before << ", " << what;
    }
  }
}

TEST(Sleeping, PulledPinCollidesWithTheWallInTheFirstStep) {
  // The gap to the wall is 60 µm: more than the search margins of still bodies.
  World world({}, makeBulletCollider());
  BodyDescription wall = cube({0, 0, kHalf}, MotionType::fixed);
  world.addBody(wall);
  BodyDescription floor;
  floor.shape = HalfSpace{};
  floor.motion = MotionType::fixed;
  world.addBody(floor);
  const double gap = 6e-5;
  const BodyId pin = world.addBody(cube({2 * kHalf + gap, 0, kHalf}));
  const HandId hand = world.addHand({}, Pose());
  for (int k = 0; k < 200; ++k) world.step();
  ASSERT_EQ(world.stepResult().report.linearizations, 0);
  const auto snapshot = world.snapshot();
  for (const bool again : {false, true}) {
    if (again) world.restore(*snapshot);
    const Vector3d p = world.stepResult().bodies[pin.value].X_WC.p;
    world.apply(Grab{hand, pin, Pose::at(p)});
    world.apply(MoveHand{hand, Pose::at(p - Vector3d(0.002, 0, 0))});
    double leftmost = p.x();
    // Only 10 steps: held at one point, it may turn at the wall.
    for (int k = 0; k < 10; ++k) {
      EXPECT_LE(world.step().report.penetration, 1e-8);
      leftmost = std::min(leftmost, world.stepResult().bodies[pin.value].X_WC.p.x());
    }
    EXPECT_NEAR(leftmost, 2 * kHalf, 1e-8) << "it must reach the wall and stop there";
  }
}

TEST(Sleeping, PartThatPassedByHasNoContact) {
  Stack stack;
  stack.world.apply(Grab{stack.hand, stack.upper, Pose::at(stack.positionOf(stack.upper))});
  stack.world.apply(MoveHand{stack.hand, Pose::at({0.3, 0.1, 0.1})});
  stack.run(400);
  // Down beside the single cube, to 40 µm from its side, and away again.
  for (int k = 0; k < 600; ++k) {
    const double aside = 2 * kHalf + 4e-5 + 0.06 * std::abs(k - 300) / 300.0;
    stack.world.apply(MoveHand{stack.hand, Pose::at({0.3, aside, kHalf + 0.001})});
    stack.world.step();
  }
  stack.run(50);
  for (const ContactForce& c : stack.world.stepResult().contacts)
    EXPECT_FALSE((c.contact.i == stack.upper && c.contact.j == stack.beside) ||
                 (c.contact.j == stack.upper && c.contact.i == stack.beside));
}

TEST(Sleeping, AnotherSolverWakesAll) {
  Stack stack;
  stack.run(200);
  ASSERT_TRUE(stack.isAsleep());
  Stack other;
  World another({.solver = SolverName::lemkeFixpoint}, makeBulletCollider());
  BodyDescription floor;
  floor.shape = HalfSpace{};
  floor.motion = MotionType::fixed;
  floor.material = MaterialId{0};
  another.addBody(floor);
  for (const Vector3d& p : {Vector3d(0, 0, kHalf), Vector3d(0.001, 0, 3 * kHalf), Vector3d(0.3, 0, kHalf)})
    another.addBody(cube(p));
  another.addHand({}, Pose());
  another.restore(*stack.world.snapshot());
  EXPECT_GT(another.step().report.linearizations, 0);
  other.world.restore(*stack.world.snapshot());
  EXPECT_EQ(other.world.step().report.linearizations, 0) << "the same solver lets it sleep";
}

TEST(Sleeping, NothingIsAllocatedWhilePartsFallAsleepAndWake) {
  Stack stack;
  const auto round = [&stack] {
    stack.world.apply(Grab{stack.hand, stack.upper, Pose::at(stack.positionOf(stack.upper))});
    stack.world.apply(MoveHand{stack.hand, Pose::at({0.001, 0, 3 * kHalf + 0.002})});
    stack.run(100);
    stack.world.apply(Release{stack.hand});
    stack.run(300);
    return stack.isAsleep();
  };
  EXPECT_TRUE(round());
  EXPECT_TRUE(round());
  const std::int64_t before = tests::allocationCount();
  EXPECT_TRUE(round());
  EXPECT_EQ(tests::allocationCount() - before, 0);
}

TEST(Sleeping, PartThatReversesDoesNotSleep) {
  // Pushed up a frictionless slope with almost no weight: at its turning point it is still for some eighty
  // steps.
  World world({.gravity = {0, 0, -1e-8}}, makeBulletCollider());
  BodyDescription slope;
  slope.shape = HalfSpace{};
  slope.motion = MotionType::fixed;
  slope.X_WP.q = exponential({0, 0.25, 0});
  world.addBody(slope);
  BodyDescription part = cube(slope.X_WP.q * Vector3d(0, 0, kHalf));
  part.X_WP.q = slope.X_WP.q;
  part.v = slope.X_WP.q * Vector3d(-1e-9, 0, 0);
  const BodyId id = world.addBody(part);
  for (int k = 0; k < 3000; ++k) world.step();
  const double t = 3, a = 1e-8 * std::sin(0.25);
  EXPECT_NEAR((slope.X_WP.q.conjugate() * world.stepResult().bodies[id.value].v).x(), a * t - 1e-9, 1e-11);
}

}  // namespace
}  // namespace tenon::physics::sleeping_test
