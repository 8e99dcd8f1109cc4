// Parts that lie still: nothing of them changes any more, what they lie on is told as before, and they wake
// in time.
#include <gtest/gtest.h>

#include <numeric>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"

namespace tenon::physics {
namespace {

constexpr double kHalf = 0.02;  ///< of a cube [m]

BodyDescription cube(const Vector3d& p, Motion motion = Motion::dynamic) {
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

  explicit Lying(bool letRest = true, double friction = 0.3)
      : world({.letRest = letRest}, makeBulletCollider()) {
    BodyDescription floor;
    floor.shape = HalfSpace{};
    floor.motion = Motion::fixed;
    floor.material = MaterialId{0};
    ground = world.addBody(floor);
    lower = world.addBody(cube({0, 0, kHalf}));
    upper = world.addBody(cube({0.001, 0, 3 * kHalf}));
    beside = world.addBody(cube({0.3, 0, kHalf}));
    hand = world.addHand({}, Pose());
    world.setSurfaces(MaterialId{0}, MaterialId{0}, {.friction = friction});
  }
  void run(int steps) {
    for (int k = 0; k < steps; ++k) world.step();
  }
  const Vector3d& placeOf(BodyId body) const { return world.tick().bodies[body.value].X_WC.p; }
  double loadOf(BodyId body) const {
    double load = 0;
    for (const ContactForce& c : world.tick().contacts) {
      if (c.contact.j == body) load += (c.force * c.contact.n + c.friction).z();
      if (c.contact.i == body) load -= (c.force * c.contact.n + c.friction).z();
    }
    return load;
  }
  bool allRest() const { return world.tick().report.linearisations == 0; }
};

TEST(Rest, PartsThatLieStillKeepEveryBitAndTheirForces) {
  Lying lying;
  lying.run(20);
  EXPECT_FALSE(lying.allRest()) << "they have not been seen to be still for long enough";
  lying.run(180);
  ASSERT_TRUE(lying.allRest());
  const std::uint64_t hash = lying.world.stateHash();
  const std::size_t contacts = lying.world.tick().contacts.size();
  lying.run(1000);
  EXPECT_TRUE(lying.allRest());
  EXPECT_EQ(lying.world.stateHash(), hash);
  EXPECT_EQ(lying.world.tick().contacts.size(), contacts);
  EXPECT_GE(lying.world.tick().report.contacts, 11);
  EXPECT_EQ(lying.world.tick().report.islands, 2);
  EXPECT_TRUE(lying.world.tick().report.converged);
  EXPECT_NEAR(lying.world.tick().time, 1.2, 1e-12);
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
  lying.world.apply(Place{lying.lower, Pose::at({-0.3, 0, kHalf})});
  lying.run(300);
  EXPECT_NEAR(lying.placeOf(lying.upper).z(), kHalf, 1e-8);
}

TEST(Rest, MovingPartWakesWhatItIsAboutToTouch) {
  // Dropped on the cube that lies alone: without waking it would go through or stand on a part that is not
  // pressed.
  Lying lying;
  lying.world.apply(Place{lying.upper, Pose::at({0.3 + 0.018, 0, 0.3})});
  int overlaps = 0;
  for (int k = 0; k < 800; ++k) {
    lying.world.step();
    overlaps += lying.world.tick().report.penetration > 1e-8;
  }
  EXPECT_EQ(overlaps, 0);
  EXPECT_LT(lying.placeOf(lying.upper).z(), 0.1);
  const double weight = 9.81 * lying.world.body(lying.beside).mass.mass;
  EXPECT_NEAR(lying.loadOf(lying.beside) + lying.loadOf(lying.upper), 2 * weight, 1e-3 * weight);
}

TEST(Rest, OnWhatMovesByItselfNothingRests) {
  World world({}, makeBulletCollider());
  BodyDescription belt = cube({0, 0, 0}, Motion::kinematic);
  belt.v = {0.01, 0, 0};
  world.addBody(belt);
  const BodyId part = world.addBody(cube({0, 0, 2 * kHalf}));
  world.setSurfaces(MaterialId{0}, MaterialId{0}, {.friction = 0.5});
  for (int k = 0; k < 1000; ++k) world.step();
  EXPECT_NEAR(world.tick().bodies[part.value].X_WC.p.x(), 0.01, 1e-4);
}

TEST(Rest, SnapshotOfPartsAtRestGoesOnWithTheSameBytes) {
  const auto disturb = [](Lying& lying) {
    lying.run(7);
    lying.world.apply(Grab{lying.hand, lying.upper, Pose::at(lying.placeOf(lying.upper))});
    lying.world.apply(MoveHand{lying.hand, Pose::at({0.002, 0, 3 * kHalf + 0.001})});
    lying.run(200);
    return lying.world.stateHash();
  };
  // Before they rest, in the step in which they begin to, and after.
  for (int before = 60; before < 160; before += 9) {
    Lying going;
    going.run(before);
    const auto snapshot = going.world.snapshot();
    Lying other;
    other.run(3);
    other.world.restore(*snapshot);
    EXPECT_EQ(disturb(going), disturb(other)) << before;
  }
}

TEST(Rest, WhatSwingsThroughAStandstillDoesNotRest) {
  // Thrown up along a slope without friction: it stands still for a moment, and comes back.
  World world({}, makeBulletCollider());
  BodyDescription slope;
  slope.shape = HalfSpace{};
  slope.motion = Motion::fixed;
  slope.X_WP.q = exponential({0, 0.3, 0});
  world.addBody(slope);
  BodyDescription part = cube(slope.X_WP.q * Vector3d(0, 0, kHalf));
  part.X_WP.q = slope.X_WP.q;
  part.v = slope.X_WP.q * Vector3d(-0.1, 0, 0);
  const BodyId id = world.addBody(part);
  for (int k = 0; k < 1000; ++k) world.step();
  EXPECT_GT((slope.X_WP.q.conjugate() * world.tick().bodies[id.value].X_WC.p).x(), 0.5);
}

}  // namespace
}  // namespace tenon::physics
