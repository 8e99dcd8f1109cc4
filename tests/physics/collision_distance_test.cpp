// Distances between all kinds of convex shapes, proven by duality: the points named lie on the parts
// (so the distance is no larger) and a plane separates the parts by as much (so it is no smaller).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "physics/collision/bullet/bullet_collider.h"
#include "tests/support/solid.h"

namespace tenon::collision_distance_test {
namespace {

using namespace physics;

constexpr unsigned kSeed = 20240611;

// Draws in an order that is the same for all compilers: at most one in an argument of a function, and
// braces (left to right) around several.
class Rng {
 public:
  explicit Rng(unsigned seed) : engine_(seed) {}
  double in(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vector3d direction() {
    std::normal_distribution<double> normal;
    const double x = normal(engine_), y = normal(engine_), z = normal(engine_);
    return Vector3d(x, y, z).normalized();
  }
  Vector3d vector(double shortest, double longest) {
    const double length = in(shortest, longest);
    return length * direction();
  }
  Quaterniond rotation() { return exponential(vector(0, 3.1)); }

 private:
  std::mt19937 engine_;
};

const char* const kKinds[] = {"box", "sphere", "cylinder", "capsule", "frustum", "hull"};

// Sizes of some millimeters.
Shape randomShape(int kind, Rng& rng) {
  const double a = rng.in(2e-3, 2e-2), b = rng.in(2e-3, 2e-2), c = rng.in(2e-3, 2e-2);
  switch (kind) {
    case 0:
      return Box{{a, b, c}};
    case 1:
      return Sphere{a};
    case 2:
      return Cylinder{a, b};
    case 3:
      return Capsule{a, b};
    case 4:
      return Frustum{a, a < 4e-3 ? 0.0 : c, b};
    default:
      break;
  }
  Hull hull;
  // A core that surely holds the origin, and corners anywhere.
  for (int k = 0; k < 3; ++k) {
    hull.vertices.push_back(5e-3 * Vector3d::Unit(k));
    hull.vertices.push_back(-5e-3 * Vector3d::Unit(k));
  }
  for (int k = 0; k < 9; ++k) hull.vertices.push_back(rng.vector(5e-3, 1.5e-2));
  return hull;
}

// A collider with two bodies, the first one movable.
struct Pair {
  Shape a, b;
  std::unique_ptr<Collider> collider = makeBulletCollider();
  Pair(const Shape& first, const Shape& second) : a(first), b(second) {
    collider->addBody(a, Vector3d::Zero(), true);
    collider->addBody(b, Vector3d::Zero(), true);
  }
  ContactSet at(const Pose& X_WA, const Pose& X_WB, double range) const {
    ContactSet contacts;
    collider->findContacts({BodyId{0}, BodyId{1}}, X_WA, X_WB, range, contacts);
    return contacts;
  }
};

const Contact& nearest(const ContactSet& contacts) {
  return *std::min_element(contacts.begin(), contacts.end(),
                           [](const Contact& a, const Contact& b) { return a.separation < b.separation; });
}

class EveryPairOfKinds : public testing::TestWithParam<int> {
 protected:
  int kindA() const { return GetParam() / 6; }
  int kindB() const { return GetParam() % 6; }
  // Closed forms carry most pairs, and are exact to rounding. The search for the widest plane ends where its
  // points face each other to 1e-10, or from far away where rounding hides the rest [m].
  static constexpr double kTolerance = 1e-9;
};

TEST_P(EveryPairOfKinds, NearestContactIsProvenByPointsAndPlane) {
  Rng rng(kSeed + static_cast<unsigned>(GetParam()));
  double worst = 0;
  for (int trial = 0; trial < 120; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed + GetParam() << " trial " << trial);
    const Pair pair{randomShape(kindA(), rng), randomShape(kindB(), rng)};
    const Pose X_WA{rng.rotation(), 0.1 * rng.direction()};
    Pose X_WB{rng.rotation(), X_WA.p + rng.vector(0.05, 0.09)};
    const ContactSet far = pair.at(X_WA, X_WB, 1.0);
    ASSERT_FALSE(far.empty());
    const Contact first = nearest(far);
    // Then nearer, by known steps along the first normal.
    for (double target : {first.separation, 1e-3, 1e-5, 1e-7, 1e-9, 0.0, -1e-7, -1e-5}) {
      Pose X_WB2 = X_WB;
      X_WB2.p -= (first.separation - target) * first.n;
      const ContactSet contacts = pair.at(X_WA, X_WB2, std::max(2 * target, 1e-4));
      ASSERT_FALSE(contacts.empty()) << "target " << target;
      const Contact c = nearest(contacts);
      double lower = -1;  // of contacts as near as this one, which where edges touch are several
      for (const Contact& d : contacts) {
        if (d.separation > c.separation + kTolerance) continue;
        lower = std::max(lower, tests::separation(pair.a, X_WA, pair.b, X_WB2, d.n));
      }
      const double offA = tests::outside(pair.a, X_WA, c.p - 0.5 * c.separation * c.n);
      const double offB = tests::outside(pair.b, X_WB2, c.p + 0.5 * c.separation * c.n);
      if (target < 0) {
        // Past touching the shortest direction out may lead elsewhere; sharp corners may even pass by.
        EXPECT_TRUE(c.separation < 0 || lower >= c.separation - kTolerance)
            << c.separation << " target " << target;
        EXPECT_GE(c.separation, 20 * target);
        continue;
      }
      worst = std::max({worst, std::abs(c.separation - target), offA, offB});
      EXPECT_NEAR(c.separation, target, kTolerance)
          << "target " << target << " feature " << std::hex << c.feature;
      EXPECT_GE(lower, target - kTolerance) << "target " << target;
      EXPECT_LE(offA, kTolerance) << "target " << target;
      EXPECT_LE(offB, kTolerance) << "target " << target;
      EXPECT_NEAR(c.n.norm(), 1, 1e-12) << "target " << target << " feature " << std::hex << c.feature;
    }
  }
  RecordProperty("worst_error_m", std::to_string(worst));
  std::printf("%s-%s worst error %.2e m\n", kKinds[kindA()], kKinds[kindB()], worst);
}

TEST_P(EveryPairOfKinds, DeepOverlapHasASeparatingDirection) {
  Rng rng(kSeed + 100 + static_cast<unsigned>(GetParam()));
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed + 100 + GetParam() << " trial " << trial);
    const Pair pair{randomShape(kindA(), rng), randomShape(kindB(), rng)};
    const Pose X_WA{rng.rotation(), Vector3d::Zero()};
    const Pose X_WB{rng.rotation(), rng.vector(0, 1e-3)};
    const ContactSet contacts = pair.at(X_WA, X_WB, 1e-4);
    ASSERT_FALSE(contacts.empty());
    const Contact deepest = nearest(contacts);
    EXPECT_LT(deepest.separation, 0);
    for (const Contact& c : contacts)
      EXPECT_TRUE(c.p.allFinite() && c.n.allFinite() && std::isfinite(c.separation));
    // Moving apart along the normal by the depth ends the overlap.
    EXPECT_GE(tests::separation(pair.a, X_WA, pair.b, X_WB, deepest.n) - deepest.separation, -1e-9);
  }
}

TEST_P(EveryPairOfKinds, SwappedBodiesHaveTheSameContacts) {
  Rng rng(kSeed + 200 + static_cast<unsigned>(GetParam()));
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed + 200 + GetParam() << " trial " << trial);
    const Shape a = randomShape(kindA(), rng), b = randomShape(kindB(), rng);
    const Pose X_WA{rng.rotation(), Vector3d::Zero()};
    const Pose X_WB{rng.rotation(), rng.vector(0.005, 0.04)};
    const ContactSet forth = Pair(a, b).at(X_WA, X_WB, 2e-3), back = Pair(b, a).at(X_WB, X_WA, 2e-3);
    ASSERT_EQ(forth.empty(), back.empty());
    if (forth.empty() || nearest(forth).separation < 0) continue;
    EXPECT_EQ(forth.size(), back.size());
    EXPECT_NEAR(nearest(forth).separation, nearest(back).separation, 1e-9);
  }
}

TEST_P(EveryPairOfKinds, MovingBothPartsMovesTheContacts) {
  Rng rng(kSeed + 300 + static_cast<unsigned>(GetParam()));
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed + 300 + GetParam() << " trial " << trial);
    const Pair pair{randomShape(kindA(), rng), randomShape(kindB(), rng)};
    const Pose X_WA{rng.rotation(), Vector3d::Zero()};
    const Pose X_WB{rng.rotation(), rng.vector(0.02, 0.04)};
    const Pose X_VW{rng.rotation(), rng.vector(0, 1)};
    const ContactSet here = pair.at(X_WA, X_WB, 2e-3), there = pair.at(X_VW * X_WA, X_VW * X_WB, 2e-3);
    if (!here.empty() && nearest(here).separation < 1e-6) continue;  // a search may start elsewhere
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t k = 0; k < here.size(); ++k) {
      EXPECT_EQ(here[k].feature, there[k].feature);
      EXPECT_NEAR(here[k].separation, there[k].separation, 1e-9);
      EXPECT_LT((X_VW.q * here[k].n - there[k].n).norm(), 1e-5);
    }
  }
}

TEST_P(EveryPairOfKinds, LargerRangeOnlyAdds) {
  Rng rng(kSeed + 400 + static_cast<unsigned>(GetParam()));
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed + 400 + GetParam() << " trial " << trial);
    const Pair pair{randomShape(kindA(), rng), randomShape(kindB(), rng)};
    const Pose X_WA{rng.rotation(), Vector3d::Zero()};
    const Pose X_WB{rng.rotation(), rng.vector(0.005, 0.04)};
    const ContactSet few = pair.at(X_WA, X_WB, 1e-3), many = pair.at(X_WA, X_WB, 5e-3);
    for (const Contact& c : few) {
      const auto same =
          std::find_if(many.begin(), many.end(), [&](const Contact& d) { return d.feature == c.feature; });
      ASSERT_NE(same, many.end());
      EXPECT_EQ(same->separation, c.separation);
      EXPECT_EQ(same->p, c.p);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryPairOfKinds, testing::Range(0, 36), [](const auto& kinds) {
  return std::string(kKinds[kinds.param / 6]) + "_" + kKinds[kinds.param % 6];
});

}  // namespace
}  // namespace tenon::collision_distance_test
