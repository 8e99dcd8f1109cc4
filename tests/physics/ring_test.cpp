// Rings: solids of revolution with a closed profile, against brute force and against blocks with the same
// hole.
#include <gtest/gtest.h>

#include <algorithm>

#include "physics/body/mass_properties.h"
#include "physics/collision/bullet/bullet_collider.h"
#include "tests/physics/revolved_parts.h"
#include "tests/support/revolved_reference.h"

namespace tenon::physics::ring_test {
namespace {

using test::Random;
using Contacts = std::vector<SurfaceContact>;

// A bush Ø 20 × 20 mm about the origin, its bore as wide as that of boredBlock() and with the same lead-in.
SolidOfRevolution bush(double clearance) {
  const double r = 0.005 + clearance / 2;
  return {{{-0.01, r}, {-0.01, 0.01}, {0.01, 0.01}, {0.01, r + 0.0015}, {0.0085, r}, {-0.01, r}}, "bore"};
}

double least(const Contacts& contacts) {
  double separation = 1;
  for (const SurfaceContact& c : contacts) separation = std::min(separation, c.separation);
  return separation;
}

TEST(Ring, IsDistinguishedFromASolidPart) {
  EXPECT_TRUE(isRing(bush(1e-4)));
  EXPECT_EQ(problemWith(bush(1e-4)), std::nullopt);
  for (const SolidOfRevolution& peg : test::pegs()) EXPECT_FALSE(isRing(peg));
}

TEST(Ring, InvalidProfilesAreRefused) {
  SolidOfRevolution inwards = bush(0);
  std::reverse(inwards.profile.begin(), inwards.profile.end());
  EXPECT_NE(problemWith(inwards).value_or("").find("run up outside"), std::string::npos);
  SolidOfRevolution open = bush(0);
  open.profile.pop_back();
  EXPECT_NE(problemWith(open).value_or("").find("start and end on the axis"), std::string::npos);
  SolidOfRevolution crossed = bush(0);
  std::swap(crossed.profile[1], crossed.profile[2]);
  EXPECT_NE(problemWith(crossed), std::nullopt);
  const SolidOfRevolution onAxis{{{0, 1e-12}, {0, 0.01}, {0.01, 0.01}, {0, 1e-12}}};
  EXPECT_NE(problemWith(onAxis).value_or("").find("touches the axis"), std::string::npos);
  const SolidOfRevolution folded{{{0, 0.01}, {0, 0.02}, {0.01, 0.02}, {0, 0.015}, {0, 0.012}, {0, 0.01}}};
  EXPECT_NE(problemWith(folded), std::nullopt);
}

TEST(Ring, DistancesOfPointsAreThoseOfBruteForce) {
  Random random(41);
  const SolidOfRevolution ring = bush(1e-4);
  const RevolvedGeometry geometry = prepare(ring);
  int inside = 0;
  for (int k = 0; k < 20000; ++k) {
    const Vector3d p(random.between(-0.013, 0.013), random.between(-0.013, 0.013),
                     random.between(-0.013, 0.013));
    const SurfaceHit hit = nearestOn(geometry, p);
    ASSERT_NEAR(hit.distance, test::referenceDistance(ring, p), 1e-15) << p.transpose();
    inside += hit.distance < 0 ? 1 : 0;
  }
  EXPECT_GT(inside, 1000);
}

// The bore of the block in which the same peg has been proven: the same distances wherever the tip is in it.
TEST(Ring, APegInItsBoreIsHeldAsInTheSameHoleOfABlock) {
  Random random(42);
  const RevolvedGeometry peg = prepare(test::cylinder(0.005, 0.06));
  for (const double clearance : {1e-3, 1e-5, 0.0, -1e-5}) {
    BlockWithHoles block;
    block.halfExtents = {0.02, 0.02, 0.01};
    block.cavities = {test::boredBlock(clearance).cavities[0]};
    const BlockGeometry inBlock = prepare(block);
    const RevolvedGeometry inRing = prepare(bush(clearance));
    for (int k = 0; k < 200; ++k) {
      const double aside = 0.4 * std::max(clearance, 1e-5), tilt = aside / 0.02;
      const Pose X{
          exponential(random.between(0, tilt) * random.direction()),
          {random.between(-aside, aside), random.between(-aside, aside), random.between(-0.009, 0.008)}};
      Contacts one, two;
      revolvedBlockContacts(peg, inBlock, X, 2e-3, one);
      revolvedRevolvedContacts(peg, inRing, X, 2e-3, two);
      // Fixed phases and minima at the bore: the numbers of features differ, the distances do not.
      ASSERT_NEAR(least(one), least(two), 1e-15) << "clearance " << clearance << ", pose " << k;
      ASSERT_EQ(one.size(), two.size()) << "clearance " << clearance << ", pose " << k;
    }
  }
}

TEST(Ring, LeastDistanceToSolidsOfRevolutionIsThatOfBruteForce) {
  Random random(43);
  const SolidOfRevolution ring = bush(1e-3);
  const RevolvedGeometry b = prepare(ring);
  int compared = 0;
  for (const SolidOfRevolution& peg : test::pegs()) {
    const RevolvedGeometry a = prepare(peg);
    for (int k = 0; k < 6; ++k) {
      const Pose X{exponential(random.vector()), 0.04 * random.vector()};
      const double expected = test::referenceSeparation(peg, ring, X);
      if (expected <= 1e-6) continue;
      Contacts contacts;
      revolvedRevolvedContacts(a, b, X, 1, contacts);
      EXPECT_NEAR(least(contacts), expected, 1e-9) << k;
      ++compared;
    }
  }
  EXPECT_GE(compared, 15);
}

// A shaft in the middle of a ring overlaps nothing, though its axis is the ring's.
TEST(Ring, WhatGoesThroughItsHoleDoesNotOverlapIt) {
  const RevolvedGeometry ring = prepare(bush(1e-3)), shaft = prepare(test::cylinder(0.004, 0.1));
  Contacts contacts;
  revolvedRevolvedContacts(shaft, ring, Pose::at({0, 0, -0.05}), 2e-3, contacts);
  EXPECT_FALSE(contacts.empty());
  EXPECT_GT(least(contacts), 1e-3);
  // And one that pierces its wall does.
  contacts.clear();
  revolvedRevolvedContacts(prepare(test::cylinder(0.001, 0.1)), ring, Pose::at({0.008, 0, -0.05}), 1e-3,
                           contacts);
  EXPECT_LT(least(contacts), 0);
}

TEST(Ring, WeighsAsTheCylinderLessItsHole) {
  const SolidOfRevolution ring{{{-0.01, 0.005}, {-0.01, 0.01}, {0.01, 0.01}, {0.01, 0.005}, {-0.01, 0.005}}};
  const MassProperties whole = massProperties(Cylinder{0.01, 0.01}, 7850),
                       hole = massProperties(Cylinder{0.005, 0.01}, 7850), m = massProperties(ring, 7850);
  EXPECT_NEAR(m.mass, whole.mass - hole.mass, 1e-15);
  EXPECT_LE(m.center.norm(), 1e-15);
  EXPECT_LE((m.inertia - (whole.inertia - hole.inertia)).norm(), 1e-18);
}

TEST(Ring, ABoxOnItsFaceIsHeldByThreePointsOrMore) {
  const auto collider = makeBulletCollider();
  collider->addBody(bush(1e-4), Vector3d::Zero(), true);
  collider->addBody(Box{{0.02, 0.02, 0.005}}, Vector3d::Zero(), true);
  ContactSet contacts;
  collider->findContacts({BodyId{0}, BodyId{1}}, Pose{}, Pose::at({0.002, 0, 0.015}), 1e-6, contacts);
  int touching = 0;
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.separation, 0, 1e-12);
    touching += c.n.z() > 0.999 ? 1 : 0;
  }
  EXPECT_GE(touching, 3);
}

}  // namespace
}  // namespace tenon::physics::ring_test
