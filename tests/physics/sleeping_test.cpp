// Parts that lie still: nothing of them changes any more, what they lie on is told as before, and they wake
// in time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/yard.h"

namespace tenon::physics {
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
struct Lying {
  World world;
  BodyId ground, lower, upper, beside;
  HandId hand;

  explicit Lying(bool allowSleep = true, int threads = 1)
      : world({.threads = threads, .allowSleep = allowSleep}, makeBulletCollider()) {
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
  const Vector3d& placeOf(BodyId body) const { return world.stepResult().bodies[body.value].X_WC.p; }
  double loadOf(BodyId body) const {
    double load = 0;
    for (const ContactForce& c : world.stepResult().contacts) {
      if (c.contact.j == body) load += (c.force * c.contact.n + c.friction).z();
      if (c.contact.i == body) load -= (c.force * c.contact.n + c.friction).z();
    }
    return load;
  }
  bool allRest() const { return world.stepResult().report.linearizations == 0; }
};

TEST(Rest, PartsThatLieStillKeepEveryBitAndTheirForces) {
  Lying lying;
  lying.run(20);
  EXPECT_FALSE(lying.allRest()) << "they have not been seen to be still for long enough";
  lying.run(180);
  ASSERT_TRUE(lying.allRest());
  const std::uint64_t hash = lying.world.stateHash();
  const std::size_t contacts = lying.world.stepResult().contacts.size();
  lying.run(1000);
  EXPECT_TRUE(lying.allRest());
  EXPECT_EQ(lying.world.stateHash(), hash);
  EXPECT_EQ(lying.world.stepResult().contacts.size(), contacts);
  EXPECT_GE(lying.world.stepResult().report.contacts, 11);
  EXPECT_EQ(lying.world.stepResult().report.islands, 2);
  EXPECT_TRUE(lying.world.stepResult().report.converged);
  EXPECT_NEAR(lying.world.stepResult().time, 1.2, 1e-12);
  const double weight = 9.81 * lying.world.body(lying.upper).mass.mass;
  for (const BodyId body : {lying.lower, lying.upper, lying.beside})
    EXPECT_NEAR(lying.loadOf(body), weight, 1e-6 * weight);
}

TEST(Rest, WithoutItTheSamePlacesAreFound) {
  Lying with, without(false);
  for (Lying* lying : {&with, &without}) {
    lying->run(300);
    // The hand takes the upper cube and pushes the lower one away with it.
    lying->world.apply(Grab{lying->hand, lying->upper, Pose::at(lying->placeOf(lying->upper))});
    lying->run(100);
    lying->world.apply(MoveHand{lying->hand, Pose::at({0.03, 0, 3 * kHalf})});
    lying->run(300);
  }
  EXPECT_FALSE(without.allRest());
  for (const BodyId body : {with.lower, with.upper, with.beside})
    EXPECT_LT((with.placeOf(body) - without.placeOf(body)).norm(), 1e-9) << body.value;
  EXPECT_GT(with.placeOf(with.upper).x(), 0.02);
}

TEST(Rest, PartThatIsTakenWakesWhatLiesOnIt) {
  Lying lying;
  lying.run(300);
  lying.world.apply(Grab{lying.hand, lying.lower, Pose::at(lying.placeOf(lying.lower))});
  lying.world.apply(MoveHand{lying.hand, Pose::at({0, 0, kHalf + 0.01})});
  lying.run(400);
  EXPECT_GT(lying.placeOf(lying.upper).z(), 3 * kHalf + 0.005);
  lying.world.apply(Release{lying.hand});
  lying.run(500);
  EXPECT_NEAR(lying.placeOf(lying.upper).z(), 3 * kHalf, 1e-8);
  EXPECT_TRUE(lying.allRest());
}

TEST(Rest, WhatLosesItsSupportFalls) {
  Lying lying;
  lying.run(300);
  ASSERT_TRUE(lying.allRest());
  lying.world.apply(SetPose{lying.lower, Pose::at({-0.3, 0, kHalf})});
  lying.run(300);
  EXPECT_NEAR(lying.placeOf(lying.upper).z(), kHalf, 1e-8);
}

TEST(Rest, MovingPartWakesWhatItIsAboutToTouch) {
  // Dropped on the cube that lies alone: without waking it would go through or stand on a part that is not
  // pressed.
  Lying lying;
  lying.world.apply(SetPose{lying.upper, Pose::at({0.3 + 0.018, 0, 0.3})});
  lying.run(150);
  ASSERT_EQ(lying.world.stepResult().report.islands, 2) << "it still falls";
  ASSERT_TRUE(lying.allRest()) << "the others do not know of it yet";
  int overlaps = 0;
  for (int k = 0; k < 800; ++k) {
    lying.world.step();
    overlaps += lying.world.stepResult().report.penetration > 1e-8;
  }
  EXPECT_EQ(overlaps, 0);
  EXPECT_LT(lying.placeOf(lying.upper).z(), 0.1);
  const double weight = 9.81 * lying.world.body(lying.beside).mass.mass;
  EXPECT_NEAR(lying.loadOf(lying.beside) + lying.loadOf(lying.upper), 2 * weight, 1e-3 * weight);
}

TEST(Rest, OnWhatMovesByItselfNothingRests) {
  World world({}, makeBulletCollider());
  BodyDescription belt = cube({0, 0, 0}, MotionType::kinematic);
  belt.v = {0.01, 0, 0};
  world.addBody(belt);
  const BodyId part = world.addBody(cube({0, 0, 2 * kHalf}));
  world.setSurfaces(MaterialId{0}, MaterialId{0}, {.friction = 0.5});
  for (int k = 0; k < 1000; ++k) world.step();
  EXPECT_NEAR(world.stepResult().bodies[part.value].X_WC.p.x(), 0.01, 1e-4);
}

/// What happens at once, in the step after, and for a while: every number of every step.
std::vector<double> toldAfter(Lying& lying, const std::vector<Command>& commands) {
  std::vector<double> all;
  for (const Command& command : commands) lying.world.apply(command);
  for (int k = 0; k < 250; ++k) {
    const std::vector<double> tick = tests::numbersOf(lying.world.step());
    all.insert(all.end(), tick.begin(), tick.end());
    if (k == 150) lying.world.apply(Release{lying.hand});
  }
  return all;
}

TEST(Rest, SnapshotOfPartsAtRestGoesOnWithTheSameBytesAndWithAnyNumberOfThreads) {
  // Before they rest, in the steps in which they begin to, and after; with pulls that are felt in their first
  // step.
  for (int before : {60, 98, 99, 100, 101, 102, 103, 104, 160}) {
    for (int what = 0; what < 3; ++what) {
      Lying going(true, 3);
      going.run(before);
      const auto snapshot = going.world.snapshot();
      const Vector3d p = going.placeOf(going.upper);
      const std::vector<std::vector<Command>> commands = {
          {Grab{going.hand, going.upper, Pose::at(p)},
           MoveHand{going.hand, Pose::at(p + Vector3d(0.02, 0, 0.001))}},
          {SetPose{going.beside, Pose::at({0.1, 0, kHalf + 0.05})}},
          {Reset{}}};
      Lying other;
      other.run(3);
      other.world.restore(*snapshot);
      EXPECT_EQ(toldAfter(going, commands[what]), toldAfter(other, commands[what])) << before << ", " << what;
    }
  }
}

TEST(Rest, PinThatIsPulledInItsHoleMeetsTheWallInTheFirstStep) {
  // It stands 60 µm from the wall: further than what lies still is searched for contacts.
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
    // Not for long: held at one point, it may turn at the wall.
    for (int k = 0; k < 10; ++k) {
      EXPECT_LE(world.step().report.penetration, 1e-8);
      leftmost = std::min(leftmost, world.stepResult().bodies[pin.value].X_WC.p.x());
    }
    EXPECT_NEAR(leftmost, 2 * kHalf, 1e-8) << "it came to the wall, and no further";
  }
}

TEST(Rest, PartThatCameNearAndWentIsNotTold) {
  Lying lying;
  lying.world.apply(Grab{lying.hand, lying.upper, Pose::at(lying.placeOf(lying.upper))});
  lying.world.apply(MoveHand{lying.hand, Pose::at({0.3, 0.1, 0.1})});
  lying.run(400);
  // Down beside the cube that lies alone, to 40 µm from its side, and away again.
  for (int k = 0; k < 600; ++k) {
    const double aside = 2 * kHalf + 4e-5 + 0.06 * std::abs(k - 300) / 300.0;
    lying.world.apply(MoveHand{lying.hand, Pose::at({0.3, aside, kHalf + 0.001})});
    lying.world.step();
  }
  lying.run(50);
  for (const ContactForce& c : lying.world.stepResult().contacts)
    EXPECT_FALSE((c.contact.i == lying.upper && c.contact.j == lying.beside) ||
                 (c.contact.j == lying.upper && c.contact.i == lying.beside));
}

TEST(Rest, AnotherSolverSolvesAnew) {
  Lying lying;
  lying.run(200);
  ASSERT_TRUE(lying.allRest());
  Lying other;
  World another({.solver = SolverName::lemkeFixpoint}, makeBulletCollider());
  BodyDescription floor;
  floor.shape = HalfSpace{};
  floor.motion = MotionType::fixed;
  floor.material = MaterialId{0};
  another.addBody(floor);
  for (const Vector3d& p : {Vector3d(0, 0, kHalf), Vector3d(0.001, 0, 3 * kHalf), Vector3d(0.3, 0, kHalf)})
    another.addBody(cube(p));
  another.addHand({}, Pose());
  another.restore(*lying.world.snapshot());
  EXPECT_GT(another.step().report.linearizations, 0);
  other.world.restore(*lying.world.snapshot());
  EXPECT_EQ(other.world.step().report.linearizations, 0) << "the same one does not";
}

TEST(Rest, NothingIsAllocatedWhilePartsBeginToRestAndAreWoken) {
  Lying lying;
  const auto round = [&lying] {
    lying.world.apply(Grab{lying.hand, lying.upper, Pose::at(lying.placeOf(lying.upper))});
    lying.world.apply(MoveHand{lying.hand, Pose::at({0.001, 0, 3 * kHalf + 0.002})});
    lying.run(100);
    lying.world.apply(Release{lying.hand});
    lying.run(300);
    return lying.allRest();
  };
  EXPECT_TRUE(round());
  EXPECT_TRUE(round());
  const std::int64_t before = tests::allocationCount();
  EXPECT_TRUE(round());
  EXPECT_EQ(tests::allocationCount() - before, 0);
}

TEST(Rest, WhatSwingsThroughAStandstillDoesNotRest) {
  // Pushed up a slope without friction under next to no weight: it is still for some eighty steps where it
  // turns back.
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
}  // namespace tenon::physics
