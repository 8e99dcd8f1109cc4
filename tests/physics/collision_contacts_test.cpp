// What the collider promises beyond distances: enough points to hold a part still, no memory, pairs
// that depend on nothing but the bounds, and no allocation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <set>

#include "physics/collision/bullet/bullet_collider.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/convex_overlap.h"

namespace tenon {
namespace {

using namespace physics;

constexpr unsigned kSeed = 20240613;

Pose at(double x, double y, double z) {
  return {Quaterniond::Identity(), {x, y, z}};
}
Pose turnedAt(const Vector3d& phi, double x, double y, double z) {
  return {exponential(phi), {x, y, z}};
}

// Contacts of two shapes.
ContactSet contactsOf(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, double range) {
  const auto collider = makeBulletCollider();
  collider->addBody(a, Vector3d::Zero(), false);
  collider->addBody(b, Vector3d::Zero(), true);
  ContactSet contacts;
  collider->findContacts({BodyId{0}, BodyId{1}}, X_WA, X_WB, range, contacts);
  return contacts;
}

// Every ground a part may stand on: its top at z = 0.
struct Ground {
  const char* name;
  Shape shape;
  Pose X;
};
const Ground kGrounds[] = {
    {"plane", HalfSpace{}, Pose{}},
    {"plate", Box{{50e-3, 50e-3, 5e-3}}, at(0, 0, -5e-3)},
    {"disc", Cylinder{50e-3, 5e-3}, at(0, 0, -5e-3)},
    {"holed", FacetedBlock{{50e-3, 50e-3, 5e-3}, {{"h", {0, 0}, 1e-3, 0, 0, 1}}, 64}, at(0, 0, -5e-3)},
};

class StandingOn : public testing::TestWithParam<Ground> {
 protected:
  ContactSet of(const Shape& shape, const Pose& X) const {
    return contactsOf(GetParam().shape, GetParam().X, shape, X, 1e-6);
  }
  static void expectUpAndTouching(const ContactSet& contacts) {
    for (const Contact& c : contacts) {
      EXPECT_NEAR(c.separation, 0, 1e-15);
      EXPECT_LT((c.n - Vector3d::UnitZ()).norm(), 1e-12);
      EXPECT_NEAR(c.p.z(), 0, 1e-15);
    }
  }
};

TEST_P(StandingOn, BoxHasItsFourCorners) {
  const ContactSet contacts = of(Box{{10e-3, 8e-3, 4e-3}}, turnedAt({0, 0, 0.2}, 1e-3, 2e-3, 4e-3));
  ASSERT_EQ(contacts.size(), 4u);
  expectUpAndTouching(contacts);
  for (const Contact& c : contacts)
    EXPECT_NEAR((c.p - Vector3d(1e-3, 2e-3, 0)).norm(), std::hypot(10e-3, 8e-3), 1e-12);
}

TEST_P(StandingOn, CylinderOnItsCapHasEightPointsAllAround) {
  const ContactSet contacts = of(Cylinder{8e-3, 10e-3}, at(3e-3, 0, 10e-3));
  ASSERT_EQ(contacts.size(), 8u);
  expectUpAndTouching(contacts);
  Vector3d mean = Vector3d::Zero();
  for (const Contact& c : contacts) mean += c.p / 8;
  EXPECT_LT((mean - Vector3d(3e-3, 0, 0)).norm(), 1e-12);
}

TEST_P(StandingOn, CylinderOnItsSideHasItsTwoEnds) {
  const ContactSet contacts = of(Cylinder{3e-3, 20e-3}, turnedAt({M_PI_2, 0, 0}, 5e-3, 0, 3e-3));
  ASSERT_EQ(contacts.size(), 2u);
  expectUpAndTouching(contacts);
  EXPECT_NEAR((contacts[0].p - contacts[1].p).norm(), 40e-3, 1e-12);
}

TEST_P(StandingOn, CapsuleOnItsSideHasItsTwoEnds) {
  const ContactSet contacts = of(Capsule{3e-3, 20e-3}, turnedAt({M_PI_2, 0, 0}, 5e-3, 0, 3e-3));
  ASSERT_EQ(contacts.size(), 2u);
  expectUpAndTouching(contacts);
}

TEST_P(StandingOn, FrustumOnItsConeHasTwoPoints) {
  // Lying on a generator line: the axis rises by the half angle.
  const double slope = std::atan2(2e-3, 20e-3);
  const Frustum cone{4e-3, 2e-3, 10e-3};
  const double height = 3e-3 * std::cos(slope);
  const ContactSet contacts = of(cone, turnedAt({M_PI_2 + slope, 0, 0}, 6e-3, 0, height));
  ASSERT_EQ(contacts.size(), 2u);
  for (const Contact& c : contacts) EXPECT_NEAR(c.separation, 0, 1e-12);
}

TEST_P(StandingOn, BallHasOnePoint) {
  EXPECT_EQ(of(Sphere{5e-3}, at(6e-3, 0, 5e-3)).size(), 1u);
}

TEST_P(StandingOn, SlightlyTiltedBoxKeepsItsFourPointsAndTheirNames) {
  const Box box{{10e-3, 8e-3, 4e-3}};
  const ContactSet flat = of(box, turnedAt({0, 0, 0.2}, 1e-3, 2e-3, 4e-3));
  const ContactSet tilted =
      of(box, {exponential({1e-6, -2e-6, 0}) * exponential({0, 0, 0.2}), {1e-3, 2e-3, 4e-3 + 2e-8}});
  ASSERT_EQ(tilted.size(), flat.size());
  for (std::size_t k = 0; k < flat.size(); ++k) EXPECT_EQ(flat[k].feature, tilted[k].feature);
}

INSTANTIATE_TEST_SUITE_P(Grounds, StandingOn, testing::ValuesIn(kGrounds),
                         [](const auto& ground) { return std::string(ground.param.name); });

TEST(Manifold, CrossedBeamsTouchAtFourCrossings) {
  const Box beam{{30e-3, 4e-3, 3e-3}};
  const ContactSet contacts = contactsOf(beam, at(0, 0, 0), beam, turnedAt({0, 0, M_PI_2}, 0, 0, 6e-3), 1e-6);
  ASSERT_EQ(contacts.size(), 4u);
  for (const Contact& c : contacts) {
    EXPECT_NEAR(std::abs(c.p.x()), 4e-3, 1e-12);
    EXPECT_NEAR(std::abs(c.p.y()), 4e-3, 1e-12);
    EXPECT_NEAR(c.separation, 0, 1e-15);
  }
}

TEST(Manifold, ShallowlyOverlappingCrossedBeamsStillHaveFourPoints) {
  const Box beam{{30e-3, 4e-3, 3e-3}};
  const ContactSet contacts =
      contactsOf(beam, at(0, 0, 0), beam, turnedAt({0, 0, M_PI_2}, 0, 0, 6e-3 - 1e-6), 1e-6);
  ASSERT_EQ(contacts.size(), 4u);
  for (const Contact& c : contacts) EXPECT_NEAR(c.separation, -1e-6, 1e-15);
}

TEST(Manifold, CylindersSideBySideTouchAtTwoEnds) {
  const ContactSet contacts =
      contactsOf(Cylinder{4e-3, 20e-3}, Pose{}, Cylinder{3e-3, 10e-3}, at(7e-3, 0, 2e-3), 1e-6);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_NEAR(std::abs(contacts[0].p.z() - contacts[1].p.z()), 20e-3, 1e-12);
  for (const Contact& c : contacts) EXPECT_LT((c.n - Vector3d::UnitX()).norm(), 1e-12);
}

TEST(Manifold, CapsulesSideBySideTouchAtTwoEnds) {
  const ContactSet contacts =
      contactsOf(Capsule{4e-3, 20e-3}, Pose{}, Capsule{3e-3, 10e-3}, at(7e-3, 0, 2e-3), 1e-6);
  EXPECT_EQ(contacts.size(), 2u);
}

TEST(Manifold, CylinderAlongAnEdgeTouchesAtTwoEnds) {
  // Against the vertical edge of a box, out along the diagonal.
  const double d = 5e-3 + 2e-3 / std::sqrt(2.0);
  const ContactSet contacts =
      contactsOf(Box{{5e-3, 5e-3, 30e-3}}, Pose{}, Cylinder{2e-3, 8e-3}, at(d, d, 0), 1e-6);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_NEAR(std::abs(contacts[0].p.z() - contacts[1].p.z()), 16e-3, 1e-12);
}

TEST(Manifold, StackedCylindersOffCentreHoldTheirLens) {
  const ContactSet contacts =
      contactsOf(Cylinder{5e-3, 5e-3}, Pose{}, Cylinder{5e-3, 5e-3}, at(6e-3, 0, 10e-3), 1e-6);
  EXPECT_GE(contacts.size(), 4u);
  double width = 0;
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.separation, 0, 1e-15);
    EXPECT_LT((c.n - Vector3d::UnitZ()).norm(), 1e-12);
    width = std::max(width, std::abs(c.p.y()));
  }
  EXPECT_NEAR(width, 4e-3, 1e-9);  // the corners of the lens: √(5² − 3²)
}

TEST(Manifold, ScrewHeadRestsOnThePlateAroundItsHole) {
  FacetedBlock plate{{20e-3, 20e-3, 5e-3}, {{"h", {0, 0}, 4.2e-3, 0.4e-3, 0.4e-3, 1}}, 128};
  Compound screw;
  screw.children = {{Cylinder{6.5e-3, 4e-3}, at(0, 0, 4e-3)}, {Cylinder{4e-3, 15e-3}, at(0, 0, -15e-3)}};
  const ContactSet contacts = contactsOf(plate, Pose{}, screw, at(0, 0, 5e-3), 1e-6);
  ASSERT_EQ(contacts.size(), 8u);
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.separation, 0, 1e-15);
    EXPECT_NEAR(std::hypot(c.p.x(), c.p.y()), 6.5e-3, 1e-12);
  }
}

TEST(Manifold, FeaturesAreUniqueAndOrdered) {
  const ContactSet contacts =
      contactsOf(kGrounds[3].shape, kGrounds[3].X, Cylinder{8e-3, 10e-3}, at(3e-3, 0, 10e-3), 1e-3);
  for (std::size_t k = 1; k < contacts.size(); ++k) EXPECT_LT(contacts[k - 1].feature, contacts[k].feature);
}

/// Places `b`, turned by q, along `direction` from `from`, which is in `a`, so that they are in each other by
/// `depth`, by the shortest direction out.
Pose overlapping(const Vector3d& a, const Pose& X_WA, const Vector3d& b, const Quaterniond& q,
                 const Vector3d& from, const Vector3d& direction, double depth) {
  double in = 0.0, out = 0.1;  // so far apart they surely are in each other, and are not
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (in + out);
    const Pose X_WB{q, from + middle * direction};
    (tests::overlapOf(tests::boxBody(a, X_WA), tests::boxBody(b, X_WB)) > depth ? in : out) = middle;
  }
  return {q, from + in * direction};
}

double deepestOf(const ContactSet& contacts) {
  double deepest = 0;
  for (const Contact& c : contacts) deepest = std::min(deepest, c.separation);
  return deepest;
}

// Boxes that are in each other by a hair along an edge of each are millimeters below each other's faces.
TEST(Overlap, AcrossTwoEdgesIsNotMeasuredFromFacesFarAbove) {
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> size(5e-3, 2e-2), unit(-1, 1);
  const auto any = [&] { return Vector3d(unit(random), unit(random), unit(random)); };
  for (const double depth : {2e-8, 1e-6, 1e-5}) {
    int acrossEdges = 0;
    for (int trial = 0; trial < 500; ++trial) {
      const Vector3d a(size(random), size(random), size(random)), b(size(random), size(random), size(random));
      const Pose X_WA{exponential(3 * any()), Vector3d::Zero()};
      const Pose X_WB =
          overlapping(a, X_WA, b, exponential(3 * any()), Vector3d::Zero(), any().normalized(), depth);
      const ContactSet contacts = contactsOf(Box{a}, X_WA, Box{b}, X_WB, 1e-4);
      ASSERT_LE(deepestOf(contacts), -0.2 * depth) << "unseen; trial " << trial << ", seed " << kSeed;
      ASSERT_GE(deepestOf(contacts), -4.1 * depth - 2e-9) << "trial " << trial << ", seed " << kSeed;
      acrossEdges += contacts.size() == 1;
    }
    EXPECT_GT(acrossEdges, 50) << "no edges crossed: the test tests nothing";
  }
}

// Faces that all but lie on each other: across their edges they may be less in each other than along their
// normals; and where blocks lie in line, corners are near their sides.
TEST(Overlap, OfFacesThatAllButLieOnEachOtherIsSeen) {
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> size(5e-3, 2e-2), unit(-1, 1);
  for (const double depth : {1e-7, 1e-6, 1e-5})
    for (const double tilt : {1e-4, 9e-4, 3e-3, 3e-2})
      for (int trial = 0; trial < 400; ++trial) {
        const Vector3d a(size(random), size(random), size(random)),
            b(size(random), size(random), size(random));
        const bool inLine = trial % 2 == 1;
        const Vector3d turn(tilt * unit(random), tilt * unit(random), inLine ? 0 : 3 * unit(random));
        // Beside each other by up to half their sizes, or one or two of their sides in a plane but for 1 µm.
        Vector3d beside(0.5 * a.x() * unit(random), 0.5 * a.y() * unit(random), 0);
        if (inLine) beside.x() = a.x() - b.x() + 1e-6 * unit(random);
        if (trial % 4 == 3) beside.y() = b.y() - a.y() + 1e-6 * unit(random);
        const Pose X_WB = overlapping(a, Pose(), b, exponential(turn), beside, Vector3d::UnitZ(), depth);
        const double deepest = deepestOf(contactsOf(Box{a}, Pose(), Box{b}, X_WB, 1e-4));
        ASSERT_LE(deepest, -0.2 * depth)
            << "unseen; depth " << depth << ", tilt " << tilt << ", trial " << trial;
      }
}

TEST(Planes, ProveOfBoxesWhatIsTrueAndNothingElse) {
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> size(5e-3, 2e-2), unit(-1, 1);
  const auto any = [&] { return Vector3d(unit(random), unit(random), unit(random)); };
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector3d a(size(random), size(random), size(random)), b(size(random), size(random), size(random));
    const Pose X_WA{exponential(3 * any()), any()}, X_WB{exponential(3 * any()), X_WA.p + 0.04 * any()};
    const double apart = -tests::overlapOf(tests::boxBody(a, X_WA), tests::boxBody(b, X_WB));
    const auto collider = makeBulletCollider();
    const BodyPair pair{collider->addBody(Box{a}, Vector3d::Zero(), true),
                        collider->addBody(Box{b}, Vector3d::Zero(), true)};
    EXPECT_TRUE(collider->isSeparated(pair, X_WA, X_WB, apart - 1e-9)) << trial << ", seed " << kSeed;
    EXPECT_FALSE(collider->isSeparated(pair, X_WA, X_WB, apart + 1e-9)) << trial << ", seed " << kSeed;
  }
}

TEST(Planes, ProveNothingThatContactsDeny) {
  const Vector3d half(8e-3, 5e-3, 6e-3);
  const std::vector<Shape> shapes{Box{half},
                                  Cylinder{5e-3, 8e-3},
                                  Frustum{3e-3, 6e-3, 7e-3},
                                  Sphere{6e-3},
                                  Capsule{4e-3, 5e-3},
                                  FacetedBlock{{9e-3, 8e-3, 4e-3}, {{"h", {0, 0}, 3e-3, 0, 0, 1}}, 16},
                                  Compound{{{Box{half}, at(0, 0, 0)}, {Box{half}, at(9e-3, 0, 4e-3)}}},
                                  HalfSpace{}};
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto any = [&] { return Vector3d(unit(random), unit(random), unit(random)); };
  int proven = 0, met = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = 0; j + 1 < shapes.size(); ++j) {
      const auto collider = makeBulletCollider();
      const bool isPlane = i + 1 == shapes.size();
      const BodyPair pair{collider->addBody(shapes[i], Vector3d::Zero(), !isPlane),
                          collider->addBody(shapes[j], Vector3d::Zero(), true)};
      for (int trial = 0; trial < 60; ++trial) {
        const Pose X_WI{isPlane ? Quaterniond::Identity() : exponential(3 * any()), Vector3d::Zero()};
        const Pose X_WJ{exponential(3 * any()), 0.022 * any()};
        const double distance = 1e-3 * unit(random);
        if (!collider->isSeparated(pair, X_WI, X_WJ, distance)) continue;
        ++proven;
        ContactSet contacts;
        collider->findContacts(pair, X_WI, X_WJ, 2e-3, contacts);
        met += !contacts.empty();
        for (const Contact& c : contacts)
          ASSERT_GE(c.separation, distance - 1e-9)
              << i << ", " << j << ", trial " << trial << ", seed " << kSeed;
      }
    }
  EXPECT_GT(proven, 500);
  EXPECT_GT(met, 30) << "no contacts were near: the test tests nothing";
}

// Boxes are measured by closed forms, hulls by a search.
TEST(Overlap, OfBoxesIsThatOfTheirHulls) {
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> size(5e-3, 2e-2), unit(-1, 1);
  const auto any = [&] { return Vector3d(unit(random), unit(random), unit(random)); };
  const auto hullOf = [](const Vector3d& half) {
    Hull hull;
    for (int k = 0; k < 8; ++k)
      hull.vertices.emplace_back((k & 1 ? 1 : -1) * half.x(), (k & 2 ? 1 : -1) * half.y(),
                                 (k & 4 ? 1 : -1) * half.z());
    return hull;
  };
  int acrossEdges = 0;
  for (const double depth : {-1e-6, 0.0, 1e-6})
    for (int trial = 0; trial < 500; ++trial) {
      const Vector3d a(size(random), size(random), size(random)), b(size(random), size(random), size(random));
      const Pose X_WA{exponential(3 * any()), Vector3d::Zero()};
      const Quaterniond q = trial % 2 ? exponential(3 * any()) : exponential(2e-2 * any()) * X_WA.q;
      const Pose X_WB = overlapping(a, X_WA, b, q, Vector3d::Zero(), any().normalized(), depth);
      const ContactSet boxes = contactsOf(Box{a}, X_WA, Box{b}, X_WB, 1e-4);
      const ContactSet hulls = contactsOf(hullOf(a), X_WA, hullOf(b), X_WB, 1e-4);
      ASSERT_EQ(boxes.size(), hulls.size()) << trial << ", seed " << kSeed;
      acrossEdges += boxes.size() == 1;
      for (const Contact& box : boxes) {
        const auto isSame = [&](const Contact& hull) {
          return (box.p - hull.p).norm() < 1e-7 && (box.n - hull.n).norm() < 1e-6 &&
                 std::abs(box.separation - hull.separation) < 1e-9;
        };
        EXPECT_TRUE(std::any_of(hulls.begin(), hulls.end(), isSame)) << trial << ", seed " << kSeed;
      }
    }
  EXPECT_GT(acrossEdges, 100);
}

TEST(ExactTouch, FlatPairsGiveFiniteContacts) {
  const Shape shapes[] = {Box{{5e-3, 5e-3, 5e-3}}, Cylinder{5e-3, 5e-3}, Frustum{5e-3, 5e-3, 5e-3},
                          Capsule{5e-3, 2e-3}};
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      for (double gap : {0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9}) {
        for (const Vector3d& direction : {Vector3d(10e-3, 0, 0), Vector3d(0, 0, 10e-3)}) {
          const bool capsules = a.index() == 3 || b.index() == 3;
          if (capsules && direction.z() > 0) continue;
          const Pose X = Pose::at(direction + gap * direction.normalized());
          const ContactSet contacts = contactsOf(a, Pose{}, b, X, 1e-6);
          ASSERT_FALSE(contacts.empty());
          for (const Contact& c : contacts) {
            EXPECT_TRUE(c.p.allFinite() && c.n.allFinite());
            EXPECT_NEAR(c.separation, gap, 1e-11);
            EXPECT_GT(c.n.dot(direction.normalized()), 0.9999);
          }
        }
      }
    }
  }
}

TEST(ExactTouch, CoincidentPartsOverlapByAFiniteDepth) {
  const Shape shapes[] = {Box{{5e-3, 5e-3, 5e-3}}, Cylinder{5e-3, 8e-3}, Sphere{5e-3}, Capsule{5e-3, 2e-3},
                          Frustum{5e-3, 0, 5e-3}};
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      const ContactSet contacts = contactsOf(a, Pose{}, b, Pose{}, 1e-6);
      ASSERT_FALSE(contacts.empty()) << a.index() << " " << b.index();
      for (const Contact& c : contacts)
        EXPECT_TRUE(c.p.allFinite() && c.n.allFinite() && std::isfinite(c.separation));
      EXPECT_TRUE(std::any_of(contacts.begin(), contacts.end(),
                              [](const Contact& c) { return c.separation < -1e-3; }));
    }
  }
}

// A scene of many kinds with a plane.
struct Scene {
  std::unique_ptr<Collider> collider = makeBulletCollider();
  std::vector<Pose> poses;
  std::vector<double> reach;
  std::vector<char> movable;

  void add(const Shape& shape, bool canMove) {
    collider->addBody(shape, Vector3d::Zero(), canMove);
    poses.emplace_back();
    reach.push_back(1e-4);
    movable.push_back(canMove);
  }
  Scene() {
    add(HalfSpace{}, false);
    add(FacetedBlock{{30e-3, 30e-3, 5e-3}, {{"h", {0, 0}, 4.2e-3, 0.4e-3, 0.4e-3, 1}}, 32}, false);
    for (int k = 0; k < 4; ++k) {
      add(Box{{4e-3, 5e-3, 6e-3}}, true);
      add(Cylinder{4e-3, 12e-3}, true);
      add(Sphere{5e-3}, true);
      add(Frustum{4e-3, 1e-3, 6e-3}, true);
    }
  }
  void shuffle(std::mt19937& engine) {
    const auto in = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); };
    for (std::size_t k = 2; k < poses.size(); ++k) {
      poses[k] = {exponential({in(-2, 2), in(-2, 2), in(-2, 2)}),
                  {in(-30e-3, 30e-3), in(-30e-3, 30e-3), in(0, 40e-3)}};
      reach[k] = in(0, 2e-3);
    }
  }
};

TEST(Pairs, AreThoseOfTheBoundsWhateverWasQueriedBefore) {
  std::mt19937 engine(kSeed);
  Scene scene;
  std::vector<BodyPair> pairs, again;
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " trial " << trial);
    scene.shuffle(engine);
    scene.collider->findPairs(scene.poses, scene.reach, pairs);
    Scene fresh;
    fresh.collider->findPairs(scene.poses, scene.reach, again);
    EXPECT_EQ(pairs, again);
    EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
    for (const BodyPair& pair : pairs) {
      EXPECT_LT(pair.i, pair.j);
      EXPECT_TRUE(scene.movable[static_cast<std::size_t>(pair.i.value)] ||
                  scene.movable[static_cast<std::size_t>(pair.j.value)]);
    }
  }
}

TEST(Pairs, NoneIsMissedWithinTheMargin) {
  std::mt19937 engine(kSeed + 1);
  Scene scene;
  std::vector<BodyPair> pairs;
  ContactSet contacts;
  int found = 0;
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed + 1 << " trial " << trial);
    scene.shuffle(engine);
    scene.collider->findPairs(scene.poses, scene.reach, pairs);
    for (int i = 0; i < static_cast<int>(scene.poses.size()); ++i) {
      for (int j = std::max(i + 1, 2); j < static_cast<int>(scene.poses.size()); ++j) {
        contacts.clear();
        const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
        const BodyPair pair{BodyId{i}, BodyId{j}};
        scene.collider->findContacts(pair, scene.poses[a], scene.poses[b], scene.reach[a] + scene.reach[b],
                                     contacts);
        if (contacts.empty()) continue;
        ++found;
        EXPECT_TRUE(std::binary_search(pairs.begin(), pairs.end(), pair)) << i << " " << j;
      }
    }
  }
  EXPECT_GT(found, 100);
}

TEST(Pairs, BoundsAreExact) {
  const auto collider = makeBulletCollider();
  collider->addBody(Cylinder{4e-3, 12e-3}, Vector3d::Zero(), true);
  collider->addBody(Box{{1e-3, 1e-3, 1e-3}}, Vector3d::Zero(), true);
  const Quaterniond q = exponential({0.3, 0.8, 0});
  const Vector3d axis = q * Vector3d::UnitZ();
  const double high = 12e-3 * std::abs(axis.x()) + 4e-3 * std::sqrt(1 - axis.x() * axis.x());
  const std::vector<double> reach{0, 0};
  std::vector<BodyPair> pairs;
  for (double gap : {1e-12, -1e-12}) {
    const std::vector<Pose> poses{{q, Vector3d::Zero()}, at(high + 1e-3 + gap, 0, 0)};
    collider->findPairs(poses, reach, pairs);
    EXPECT_EQ(pairs.size(), gap > 0 ? 0u : 1u);
  }
}

bool sameBytes(const ContactSet& a, const ContactSet& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const Contact& x, const Contact& y) {
           return x.feature == y.feature && std::memcmp(x.p.data(), y.p.data(), sizeof(double) * 3) == 0 &&
                  std::memcmp(x.n.data(), y.n.data(), sizeof(double) * 3) == 0 &&
                  std::memcmp(&x.separation, &y.separation, sizeof(double)) == 0;
         });
}

ContactSet allContacts(const Scene& scene) {
  ContactSet contacts;
  for (int i = 0; i < static_cast<int>(scene.poses.size()); ++i) {
    for (int j = std::max(i + 1, 2); j < static_cast<int>(scene.poses.size()); ++j) {
      scene.collider->findContacts({BodyId{i}, BodyId{j}}, scene.poses[static_cast<std::size_t>(i)],
                                   scene.poses[static_cast<std::size_t>(j)], 1e-3, contacts);
    }
  }
  return contacts;
}

TEST(Contacts, HaveNoMemory) {
  std::mt19937 engine(kSeed + 2);
  Scene used;
  std::vector<BodyPair> pairs;
  for (int trial = 0; trial < 20; ++trial) {
    used.shuffle(engine);
    used.collider->findPairs(used.poses, used.reach, pairs);
    const ContactSet first = allContacts(used), second = allContacts(used);
    Scene fresh;
    fresh.poses = used.poses;
    EXPECT_TRUE(sameBytes(first, second));
    EXPECT_TRUE(sameBytes(first, allContacts(fresh)));
  }
}

TEST(Contacts, NothingIsAllocatedOnceVectorsHaveGrown) {
  std::mt19937 engine(kSeed + 3);
  Scene scene;
  std::vector<BodyPair> pairs;
  ContactSet contacts;
  const auto walk = [&](std::mt19937 random) {
    for (int trial = 0; trial < 50; ++trial) {
      scene.shuffle(random);
      scene.collider->findPairs(scene.poses, scene.reach, pairs);
      contacts.clear();
      for (const BodyPair& pair : pairs) {
        scene.collider->findContacts(pair, scene.poses[static_cast<std::size_t>(pair.i.value)],
                                     scene.poses[static_cast<std::size_t>(pair.j.value)], 1e-3, contacts);
      }
    }
  };
  walk(engine);
  const std::int64_t before = tests::allocationCount();
  walk(engine);
  EXPECT_EQ(tests::allocationCount(), before);
}

TEST(Contacts, RadiusReachesTheFarthestPoint) {
  const auto collider = makeBulletCollider();
  const Vector3d p_CP(1e-3, 0, 0);
  EXPECT_NEAR(collider->radius(collider->addBody(Box{{3e-3, 4e-3, 12e-3}}, Vector3d::Zero(), true)), 13e-3,
              1e-15);
  EXPECT_NEAR(collider->radius(collider->addBody(Sphere{5e-3}, p_CP, true)), 6e-3, 1e-15);
  EXPECT_NEAR(collider->radius(collider->addBody(Cylinder{3e-3, 4e-3}, Vector3d::Zero(), true)), 5e-3, 1e-15);
  EXPECT_TRUE(std::isinf(collider->radius(collider->addBody(HalfSpace{}, Vector3d::Zero(), false))));
}

TEST(Contacts, ThicknessIsThatOfTheThinnestShape) {
  const auto collider = makeBulletCollider();
  const auto of = [&](const Shape& shape) {
    return collider->thickness(
        collider->addBody(shape, Vector3d::Zero(), !std::holds_alternative<HalfSpace>(shape)));
  };
  const Box sheet{{3e-3, 1e-4, 12e-3}};
  EXPECT_NEAR(of(sheet), 2e-4, 1e-15);
  EXPECT_NEAR(of(Compound{{{Sphere{5e-3}, at(0, 0, 0)}, {sheet, turnedAt({1, 2, 0.5}, 1e-2, 0, 0)}}}), 2e-4,
              1e-15);
  EXPECT_NEAR(of(Sphere{5e-3}), 1e-2, 1e-15);
  EXPECT_TRUE(std::isinf(of(HalfSpace{})));
}

}  // namespace
}  // namespace tenon
