// Block with holess and what is not round, through the collider: in both orders, anywhere in the world.
#include <gtest/gtest.h>

#include <algorithm>

#include "physics/collision/bullet/bullet_collider.h"
#include "tests/physics/block_pairs.h"
#include "tests/support/share.h"

namespace tenon::physics {
namespace {

using test::Pairing;
using test::Random;

constexpr double kRange = 1e-3;

ContactSet contactsOf(Collider& collider, const Pose& X_WI, const Pose& X_WJ) {
  ContactSet found;
  collider.findContacts({BodyId{0}, BodyId{1}}, X_WI, X_WJ, kRange, found);
  return found;
}

std::unique_ptr<Collider> colliderOf(const Shape& i, const Shape& j) {
  auto collider = makeBulletCollider();
  collider->addBody(i, Vector3d::Zero(), true);
  collider->addBody(j, Vector3d::Zero(), true);
  return collider;
}

double least(const ContactSet& contacts) {
  double separation = kRange;
  for (const Contact& c : contacts) separation = std::min(separation, c.separation);
  return separation;
}

struct Case {
  Shape moving, standing;
  Pairing pairing;
};

std::vector<Case> cases() {
  const BlockWithHoles block = test::boredBlock(1e-4);
  const Vector3d h(0.0015, 0.001, 0.004);
  std::vector<Vector3d> tip{{0, 0, -0.006}, {0.002, 0, 0.01}, {-0.001, 0.002, 0.01}, {-0.001, -0.002, 0.01}};
  const SolidOfRevolution screw = test::pegs()[2];
  return {{Box{h}, block, test::hullInBlock("box", test::boxCorners(h), block)},
          {Hull{tip}, block, test::hullInBlock("hull", tip, block)},
          {Capsule{0.0012, 0.006}, block, test::capsuleInBlock("capsule", 0.0012, 0.006, block)},
          {Capsule{0.0012, 0.006}, screw, test::capsuleAtTurned("capsule and screw", 0.0012, 0.006, screw)},
          {test::smallBlock(), block, test::blockInBlock("block", test::smallBlock(), block)}};
}

TEST(BlockCollider, EveryPairIsExactInBothOrdersAndInAnyFrame) {
  Random random(77);
  for (const Case& one : cases()) {
    const auto forth = colliderOf(one.moving, one.standing), back = colliderOf(one.standing, one.moving);
    for (int k = 0; k < 60 / test::kShare;) {
      SCOPED_TRACE(one.pairing.name + ", seed 77, pose " + std::to_string(k));
      test::ApproachToBlock approach = test::approachToBlock(one.pairing, random);
      if (!test::bringNear(one.pairing, std::pow(10, random.between(-7, -4)), approach)) continue;
      ++k;
      const Pose X_WK{exponential(random.vector()), random.vector()};
      const Pose X_WP = X_WK * approach.X_KP;
      const double expected = test::least(one.pairing, approach.X_KP);
      ASSERT_LE(expected, kRange);
      const ContactSet a = contactsOf(*forth, X_WP, X_WK), b = contactsOf(*back, X_WK, X_WP);
      ASSERT_NEAR(least(a), expected, 1e-12);
      ASSERT_NEAR(least(b), expected, 1e-12);
      for (const ContactSet* set : {&a, &b})
        for (std::size_t i = 1; i < set->size(); ++i) ASSERT_LT((*set)[i - 1].feature, (*set)[i].feature);
      // Normals lead from the first body into the second.
      for (const Contact& c : a) ASSERT_LT(std::abs(c.n.norm() - 1), 1e-12);
      const auto nearer = [](const Contact& x, const Contact& y) { return x.separation < y.separation; };
      const Contact c = *std::min_element(a.begin(), a.end(), nearer);
      const Pose moved{X_WP.q, X_WP.p + 1e-9 * c.n};
      ASSERT_LT(least(contactsOf(*forth, moved, X_WK)), expected);
    }
  }
}

}  // namespace
}  // namespace tenon::physics
