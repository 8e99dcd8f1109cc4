// Contacts of solids on their own faces: against the closed forms of the other paths, against the distance of
// all pairs of triangles, and the tree against all pairs of features.
#include "physics/collision/brep/solid_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <stdexcept>

#include "physics/collision/brep/sampled_overlap.h"
#include "physics/collision/brep/solid_of_shape.h"
#include "physics/collision/brep/triangle_solid.h"
#include "physics/collision/bullet/bullet_collider.h"
#include "tests/physics/boundary_meshes.h"
#include "tests/support/triangle_meshes.h"

namespace tenon::solid_contacts_test {
namespace {

using namespace physics;
using brep::Solid;
using brep::SolidContact;

constexpr double kRange = 1e-3;
constexpr double kGap = 2e-4;

class Draw {
 public:
  explicit Draw(unsigned seed) : random(seed) {}
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
  Vector3d direction() {
    std::normal_distribution<double> normal;
    return Vector3d(normal(random), normal(random), normal(random)).normalized();
  }
  Quaterniond rotation() { return Quaterniond(Eigen::AngleAxisd(number(0, 3), direction())); }

  std::mt19937 random;
};

constexpr int kKinds = 9;

Shape drawShape(int kind, Draw& draw) {
  const auto size = [&] { return draw.number(2e-3, 2e-2); };
  switch (kind) {
    case 0:
      return Box{{size(), size(), size()}};
    case 1:
      return Sphere{size()};
    case 2:
      return Cylinder{size(), size()};
    case 3:
      return Capsule{size(), size()};
    case 4:
      return Frustum{size(), draw.number(0, 1) < 0.3 ? 0.0 : size(), size()};
    case 5: {
      Hull hull;
      for (int k = 0; k < 12; ++k) hull.vertices.push_back(draw.number(5e-3, 2e-2) * draw.direction());
      return hull;
    }
    case 6: {  // with a groove and a pointed end
      const double r = draw.number(3e-3, 1e-2);
      return SolidOfRevolution{{{-.01, 0},
                                {-.01, r},
                                {-.004, r},
                                {-.002, .5 * r},
                                {.003, .5 * r},
                                {.006, 1.3 * r},
                                {.01, 1.3 * r},
                                {.012, 0}}};
    }
    case 7: {
      const double r = draw.number(2e-3, 8e-3);
      Cavity cavity{"hole", Pose::at({draw.number(-5e-3, 5e-3), draw.number(-5e-3, 5e-3), 1e-2}), {}, true};
      cavity.profile = {{0, r + 1e-3}, {-1e-3, r}, {-2e-2, r}};
      return BlockWithHoles{{2e-2, 2e-2, 1e-2}, {cavity}};
    }
    default: {
      const double r = draw.number(3e-3, 1e-2);
      return SolidOfRevolution{{{-.003, r}, {-.003, r + 4e-3}, {.003, r + 4e-3}, {.003, r}, {-.003, r}}};
    }
  }
}

template <class Contacts>
double least(const Contacts& contacts) {
  double value = kRange;
  for (const auto& c : contacts) value = std::min(value, c.separation);
  return value;
}

// The two bodies approach along a line until the other path finds them kGap apart.
bool approach(const Collider& collider, Draw& draw, Pose& X_WA, Pose& X_WB) {
  X_WA = {draw.rotation(), Vector3d::Zero()};
  X_WB.q = draw.rotation();
  const Vector3d along = draw.direction();
  ContactSet found;
  for (double distance = 0.1; distance > 0;) {
    X_WB.p = distance * along;
    found.clear();
    collider.findContacts({BodyId{0}, BodyId{1}}, X_WA, X_WB, kRange, found);
    const double gap = least(found);
    if (gap < kGap + 1e-8) return gap > 0;
    distance -= gap - kGap + 1e-9;
  }
  return false;
}

TEST(SolidContacts, LeastDistanceIsThatOfTheClosedForms) {
  Draw draw(20261125);
  int compared = 0;
  for (int one = 0; one < kKinds; ++one)
    for (int two = one; two < kKinds; ++two)
      for (int k = 0; k < 25; ++k) {
        const Shape a = drawShape(one, draw), b = drawShape(two, draw);
        const auto collider = makeBulletCollider();
        collider->addBody(a, Vector3d::Zero(), true);
        collider->addBody(b, Vector3d::Zero(), true);
        Pose X_WA, X_WB;
        if (!approach(*collider, draw, X_WA, X_WB)) continue;
        ContactSet expected;
        collider->findContacts({BodyId{0}, BodyId{1}}, X_WA, X_WB, kRange, expected);
        std::vector<SolidContact> found;
        findSolidContacts(brep::solidOf(a), brep::solidOf(b), X_WB.inverse() * X_WA, kRange, found);
        // The search of convex parts is accurate to 1e-9 m, closed forms to rounding.
        EXPECT_NEAR(least(found), least(expected), 1e-9)
            << "kinds " << one << " and " << two << ", case " << k;
        ++compared;
      }
  EXPECT_GT(compared, 1000);
}

struct MeshPair {
  BoundarySolid a, b;
  Pose X_BA;
  double distance = 0;
};

// Two meshes that approach along a line until they are about kGap apart.
MeshPair drawMeshes(int kind, Draw& draw) {
  MeshPair pair;
  pair.a = kind == 0 ? tests::bumpyBall(1, 0.02, 0.3, draw.random)
                     : tests::starPrism(4 + kind, 0.02, 6e-3, draw.random);
  pair.b =
      kind == 1 ? tests::bumpyBall(2, 0.02, 0.15, draw.random) : tests::starPrism(5, 0.02, 5e-3, draw.random);
  pair.X_BA.q = draw.rotation();
  const Vector3d along = draw.direction();
  double at = 0.06;
  for (int k = 0; k < 200; ++k) {
    pair.X_BA.p = at * along;
    pair.distance = tests::surfaceDistance(pair.a, pair.b, pair.X_BA);
    if (pair.distance < kGap * 1.001) break;
    at -= pair.distance - kGap;
  }
  return pair;
}

TEST(SolidContacts, LeastDistanceOfConcaveMeshesIsThatOfAllPairsOfTriangles) {
  Draw draw(7);
  for (int kind = 0; kind < 3; ++kind)
    for (int k = 0; k < 40; ++k) {
      const MeshPair pair = drawMeshes(kind, draw);
      std::vector<SolidContact> found;
      findSolidContacts(brep::solidOf(pair.a), brep::solidOf(pair.b), pair.X_BA, kRange, found);
      EXPECT_NEAR(least(found), pair.distance, 1e-13) << "kind " << kind << ", case " << k;
    }
}

TEST(SolidContacts, TreeFindsTheSameContactsAsAllPairsOfFeatures) {
  Draw draw(8);
  for (int k = 0; k < 20; ++k) {
    const MeshPair pair = drawMeshes(k % 3, draw);
    const Solid a = brep::solidOf(pair.a), b = brep::solidOf(pair.b);
    std::vector<SolidContact> byTree, byAll;
    findSolidContacts(a, b, pair.X_BA, 5e-3, byTree);
    findSolidContacts(a, b, pair.X_BA, 5e-3, byAll, brep::PairSearchMode::brute);
    ASSERT_EQ(byTree.size(), byAll.size());
    for (std::size_t n = 0; n < byTree.size(); ++n) {
      EXPECT_EQ(byTree[n].feature, byAll[n].feature);
      EXPECT_EQ(byTree[n].separation, byAll[n].separation);
      EXPECT_TRUE(n == 0 || byTree[n - 1].feature < byTree[n].feature);
    }
  }
}

// A contact's normal is the derivative of its distance: the pose moves a little along it.
TEST(SolidContacts, DistanceChangesAsTheNormalSays) {
  Draw draw(9);
  std::size_t all = 0, matched = 0;
  for (int k = 0; k < 20; ++k) {
    const MeshPair pair = drawMeshes(k % 3, draw);
    const Solid a = brep::solidOf(pair.a), b = brep::solidOf(pair.b);
    std::vector<SolidContact> before, after;
    findSolidContacts(a, b, pair.X_BA, 2 * kGap, before);
    ASSERT_FALSE(before.empty());
    Pose moved = pair.X_BA;
    const Vector3d step = 1e-7 * draw.direction();
    moved.p += step;
    findSolidContacts(a, b, moved, 3 * kGap, after);
    all += before.size();
    for (const SolidContact& c : before) {
      const auto same =
          std::find_if(after.begin(), after.end(), [&](const auto& d) { return d.feature == c.feature; });
      if (same == after.end()) continue;
      ++matched;
      EXPECT_NEAR(same->separation, c.separation - c.n.dot(step), 1e-10) << k;
    }
  }
  EXPECT_GT(matched, 9 * all / 10);
}

// With any range, as in the check of a scene's start.
TEST(SolidContacts, OverlapsDeeperThanTheRangeAreFound) {
  const Shape box = Box{{10e-3, 10e-3, 5e-3}};
  std::mt19937 random(6);
  const BoundarySolid star = tests::starPrism(5, 0.02, 5e-3, random);
  for (const double range : {0.0, 1e-5, 1e-3})
    for (const double depth : {1e-8, 1e-6, 1e-4, 1e-3}) {
      std::vector<SolidContact> found;
      findSolidContacts(brep::solidOf(star), brep::solidOf(box), Pose::at({0, 0, 10e-3 - depth}), range,
                        found);
      EXPECT_NEAR(least(found), -depth, 1e-12) << range;
      for (const SolidContact& c : found)
        if (c.separation < 0) {
          EXPECT_NEAR(c.n.z(), -1, 1e-9);
        }
    }
}

// A tilted bar over the rim of a plate, deeper than a quarter of the radius of a hole far from it. Both edges
// of the bar go on outside of the plate, where they lie far below its upper face: that is no overlap.
TEST(SolidContacts, OverlapsDeeperThanASmallHoleHaveTheirDepth) {
  constexpr double kHalf = 20e-3, kThick = 5e-3, kTilt = 0.05;
  const Cavity hole{"hole", Pose::at({15e-3, 15e-3, kThick}), {{0, 2e-4}, {-2 * kThick, 2e-4}}, true};
  const Solid plate = brep::solidOf(BlockWithHoles{{kHalf, kHalf, kThick}, {hole}}),
              bar = brep::solidOf(Box{{30e-3, 4e-3, 2e-3}});
  const Quaterniond q(Eigen::AngleAxisd(kTilt, Vector3d::UnitY()));
  ASSERT_LT(plate.depthLimit(), 1e-4);
  for (const double depth : {1e-8, 1e-5, 2e-4, 8e-4}) {
    // The middle of the bar's lower face lies on the rim, `depth` below it.
    const Vector3d onRim(kHalf, 0, kThick - depth);
    const Pose X{q, onRim - q * Vector3d(0, 0, -2e-3)};
    for (const auto mode : {brep::PairSearchMode::tree, brep::PairSearchMode::brute}) {
      std::vector<SolidContact> found;
      findSolidContacts(bar, plate, X, 1e-6, found, mode);
      int crossings = 0;
      for (const SolidContact& c : found) {
        EXPECT_NEAR(c.separation, -depth * std::cos(kTilt), 1e-12);
        EXPECT_LT((c.n - q * -Vector3d::UnitZ()).norm(), 1e-9);
        crossings += std::abs(std::abs(c.p.y()) - 4e-3) < 1e-9 ? 1 : 0;
      }
      EXPECT_EQ(crossings, 2) << depth;
    }
  }
}

// Smooth all around: no sharp edge shows how deep it lies.
TEST(SolidContacts, ARoundedCylinderLiesInAHalfSpaceAtAnyDepth) {
  constexpr double kRadius = 10e-3, kHalf = 5e-3, kRound = 2e-3;
  const Solid rounded = brep::solidOf(brep::roundedCylinder(kRadius, kHalf, kRound)),
              floor = brep::solidOf(HalfSpace{});
  for (const double tilt : {0.0, 0.2, 1.2})
    for (const double depth : {-1e-5, 1e-6, 3e-4, 1e-3, 3e-3, 0.03, 2.0}) {
      const double lowest = (kHalf - kRound) * std::cos(tilt) + (kRadius - kRound) * std::sin(tilt) + kRound;
      const Pose X{Quaterniond(Eigen::AngleAxisd(tilt, Vector3d::UnitX())), {0.3, 0.1, lowest - depth}};
      std::vector<SolidContact> found;
      findSolidContacts(rounded, floor, X, 1e-4, found);
      EXPECT_NEAR(least(found), -depth, 1e-12) << tilt;
      found.clear();
      findSolidContacts(floor, rounded, X.inverse(), 1e-4, found);
      EXPECT_NEAR(least(found), -depth, 1e-12) << tilt;
    }
}

// Deeper than the depth limit contacts do where the deepest faces cross.
TEST(SolidContacts, SmoothFacesThatCrossDeeperThanTheLimitHaveTheirDepth) {
  constexpr double kRadius = 10e-3, kHalf = 5e-3, kRound = 2e-3, kTop = 10e-3;
  const Solid rounded = brep::solidOf(brep::roundedCylinder(kRadius, kHalf, kRound)),
              block = brep::solidOf(Box{{20e-3, 20e-3, kTop}});
  for (const double tilt : {0.7, 1.2})
    for (const double depth : {3e-4, 6e-4, 1e-3, 2e-3}) {
      const double lowest = (kHalf - kRound) * std::cos(tilt) + (kRadius - kRound) * std::sin(tilt) + kRound;
      const Pose X{Quaterniond(Eigen::AngleAxisd(tilt, Vector3d::UnitX())), {0, 0, kTop + lowest - depth}};
      ASSERT_LT(std::min(rounded.depthLimit(), block.depthLimit()), 6e-4);
      std::vector<SolidContact> found;
      findSolidContacts(rounded, block, X, 1e-4, found);
      EXPECT_NEAR(least(found), -depth, 1e-12) << tilt;
      found.clear();
      findSolidContacts(block, rounded, X.inverse(), 0, found, brep::PairSearchMode::brute);
      EXPECT_NEAR(least(found), -depth, 1e-12) << tilt;
    }
}

// Where contacts show no overlap, samples do.
TEST(SolidContacts, SamplesShowTheOverlapOfSmoothFaces) {
  constexpr double kRadius = 10e-3, kHalf = 5e-3, kRound = 2e-3, kTop = 10e-3;
  const Solid rounded = brep::solidOf(brep::roundedCylinder(kRadius, kHalf, kRound)),
              block = brep::solidOf(Box{{20e-3, 20e-3, kTop}});
  const auto overlapAt = [&](const Pose& X) {
    const RigidTransform X_BA{X.q.toRotationMatrix(), X.p};
    const double depth = brep::sampledOverlap(rounded, block, X_BA);
    EXPECT_NEAR(brep::sampledOverlap(block, rounded, X_BA.inverse()), depth, 1e-12);
    return depth;
  };
  for (const double depth : {1e-6, 3e-4, 1e-3, 3e-3, 6e-3})
    EXPECT_NEAR(overlapAt(Pose::at({0, 0, kTop + kHalf - depth})), depth, 1e-12);
  for (const double gap : {0.0, 1e-9, 1e-3})
    EXPECT_LE(overlapAt(Pose::at({0, 0, kTop + kHalf + gap})), 1e-12);
  // Tilted, the torus is deepest between samples.
  const double tilt = 0.2, lowest = (kHalf - kRound) * std::cos(tilt) + (kRadius - kRound) * std::sin(tilt);
  const Pose tilted{Quaterniond(Eigen::AngleAxisd(tilt, Vector3d::UnitX())), {0, 0, kTop + lowest + kRound}};
  EXPECT_LE(overlapAt(tilted), 1e-12);
  const Pose deep{tilted.q, tilted.p - Vector3d(0, 0, 2e-3)};
  const double found = overlapAt(deep);
  EXPECT_GT(found, 1.8e-3);
  EXPECT_LE(found, 2e-3 + 1e-12);
}

// As parts of a compound, in any frame.
TEST(SolidContacts, SamplesShowTheOverlapOfBodies) {
  constexpr double kHalf = 5e-3, kDepth = 3e-3;
  const Pose X_PC{Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized())), {0.02, -0.01, 0.03}};
  const Pose X_WB{Quaterniond(Eigen::AngleAxisd(-1.1, Vector3d(3, 1, 2).normalized())), {-0.3, 0.2, 0.1}};
  const Compound compound{
      {{brep::roundedCylinder(10e-3, kHalf, 2e-3), X_PC}, {Sphere{1e-3}, Pose::at({0, 0.5, 0})}}};
  const auto collider = makeBulletCollider();
  const BodyId first = collider->addBody(compound, Vector3d(1e-3, 2e-3, 3e-3), true),
               block = collider->addBody(Box{{20e-3, 20e-3, 10e-3}}, Vector3d::Zero(), true);
  const auto overlapAt = [&](double depth) {
    const Pose X_WP = X_WB * Pose::at({0, 0, 10e-3 + kHalf - depth}) * X_PC.inverse();
    const Pose X_WC{X_WP.q, X_WP * Vector3d(-1e-3, -2e-3, -3e-3)};
    return collider->sampledOverlap({first, block}, X_WC, X_WB);
  };
  EXPECT_NEAR(overlapAt(kDepth), kDepth, 1e-12);
  EXPECT_LE(overlapAt(-1e-6), 1e-12);
}

// A thin box of 1e5 m would bring all features near.
TEST(SolidContacts, OnlyFeaturesNearThePlaneAreSoughtOnAHalfSpace) {
  std::mt19937 random(3);
  const Solid star = brep::solidOf(tests::starPrism(50, 0.02, 5e-3, random)),
              floor = brep::solidOf(HalfSpace{});
  const auto pairsAt = [&](double height, double range, bool isSwapped) {
    std::vector<std::pair<int, int>> pairs;
    const RigidTransform X{Matrix3d::Identity(), {3, -2, height}};
    if (isSwapped)
      brep::FeatureTree::findPairs(floor.tree(), star.tree(), X.inverse(), range, 1, pairs);
    else
      brep::FeatureTree::findPairs(star.tree(), floor.tree(), X, range, 1, pairs);
    return pairs.size();
  };
  const auto all = static_cast<std::size_t>(star.featureCount());
  for (const bool isSwapped : {false, true}) {
    EXPECT_EQ(pairsAt(5e-3 + 2e-3, 1e-3, isSwapped), 0u);
    EXPECT_GT(pairsAt(5e-3, 1e-3, isSwapped), 0u);
    EXPECT_LT(pairsAt(5e-3, 1e-3, isSwapped), all * 2 / 3);
    EXPECT_EQ(pairsAt(-1, 1e-3, isSwapped), all - star.faces.size())
        << "flat faces have no pairs with its plane";
    EXPECT_EQ(pairsAt(5, HUGE_VAL, isSwapped), star.vertices.size());
  }
}

TEST(SolidContacts, PiercedAndContainedSolidsOverlap) {
  const Solid plate = brep::solidOf(Box{{0.05, 0.05, 1e-3}}), needle = brep::solidOf(Box{{1e-3, 1e-3, 0.04}}),
              ball = brep::solidOf(Sphere{2e-4}), block = brep::solidOf(Box{{0.02, 0.02, 0.02}}),
              small = brep::solidOf(Box{{2e-3, 2e-3, 2e-3}});
  const auto deepest = [](const Solid& a, const Solid& b, const Pose& X) {
    std::vector<SolidContact> found;
    findSolidContacts(a, b, X, 1e-4, found);
    return least(found);
  };
  const Pose tilted{Quaterniond(Eigen::AngleAxisd(0.3, Vector3d::UnitX())), {0.01, 0, 0}};
  EXPECT_LT(deepest(needle, plate, tilted), -1e-3);
  EXPECT_LT(deepest(plate, needle, tilted.inverse()), -1e-3);
  EXPECT_LT(deepest(ball, plate, Pose::at({0, 0, 0})), 0);
  EXPECT_NEAR(deepest(small, block, Pose::at({0, 0, 0.01})), -0.012, 1e-9);
  EXPECT_NEAR(deepest(block, small, Pose::at({0, 0, -0.01})), -0.012, 1e-9);
  EXPECT_EQ(deepest(small, block, Pose::at({0, 0, 0.03})), kRange);  // apart
}

// An L from above: the normals at its inner corner do not depend on how the cap is divided into triangles.
TEST(SolidContacts, ReflexCornersHaveNoContactSideways) {
  for (const bool isFine : {false, true}) {
    BoundarySolid solid;
    // Corners of the cap, counter-clockwise; the inner one is the origin.
    const std::vector<Eigen::Vector2d> outline{{0, 0},         {0, 0.02},     {-0.02, 0.02},
                                               {-0.02, -0.02}, {0.02, -0.02}, {0.02, 0}};
    for (const double z : {-5e-3, 0.0})
      for (const auto& p : outline) solid.vertices.emplace_back(p.x(), p.y(), z);
    const auto quad = [&](int a, int b, int c, int d) {
      solid.triangles.insert(solid.triangles.end(), {{a, b, c}, {a, c, d}});
    };
    for (int k = 0; k < 6; ++k) quad(k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k);
    const std::vector<std::array<int, 3>> cap =
        isFine ? std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}
               : std::vector<std::array<int, 3>>{{1, 2, 3}, {1, 3, 0}, {0, 3, 4}, {0, 4, 5}};
    for (const auto& t : cap) {
      solid.triangles.push_back({6 + t[0], 6 + t[1], 6 + t[2]});
      solid.triangles.push_back({t[0], t[2], t[1]});
    }
    // A box that stands on the cap beside the inner corner.
    std::vector<SolidContact> found;
    findSolidContacts(brep::solidOf(Box{{3e-3, 3e-3, 3e-3}}), brep::solidOf(solid),
                      Pose::at({-3.2e-3, -3.1e-3, 3e-3}), 1e-3, found);
    EXPECT_FALSE(found.empty());
    for (const SolidContact& c : found) EXPECT_NEAR(c.n.z(), -1, 1e-9) << isFine;
  }
}

// A prism whose outline has a concave corner at the origin: free space lies between the floor, along x, and a
// wall at `angle` [rad] to it.
BoundarySolid notched(double angle) {
  BoundarySolid solid;
  const Eigen::Vector2d wall = 0.02 * Eigen::Vector2d(std::cos(angle), std::sin(angle));
  const std::vector<Eigen::Vector2d> outline{{0.02, 0},         {0, 0},         wall,
                                             {-0.03, wall.y()}, {-0.03, -0.02}, {0.02, -0.02}};
  for (const double z : {-5e-3, 5e-3})
    for (const auto& p : outline) solid.vertices.emplace_back(p.x(), p.y(), z);
  for (int k = 0; k < 6; ++k) {
    const int n = (k + 1) % 6;
    solid.triangles.insert(solid.triangles.end(), {{k, n, 6 + n}, {k, 6 + n, 6 + k}});
  }
  for (const auto& t : {std::array{1, 2, 3}, {1, 3, 4}, {1, 4, 5}, {1, 5, 0}}) {
    solid.triangles.push_back({6 + t[0], 6 + t[1], 6 + t[2]});
    solid.triangles.push_back({t[0], t[2], t[1]});
  }
  return solid;
}

TEST(SolidContacts, APointBehindOneFaceOfACornerIsInContactWithTheOtherToo) {
  for (const double degrees : {50.0, 63.4, 90.0, 130.0}) {
    const double angle = degrees * std::numbers::pi / 180;
    const Solid corner = brep::solidOf(notched(angle));
    const Vector3d floor(0, 1, 0), wall(std::sin(angle), -std::cos(angle), 0);
    const Vector3d middle(std::cos(angle / 2), std::sin(angle / 2), 0), across(-middle.y(), middle.x(), 0);
    Hull needle;
    needle.vertices.emplace_back(0, 0, 0);
    for (const double s : {-3e-4, 3e-4}) {
      needle.vertices.emplace_back(5e-3 * middle + s * across);
      needle.vertices.emplace_back(5e-3 * middle + s * Vector3d::UnitZ());
    }
    const Solid tip = brep::solidOf(needle);
    for (const auto& [behindFloor, behindWall] : std::initializer_list<std::pair<double, double>>{
             {2e-8, 4e-7}, {4e-7, 2e-8}, {1e-8, 1e-8}, {3e-7, -2e-7}, {-2e-7, 3e-7}, {2e-5, 5e-5}}) {
      Eigen::Matrix2d normals;
      normals << floor.x(), floor.y(), wall.x(), wall.y();
      const Eigen::Vector2d p = normals.inverse() * Eigen::Vector2d(-behindFloor, -behindWall);
      std::vector<SolidContact> found;
      findSolidContacts(tip, corner, Pose::at({p.x(), p.y(), 0}), 1e-4, found);
      const auto distanceTo = [&](const Vector3d& normal) {
        for (const SolidContact& c : found)
          if (c.n.dot(normal) < -1 + 1e-12) return c.separation;
        return std::nan("");
      };
      EXPECT_NEAR(distanceTo(floor), -behindFloor, 1e-15) << degrees << " " << behindWall;
      EXPECT_NEAR(distanceTo(wall), -behindWall, 1e-15) << degrees << " " << behindFloor;
    }
  }
}

// An extruded U: a pocket without ends, 10 mm wide and 8 mm deep, in walls and a floor of 1 mm.
BoundarySolid channel() {
  BoundarySolid solid;
  const std::vector<Eigen::Vector2d> outline{{-6e-3, -1e-3}, {6e-3, -1e-3}, {6e-3, 8e-3},  {5e-3, 8e-3},
                                             {5e-3, 0},      {-5e-3, 0},    {-5e-3, 8e-3}, {-6e-3, 8e-3}};
  for (const double z : {-2e-2, 2e-2})
    for (const auto& p : outline) solid.vertices.emplace_back(p.x(), p.y(), z);
  for (int k = 0; k < 8; ++k) {
    const int n = (k + 1) % 8;
    solid.triangles.insert(solid.triangles.end(), {{k, n, 8 + n}, {k, 8 + n, 8 + k}});
  }
  for (const auto& t : {std::array{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}, {0, 6, 7}}) {
    solid.triangles.push_back({8 + t[0], 8 + t[1], 8 + t[2]});
    solid.triangles.push_back({t[0], t[2], t[1]});
  }
  return solid;
}

// A cube without its first octant: free space lies in x, y, z > 0.
BoundarySolid boxPocket() {
  constexpr double kSide = 1e-2;
  BoundarySolid solid;
  std::map<std::array<int, 3>, int> vertexAt;
  const auto vertex = [&](const std::array<int, 3>& at) {
    const auto [place, isNew] = vertexAt.emplace(at, static_cast<int>(solid.vertices.size()));
    if (isNew) solid.vertices.push_back(kSide * Vector3d(at[0], at[1], at[2]));
    return place->second;
  };
  const auto isSolid = [](const std::array<int, 3>& cell) {
    const bool isInside = std::all_of(cell.begin(), cell.end(), [](int k) { return k == 0 || k == -1; });
    return isInside && cell != std::array{0, 0, 0};
  };
  for (int n = 0; n < 8; ++n) {
    const std::array<int, 3> cell{-(n & 1), -(n >> 1 & 1), -(n >> 2 & 1)};
    for (std::size_t axis = 0; isSolid(cell) && axis < 3; ++axis)
      for (const int side : {0, 1}) {
        std::array<int, 3> beyond = cell;
        beyond[axis] += 2 * side - 1;
        if (isSolid(beyond)) continue;
        std::array<std::array<int, 3>, 4> c{cell, cell, cell, cell};
        for (auto& at : c) at[axis] += side;
        const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        c[1][u] += 1, c[2][u] += 1, c[2][v] += 1, c[3][v] += 1;
        if (side == 0) std::swap(c[1], c[3]);
        solid.triangles.push_back({vertex(c[0]), vertex(c[1]), vertex(c[2])});
        solid.triangles.push_back({vertex(c[0]), vertex(c[2]), vertex(c[3])});
      }
  }
  return solid;
}

TEST(SolidContacts, AFaceOfACornerEndsAtItsThinWall) {
  const Solid thin = brep::solidOf(channel());
  // Beside the wall, in free air, with an edge or a circle half a micrometer below the floor inside.
  for (const Shape& beside : {Shape(Box{{1e-3, 1e-3, 1e-3}}), Shape(Cylinder{1e-3, 1e-3})}) {
    std::vector<SolidContact> found;
    const Quaterniond upright(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::UnitX()));
    findSolidContacts(brep::solidOf(beside), thin, {upright, {7.2e-3, 1e-3 - 5e-7, 0}}, 1e-3, found);
    EXPECT_FALSE(found.empty());
    for (const SolidContact& c : found) EXPECT_NEAR(std::abs(c.n.x()), 1, 1e-9) << c.separation;
  }
}

TEST(SolidContacts, ACornerOfABoxIsInContactWithAllFacesOfItsPocket) {
  const Solid pocket = brep::solidOf(boxPocket()), box = brep::solidOf(Box{{2e-3, 2e-3, 2e-3}});
  for (const Vector3d& behind :
       {Vector3d(5e-7, 5e-7, 1e-6), Vector3d(2e-7, 9e-7, 4e-7), Vector3d(8e-6, 5e-6, 6e-6)}) {
    std::vector<SolidContact> found;
    findSolidContacts(box, pocket, Pose::at(Vector3d::Constant(2e-3) - behind), 1e-4, found);
    for (int axis = 0; axis < 3; ++axis) {
      const bool isFound = std::any_of(found.begin(), found.end(), [&](const SolidContact& c) {
        return c.n[axis] < -1 + 1e-12 && std::abs(c.separation + behind[axis]) < 1e-15;
      });
      EXPECT_TRUE(isFound) << axis << " " << behind.transpose();
    }
  }
}

TEST(SolidContacts, ALyingCapsuleTouchesAtBothEnds) {
  const Solid capsule = brep::solidOf(Capsule{2e-3, 10e-3}), plate = brep::solidOf(Box{{0.05, 0.05, 1e-3}});
  for (const double tilt : {0.0, 1e-8, 1e-6, 1e-4, 1e-3}) {
    const Quaterniond q(Eigen::AngleAxisd(std::numbers::pi / 2 + tilt, Vector3d::UnitX()));
    std::vector<SolidContact> found;
    findSolidContacts(capsule, plate, {q, {0, 0, 3e-3 + 10e-3 * std::sin(tilt)}}, 1e-4, found);
    EXPECT_GE(found.size(), 2u) << tilt;
    EXPECT_NEAR(least(found), 0, 1e-15) << tilt;
  }
}

TEST(SolidContacts, AFacetedBlockTakesPartWithItsTrueHoles) {
  FacetedBlock block;
  block.halfExtents = {20e-3, 20e-3, 10e-3};
  block.holes = {{"hole", {0, 0}, 5e-3, 0, 0, 30e-3}};  // deeper than the block: through
  const Solid solid = brep::solidOf(block);
  EXPECT_FALSE(solid.contains({0, 0, -9.9e-3}));
  EXPECT_TRUE(solid.contains({5.01e-3, 0, -9.9e-3}));
  EXPECT_FALSE(solid.contains({5.01e-3, 0, -12e-3}));
  EXPECT_NEAR(solid.bounds().low.z(), -10e-3, 1e-15);
}

TEST(SolidContacts, FlushBoxesTouchAtTheCornersOfTheirCommonFace) {
  const Solid lower = brep::solidOf(Box{{10e-3, 10e-3, 5e-3}}),
              upper = brep::solidOf(Box{{4e-3, 20e-3, 5e-3}});
  std::vector<SolidContact> found;
  findSolidContacts(upper, lower, Pose::at({1e-3, 0, 10e-3}), 1e-6, found);
  std::vector<Eigen::Vector2d> corners;
  for (const SolidContact& c : found) {
    EXPECT_NEAR(c.separation, 0, 1e-15);
    EXPECT_NEAR(c.n.z(), -1, 1e-12);
    corners.emplace_back(c.p.head<2>());
  }
  for (const double x : {-3e-3, 5e-3})
    for (const double y : {-10e-3, 10e-3})
      EXPECT_TRUE(std::any_of(corners.begin(), corners.end(),
                              [&](const auto& p) { return (p - Eigen::Vector2d(x, y)).norm() < 1e-9; }))
          << x << ' ' << y;
}

TEST(SolidContacts, CoplanarTrianglesAreOneFaceAndCollinearBordersOneEdge) {
  std::mt19937 random(3);
  const Solid prism = brep::solidOf(tests::starPrism(5, 0.02, 5e-3, random));
  EXPECT_EQ(prism.faces.size(), 12u);     // two caps, ten walls
  EXPECT_EQ(prism.edges.size(), 25u);     // two caps of ten, and the five points of the star
  EXPECT_EQ(prism.vertices.size(), 20u);  // not the middles of the caps
}

TEST(SolidContacts, PointsAreInsideWhereTheShapeSaysSo) {
  Draw draw(11);
  std::mt19937 random(4);
  const BoundarySolid star = tests::starPrism(5, 0.02, 5e-3, random);
  const Solid solid = brep::solidOf(star),
              ring = brep::solidOf(SolidOfRevolution{
                  {{-.003, .005}, {-.003, .009}, {.003, .009}, {.003, .005}, {-.003, .005}}});
  for (int k = 0; k < 2000; ++k) {
    const Vector3d p(draw.number(-.02, .02), draw.number(-.02, .02), draw.number(-6e-3, 6e-3));
    // The star: the triangle of its middle and one side.
    bool isInside = false;
    for (int n = 0; n < 10; ++n) {
      const Eigen::Vector2d a = star.vertices[static_cast<std::size_t>(n)].head<2>(),
                            b = star.vertices[static_cast<std::size_t>((n + 1) % 10)].head<2>(),
                            q = p.head<2>();
      const auto cross = [](const auto& u, const auto& v) { return u.x() * v.y() - u.y() * v.x(); };
      isInside = isInside || (cross(a, q) >= 0 && cross(q, b) >= 0 &&
                              cross(Eigen::Vector2d(b - a), Eigen::Vector2d(q - a)) >= 0);
    }
    EXPECT_EQ(solid.contains(p), isInside && std::abs(p.z()) < 5e-3);
    const double rho = p.head<2>().norm();
    EXPECT_EQ(ring.contains(p), rho > 5e-3 && rho < 9e-3 && std::abs(p.z()) < 3e-3);
  }
}

TEST(SolidContacts, OpenMeshesAreRejected) {
  std::mt19937 random(5);
  BoundarySolid open = tests::starPrism(4, 0.02, 5e-3, random), reversed = open;
  open.triangles.pop_back();
  EXPECT_THROW(brep::solidOf(open), std::invalid_argument);
  std::swap(reversed.triangles[3][0], reversed.triangles[3][1]);
  EXPECT_THROW(brep::solidOf(reversed), std::invalid_argument);
}

// A square whose corners lie beside the rim of a hole, pressed flat into its plate: only upwards is it out
// soon. Its corners and the eight points at which its sides cross the rim touch, at any depth.
TEST(SolidContacts, FlatOverlapsHaveNoContactSideways) {
  constexpr double kHalf = 4.5e-3, kRim = 6e-3;
  Cavity hole{"hole", Pose::at({0, 0, 1e-2}), {{0, kRim}, {-2e-2, kRim}}, true};
  const Solid plate = brep::solidOf(BlockWithHoles{{2e-2, 2e-2, 1e-2}, {hole}}),
              square = brep::solidOf(Box{{kHalf, kHalf, kHalf}});
  for (const double tilt : {0.0, 1e-9, 1e-6, 1e-4})
    for (const double depth : {1e-9, 9e-7, 3e-6, 3e-5}) {
      if (tilt * 1e-2 > depth) continue;
      std::vector<SolidContact> found;
      findSolidContacts(
          square, plate,
          {Quaterniond(Eigen::AngleAxisd(tilt, Vector3d(0.6, 0.8, 0))), {0, 0, 1e-2 + kHalf - depth}}, 1e-4,
          found);
      for (const SolidContact& c : found) {
        EXPECT_LT(c.n.z(), -0.999) << tilt << ' ' << depth;
        EXPECT_NEAR(c.separation, -depth, 1e-2 * tilt + 1e-12) << tilt << ' ' << depth;
      }
      const double along = std::sqrt(kRim * kRim - kHalf * kHalf);
      for (const double x : {-1.0, 1.0})
        for (const double y : {-1.0, 1.0})
          for (const Vector3d& expected :
               {Vector3d(x * kHalf, y * kHalf, 1e-2), Vector3d(x * kHalf, y * along, 1e-2),
                Vector3d(x * along, y * kHalf, 1e-2)})
            EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                                    [&](const auto& c) { return (c.p - expected).norm() < 4e-5; }))
                << tilt << ' ' << depth << ' ' << expected.transpose();
    }
}

// Where a rim lies flat, the place of its deepest point is rounding: only its eight fixed points are
// contacts.
TEST(SolidContacts, ARimThatLiesFlatHasNoDeepestPoint) {
  const Solid disc = brep::solidOf(Cylinder{5e-3, 1e-3}), plate = brep::solidOf(Box{{0.05, 0.05, 1e-3}});
  const auto rimContacts = [&](double tilt) {
    const Pose X{Quaterniond(Eigen::AngleAxisd(tilt, Vector3d(std::cos(0.3), std::sin(0.3), 0))),
                 {0, 0, 2e-3}};
    std::vector<SolidContact> found;
    findSolidContacts(disc, plate, X, 1e-4, found);
    return found;
  };
  EXPECT_EQ(rimContacts(0).size(), 8u);
  EXPECT_EQ(rimContacts(1e-9).size(), 8u);
  const std::vector<SolidContact> leaning = rimContacts(1e-5);
  EXPECT_EQ(leaning.size(), 9u);
  double least = 1;
  for (const SolidContact& contact : leaning) least = std::min(least, contact.separation);
  EXPECT_NEAR(least, -5e-3 * std::sin(1e-5), 1e-11);
}

/// The least distance of a table of two legs to a plate 0.4 mm thick: one leg is `touching` above it, the
/// other one `depth` below that.
void expectLegIsFound(double depth, double touching) {
  constexpr double kWidth = 2e-3;
  const std::vector<Eigen::Vector2d> outline{{0, 0},         {2e-3, 0},       {2e-3, 5e-3},  {8e-3, 5e-3},
                                             {8e-3, -depth}, {10e-3, -depth}, {10e-3, 7e-3}, {0, 7e-3}};
  BoundarySolid table;
  for (const double y : {-kWidth, kWidth})
    for (const auto& p : outline) table.vertices.emplace_back(p.x(), y, p.y());
  const std::array<std::array<int, 3>, 6> cap{
      {{0, 1, 2}, {0, 2, 7}, {7, 2, 3}, {7, 3, 6}, {3, 5, 6}, {3, 4, 5}}};
  for (const auto& [a, b, c] : cap) {
    table.triangles.push_back({a, b, c});
    table.triangles.push_back({a + 8, c + 8, b + 8});
  }
  for (int k = 0; k < 8; ++k) {
    const int next = (k + 1) % 8;
    table.triangles.push_back({next, k, k + 8});
    table.triangles.push_back({next, k + 8, next + 8});
  }
  const Solid legs = brep::solidOf(table), plate = brep::solidOf(Box{{20e-3, 20e-3, 0.2e-3}});
  for (const double range : {1e-6, 1e-4, 1e-3})
    for (const auto mode : {brep::PairSearchMode::tree, brep::PairSearchMode::brute}) {
      std::vector<SolidContact> found;
      findSolidContacts(legs, plate, Pose::at({-5e-3, 0, 0.2e-3 + touching}), range, found, mode);
      double least = HUGE_VAL;
      for (const SolidContact& contact : found) least = std::min(least, contact.separation);
      if (depth < 0.2e-3)
        EXPECT_NEAR(least, touching - depth, 1e-12) << touching << ", " << range;
      else
        EXPECT_LT(least, -1e-5) << touching << ", " << range;  // through the plate: some way out
    }
}

// Deeper than a quarter of the thickness, up to which contacts are sought first, and through the plate.
TEST(SolidContacts, ALegThatTouchesHidesNoOtherThatIsDeepInside) {
  for (const double depth : {0.15e-3, 1e-3, 3e-3})
    for (const double touching : {1e-12, 0.0, -6e-15, -5e-10, -5e-7}) expectLegIsFound(depth, touching);
}

// Edges of a box that lies flush on a plate, above a hole's rim or a drafted end of the plate, are beside
// those, not behind them.
TEST(SolidContacts, EdgesOfFlushFacesDoNotOverlap) {
  BlockWithHoles drilled;
  drilled.halfExtents = {20e-3, 20e-3, 5e-3};
  drilled.cavities.push_back({"hole", Pose::at({0, 0, 5e-3}), {{0, 5e-3}, {-10e-3, 5e-3}}, true});
  BoundarySolid drafted;  // an end at 45° at x = 0
  for (const double y : {0.0, 20e-3})
    for (const auto& [x, z] : {std::pair(0.0, 0.0), {20e-3, 0.0}, {20e-3, -10e-3}, {-10e-3, -10e-3}})
      drafted.vertices.emplace_back(x, y, z);
  drafted.triangles = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}};
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    drafted.triangles.push_back({k, next, next + 4});
    drafted.triangles.push_back({k, next + 4, k + 4});
  }
  const Solid box = brep::solidOf(Box{{10e-3, 10e-3, 5e-3}});
  const std::pair<Solid, Vector3d> cases[] = {{brep::solidOf(drilled), {-4.8e-3, 0, 10e-3}},
                                              {brep::solidOf(drafted), {0, -8e-3, 5e-3}}};
  for (const auto& [plate, place] : cases)
    for (const double gap : {1e-10, 0.0, -1e-10, -1e-9})
      for (const double range : {1e-6, 3e-4, 3e-3})
        for (const auto mode : {brep::PairSearchMode::tree, brep::PairSearchMode::brute}) {
          std::vector<SolidContact> found;
          findSolidContacts(box, plate, Pose::at(place + gap * Vector3d::UnitZ()), range, found, mode);
          EXPECT_FALSE(found.empty());
          for (const SolidContact& contact : found)
            EXPECT_GE(contact.separation, gap - 1e-12) << gap << ", " << range << ", " << contact.feature;
        }
}

}  // namespace
}  // namespace tenon::solid_contacts_test
