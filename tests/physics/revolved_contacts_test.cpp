// Contacts of solids of revolution against brute force over their surfaces, finite differences and symmetry.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/physics/revolved_parts.h"
#include "tests/support/revolved_reference.h"
#include "tests/support/share.h"

namespace tenon::physics::revolved_contacts_test {
namespace {

using std::numbers::pi;
using test::kShare;
using test::Random;
using Contacts = std::vector<SurfaceContact>;

constexpr double kEverything = 0.3;  // a range that leaves nothing out [m]

Contacts contactsOf(const RevolvedGeometry& a, const BlockGeometry& b, const Pose& X, double range) {
  Contacts contacts;
  revolvedBlockContacts(a, b, X, range, contacts);
  return contacts;
}
Contacts contactsOf(const RevolvedGeometry& a, const RevolvedGeometry& b, const Pose& X, double range) {
  Contacts contacts;
  revolvedRevolvedContacts(a, b, X, range, contacts);
  return contacts;
}

const SurfaceContact& nearest(const Contacts& contacts) {
  return *std::min_element(contacts.begin(), contacts.end(),
                           [](const auto& x, const auto& y) { return x.separation < y.separation; });
}

template <class Other>
double least(const RevolvedGeometry& a, const Other& b, const Pose& X) {
  const Contacts contacts = contactsOf(a, b, X, kEverything);
  return contacts.empty() ? kEverything : nearest(contacts).separation;
}

// Rotation by `tilt` about a random horizontal axis after a random turn.
Quaterniond tilted(double tilt, Random& random) {
  const double phi = random.between(0, 2 * pi);
  return (exponential(tilt * Vector3d(std::cos(phi), std::sin(phi), 0)) *
          exponential(Vector3d(0, 0, random.between(0, 2 * pi))))
      .normalized();
}

struct Approach {
  Pose X_BA;                            // far away
  Vector3d towards = Vector3d::Zero();  // unit
};

// Paths on which a peg approaches a block: over a mouth at any tilt, upright or upside down, lying on a face,
// over the block's side, from anywhere.
Approach approach(const BlockWithHoles& block, Random& random) {
  const int kind = random.below(6);
  if (kind < 4) {
    const Pose X_BH = test::mouth(block, random.below(static_cast<int>(block.cavities.size())));
    const double tilt = kind == 0   ? std::pow(10, random.between(-6, -1))
                        : kind == 1 ? random.between(0, pi / 2)
                        : kind == 2 ? pi - std::pow(10, random.between(-6, 0))
                                    : pi / 2 + random.between(-1e-3, 1e-3);
    const double aside = kind == 0 ? std::pow(10, random.between(-6, -3)) : random.between(0, 8e-3);
    const Vector3d p = aside * (exponential(Vector3d(0, 0, random.between(0, 2 * pi))) * Vector3d::UnitX()) +
                       Vector3d(0, 0, 0.15);
    return {X_BH * Pose{tilted(tilt, random), p}, X_BH.q * Vector3d(0, 0, -1)};
  }
  const Vector3d u = random.direction();
  const Vector3d aim = random.vector().cwiseProduct(0.7 * block.halfExtents);
  const double tilt = kind == 4 ? pi / 2 : random.between(0, pi);
  return {{tilted(tilt, random), aim - 0.15 * u}, u};
}

// Moves A towards B until `gap` is left: never further than the distance, so that it cannot pass through.
// False where A passes B by.
template <class Other>
bool bringNear(const RevolvedGeometry& a, const Other& b, double gap, Approach& path) {
  for (int step = 0; step < 60; ++step) {
    const double d = least(a, b, path.X_BA);
    if (d >= kEverything) return false;
    if (d - gap < 1e-9) break;
    path.X_BA.p += (d - gap) * path.towards;
  }
  return true;
}

double randomGap(Random& random) {
  return std::pow(10, random.between(-7, -2.5));
}

Pose poseNear(const RevolvedGeometry& a, const BlockWithHoles& block, const BlockGeometry& b, double gap,
              Random& random) {
  for (;;) {
    Approach path = approach(block, random);
    if (bringNear(a, b, gap, path)) return path.X_BA;
  }
}

// The two points of a contact lie on the two surfaces, |δ| apart along its normal.
void expectOnBothSurfaces(const SurfaceContact& c, double onA, double onB) {
  EXPECT_LE(std::abs(onA), 1e-12) << "feature " << c.feature;
  EXPECT_LE(std::abs(onB), 1e-12) << "feature " << c.feature;
  EXPECT_NEAR(c.n.norm(), 1, 1e-12);
}

const std::vector<double> kClearances = {1e-3, 1e-4, 1e-5, 1e-6};

class RevolvedPegs : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Each, RevolvedPegs, testing::Range(0, 6));

TEST_P(RevolvedPegs, LeastDistanceToABlockIsThatOfBruteForce) {
  const auto seed = static_cast<unsigned>(100 + GetParam());
  Random random(seed);
  const SolidOfRevolution peg = test::pegs()[static_cast<std::size_t>(GetParam())];
  const RevolvedGeometry a = prepare(peg);
  double worst = 0;
  for (int k = 0; k < 16 / kShare; ++k) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", pose " + std::to_string(k));
    const BlockWithHoles block = test::boredBlock(kClearances[static_cast<std::size_t>(random.below(4))]);
    const BlockGeometry b = prepare(block);
    const Pose X = poseNear(a, block, b, randomGap(random), random);
    const Contacts contacts = contactsOf(a, b, X, kEverything);
    const SurfaceContact& c = nearest(contacts);
    expectOnBothSurfaces(c, test::referenceDistance(peg, X.inverse() * (c.p - 0.5 * c.separation * c.n)),
                         test::referenceDistance(block, c.p + 0.5 * c.separation * c.n));
    const double expected = test::referenceSeparation(peg, block, X);
    worst = std::max(worst, std::abs(c.separation - expected));
    EXPECT_NEAR(c.separation, expected, 1e-9)
        << "q " << X.q.coeffs().transpose() << ", p " << X.p.transpose();
  }
  std::ostringstream error;
  error << worst;
  RecordProperty("worst_error_m", error.str());
}

// Pegs within their clearance in the bore, down to a micrometer: the walls are near all round.
TEST(RevolvedContacts, LeastDistanceInTheBoreIsThatOfBruteForce) {
  Random random(22);
  const SolidOfRevolution peg = test::cylinder(0.005, 0.06);
  const RevolvedGeometry a = prepare(peg);
  for (int k = 0; k < 16 / kShare; ++k) {
    SCOPED_TRACE("seed 22, pose " + std::to_string(k));
    const double clearance = kClearances[static_cast<std::size_t>(k) % 4];
    const BlockWithHoles block = test::boredBlock(clearance);
    const BlockGeometry b = prepare(block);
    const double depth = random.between(0.002, 0.018), tilt = random.between(0, 0.9) * clearance / 0.05;
    const double aside = random.between(0, 0.2) * clearance;
    const Vector3d p(aside * std::cos(k), aside * std::sin(k), 0.01 - depth);
    const Pose X{tilted(tilt, random), p};
    const Contacts contacts = contactsOf(a, b, X, kEverything);
    const double expected = test::referenceSeparation(peg, block, X);
    ASSERT_GT(expected, 0);
    ASSERT_LT(expected, clearance);
    ASSERT_NEAR(nearest(contacts).separation, expected, 1e-9) << "clearance " << clearance;
  }
}

TEST(RevolvedContacts, LeastDistanceOfTwoSolidsOfRevolutionIsThatOfBruteForce) {
  Random random(23);
  const auto pegs = test::pegs();
  for (int k = 0; k < 40 / kShare; ++k) {
    SCOPED_TRACE("seed 23, pose " + std::to_string(k));
    const SolidOfRevolution& one = pegs[static_cast<std::size_t>(random.below(6))];
    const SolidOfRevolution& two = pegs[static_cast<std::size_t>(random.below(6))];
    const RevolvedGeometry a = prepare(one), b = prepare(two);
    Approach path;
    do {
      const Vector3d u = random.direction();
      const Vector3d aim = random.vector().cwiseProduct(Vector3d(0.004, 0.004, 0.01));
      path = {{tilted(k % 4 == 0 ? pi / 2 : random.between(0, pi), random), aim - 0.15 * u}, u};
    } while (!bringNear(a, b, randomGap(random), path));
    const Contacts contacts = contactsOf(a, b, path.X_BA, kEverything);
    const SurfaceContact& c = nearest(contacts);
    ASSERT_NEAR(c.separation, test::referenceSeparation(one, two, path.X_BA), 1e-9)
        << "q " << path.X_BA.q.coeffs().transpose() << ", p " << path.X_BA.p.transpose();
    expectOnBothSurfaces(c,
                         test::referenceDistance(one, path.X_BA.inverse() * (c.p - 0.5 * c.separation * c.n)),
                         test::referenceDistance(two, c.p + 0.5 * c.separation * c.n));
  }
}

// Overlap is never missed, and never said to be deeper than it is.
TEST(RevolvedContacts, OverlapIsFoundAndNoDeeperThanItIs) {
  Random random(24);
  const auto pegs = test::pegs();
  const BlockWithHoles block = test::boredBlock(1e-5);
  const BlockGeometry b = prepare(block);
  int overlaps = 0;
  for (int k = 0; k < 500 / kShare; ++k) {
    SCOPED_TRACE("seed 24, pose " + std::to_string(k));
    const SolidOfRevolution& peg = pegs[static_cast<std::size_t>(k) % pegs.size()];
    const RevolvedGeometry a = prepare(peg);
    Approach path = approach(block, random);
    if (!bringNear(a, b, 1e-9, path)) continue;
    const Contacts near = contactsOf(a, b, path.X_BA, 1e-8);
    if (near.empty()) continue;  // grazes past without touching
    const SurfaceContact touching = nearest(near);
    const double push = std::pow(10, random.between(-8, -5));
    Pose X = path.X_BA;
    X.p += (touching.separation + push) * touching.n;
    const Contacts contacts = contactsOf(a, b, X, 1e-4);
    ASSERT_FALSE(contacts.empty());
    ASSERT_LT(nearest(contacts).separation, 0) << "pushed in by " << push;
    ++overlaps;
    // No distance changes by more than the path, so none is deeper than the push.
    for (const SurfaceContact& c : contacts)
      EXPECT_GE(c.separation, -push - 1e-11) << "feature " << c.feature;
  }
  EXPECT_GT(overlaps, 200 / kShare);
}

// Deep in each other, by up to the range, some contact still shows it: edges may then cut through faces
// beyond the reach of any common normal. Pushed in from where they touch, so that nearly all overlap.
TEST(RevolvedContacts, DeepOverlapIsDistinguishedFromDistance) {
  Random random(31);
  const auto pegs = test::pegs();
  const BlockWithHoles block = test::boredBlock(1e-4);
  const BlockGeometry b = prepare(block);
  int overlaps = 0;
  for (int k = 0; k < 300 / kShare; ++k) {
    SCOPED_TRACE("seed 31, pose " + std::to_string(k));
    const SolidOfRevolution& peg = pegs[static_cast<std::size_t>(k) % pegs.size()];
    const RevolvedGeometry a = prepare(peg);
    Pose X = poseNear(a, block, b, 1e-5, random);
    const Contacts touching = contactsOf(a, b, X, 1e-4);
    if (touching.empty()) continue;  // it grazed past
    const Vector3d into = nearest(touching).n;
    X.p += random.between(1e-4, 2e-3) * (into + 0.5 * random.direction()).normalized();
    if (test::referencePenetration(peg, block, X) < 1e-9) continue;
    ++overlaps;
    EXPECT_LT(nearest(contactsOf(a, b, X, 0.02)).separation, 0)
        << "q " << X.q.coeffs().transpose() << ", p " << X.p.transpose();
  }
  EXPECT_GT(overlaps, 250 / kShare);
}

// And where nothing overlaps after a move, no contact shows an overlap.
TEST(RevolvedContacts, NoOverlapIsReportedWhereThereIsNone) {
  Random random(33);
  const auto pegs = test::pegs();
  const BlockWithHoles block = test::boredBlock(1e-4);
  const BlockGeometry b = prepare(block);
  int apart = 0;
  for (int k = 0; k < 20 / kShare; ++k) {
    SCOPED_TRACE("seed 33, pose " + std::to_string(k));
    const SolidOfRevolution& peg = pegs[static_cast<std::size_t>(k) % pegs.size()];
    const RevolvedGeometry a = prepare(peg);
    Pose X = poseNear(a, block, b, 1e-5, random);
    X.p += random.between(0, 2e-3) * random.direction();
    if (test::referencePenetration(peg, block, X) > 0) continue;
    const double expected = test::referenceSeparation(peg, block, X);
    if (expected < 0) continue;
    ++apart;
    EXPECT_NEAR(nearest(contactsOf(a, b, X, 0.02)).separation, expected, 1e-9)
        << "q " << X.q.coeffs().transpose() << ", p " << X.p.transpose();
  }
  EXPECT_GT(apart, 4 / kShare);
}

// δ of the nearest contact changes with small motions of A as its normal says. Its point moves by the motion
// squared over its distance to an edge, so contacts are taken at which nothing is nearer than the step.
TEST(RevolvedContacts, NormalsAreTheDerivativeOfTheLeastDistance) {
  Random random(25);
  const auto pegs = test::pegs();
  const BlockWithHoles block = test::boredBlock(1e-4);
  const BlockGeometry b = prepare(block);
  int checked = 0;
  for (int k = 0; k < 900 / kShare && checked < 300 / kShare; ++k) {
    SCOPED_TRACE("seed 25, pose " + std::to_string(k));
    const RevolvedGeometry a = prepare(pegs[static_cast<std::size_t>(k) % pegs.size()]);
    const Pose X = poseNear(a, block, b, std::pow(10, random.between(-5, -3)), random);
    Contacts contacts = contactsOf(a, b, X, kEverything);
    std::sort(contacts.begin(), contacts.end(), [](auto& x, auto& y) { return x.separation < y.separation; });
    const SurfaceContact c = contacts.front();
    const auto same = [&](const SurfaceContact& x) {
      return (x.p - c.p).norm() < 1e-9 && (x.n - c.n).norm() < 1e-6;
    };
    const double step = 1e-8;
    const bool alone = std::all_of(contacts.begin(), contacts.end(), [&](const auto& x) {
      return same(x) || x.separation > c.separation + 20 * step;
    });
    if (!alone) continue;
    ++checked;
    // n points from A into B: moving A along it comes nearer.
    const Vector3d v = random.direction(), omega = 30 * random.direction();
    const auto moved = [&](double t) {
      const Quaterniond q = exponential(t * omega);
      return Pose{(q * X.q).normalized(), c.p + q * (X.p - c.p) + t * v};
    };
    const double rate = (least(a, b, moved(step)) - least(a, b, moved(-step))) / (2 * step);
    const Vector3d pA = c.p - 0.5 * c.separation * c.n;
    EXPECT_NEAR(rate, -c.n.dot(v + omega.cross(pA - c.p)), 1e-6) << "δ " << c.separation;
  }
  EXPECT_GE(checked, 100 / kShare);
}

TEST(RevolvedContacts, SwappedPartsGiveTheSameContactsTheOtherWayRound) {
  Random random(26);
  const auto pegs = test::pegs();
  for (int k = 0; k < 500 / kShare; ++k) {
    SCOPED_TRACE("seed 26, pose " + std::to_string(k));
    const RevolvedGeometry a = prepare(pegs[static_cast<std::size_t>(random.below(6))]);
    const RevolvedGeometry b = prepare(pegs[static_cast<std::size_t>(random.below(6))]);
    const Vector3d u = random.direction();
    Approach path{{tilted(random.between(0, pi), random), -0.1 * u}, u};
    if (!bringNear(a, b, randomGap(random), path)) continue;
    const Contacts forth = contactsOf(a, b, path.X_BA, kEverything);
    const Contacts back = contactsOf(b, a, path.X_BA.inverse(), kEverything);
    const SurfaceContact& c = nearest(forth);
    const SurfaceContact& d = nearest(back);
    ASSERT_NEAR(c.separation, d.separation, 1e-12);
    // The same contact, unless another one is as near.
    if (std::count_if(forth.begin(), forth.end(),
                      [&](auto& x) { return x.separation < c.separation + 1e-9; }) > 1)
      continue;
    ASSERT_LE((c.p - path.X_BA * d.p).norm(), 1e-7);
    ASSERT_LE((c.n + path.X_BA.q * d.n).norm(), 1e-6);
  }
}

TEST(RevolvedContacts, AnyWorldFrameGivesTheSameContacts) {
  Random random(27);
  const BlockWithHoles block = test::boredBlock(1e-5);
  const BlockGeometry b = prepare(block);
  const RevolvedGeometry a = prepare(test::cylinder(0.005, 0.06));
  for (int k = 0; k < 300 / kShare; ++k) {
    SCOPED_TRACE("seed 27, pose " + std::to_string(k));
    const Pose X_BA = poseNear(a, block, b, randomGap(random), random);
    const Pose X_WB{exponential(random.vector()), random.vector()};
    const Pose again = X_WB.inverse() * (X_WB * X_BA);
    const SurfaceContact c = nearest(contactsOf(a, b, X_BA, kEverything));
    const SurfaceContact d = nearest(contactsOf(a, b, again, kEverything));
    ASSERT_NEAR(c.separation, d.separation, 1e-14);
  }
}

TEST(RevolvedContacts, ACoaxialPegHasEightEqualDistancesAtEitherEndOfTheBore) {
  for (const double clearance : kClearances) {
    SCOPED_TRACE("clearance " + std::to_string(clearance));
    const RevolvedGeometry a = prepare(test::cylinder(0.005, 0.06));
    const BlockGeometry b = prepare(test::boredBlock(clearance));
    const Contacts contacts = contactsOf(a, b, Pose::at({0, 0, -0.005}), clearance);
    int tip = 0, bore = 0;
    for (const SurfaceContact& c : contacts) {
      EXPECT_NEAR(c.separation, clearance / 2, 1e-15);
      EXPECT_NEAR(c.n.z(), 0, 1e-12);
      EXPECT_NEAR(c.n.dot(Vector3d(c.p.x(), c.p.y(), 0).normalized()), 1, 1e-12);
      tip += std::abs(c.p.z() + 0.005) < 1e-12 ? 1 : 0;
      bore += std::abs(c.p.z() - 0.0085) < 1e-12 ? 1 : 0;
    }
    EXPECT_EQ(tip, 8);
    EXPECT_EQ(bore, 8);
    EXPECT_EQ(contacts.size(), 16U);
  }
}

TEST(RevolvedContacts, FixedPhasesTurnWithTheirPartAndKeepTheirFeatures) {
  const RevolvedGeometry a = prepare(test::cylinder(0.005, 0.06));
  const BlockGeometry b = prepare(test::boredBlock(1e-4));
  const Quaterniond turn = exponential(Vector3d(0, 0, 0.1));
  const Contacts before = contactsOf(a, b, Pose::at({0, 0, -0.005}), 1e-4);
  const Contacts after = contactsOf(a, b, {turn, {0, 0, -0.005}}, 1e-4);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].feature, after[i].feature);
    const bool ofA = before[i].p.z() < 0;  // the tip's; the bore's edge stays where it is
    const Vector3d moved = ofA ? Vector3d(turn * before[i].p) : before[i].p;
    EXPECT_LE((after[i].p - moved).norm(), 1e-12);
  }
}

TEST(RevolvedContacts, FeaturesAreUniqueAndOrderedAndALargerRangeOnlyAdds) {
  Random random(28);
  const auto pegs = test::pegs();
  const BlockWithHoles block = test::boredBlock(1e-4);
  const BlockGeometry b = prepare(block);
  for (int k = 0; k < 500 / kShare; ++k) {
    SCOPED_TRACE("seed 28, pose " + std::to_string(k));
    const RevolvedGeometry a = prepare(pegs[static_cast<std::size_t>(k) % pegs.size()]);
    const Pose X = poseNear(a, block, b, randomGap(random), random);
    const Contacts wide = contactsOf(a, b, X, 0.02), narrow = contactsOf(a, b, X, 0.004);
    for (std::size_t i = 1; i < wide.size(); ++i) ASSERT_LT(wide[i - 1].feature, wide[i].feature);
    for (const SurfaceContact& c : narrow) {
      const auto same =
          std::find_if(wide.begin(), wide.end(), [&](auto& x) { return x.feature == c.feature; });
      ASSERT_NE(same, wide.end()) << "δ " << c.separation;
      ASSERT_NEAR(same->separation, c.separation, 1e-14);
    }
    ASSERT_EQ(std::count_if(wide.begin(), wide.end(), [](auto& x) { return x.separation <= 0.004; }),
              static_cast<std::ptrdiff_t>(narrow.size()));
  }
}

// A peg too thick for its bore overlaps it all round by half the interference: rims far apart, each a little
// in the other solid, are not taken for crossed edges.
TEST(RevolvedContacts, AnInterferenceFitIsNoDeeperThanHalfTheInterference) {
  Random random(30);
  BlockWithHoles block;
  block.halfExtents = {0.03, 0.03, 0.01};
  block.cavities = {{"sharp", Pose::at({0, 0, 0.01}), {{0, 0.005}, {-0.02, 0.005}}, true}};
  const BlockGeometry b = prepare(block);
  for (int k = 0; k < 200; ++k) {
    SCOPED_TRACE("seed 30, pose " + std::to_string(k));
    const double interference = std::pow(10, random.between(-8, -5));
    const RevolvedGeometry a = prepare(test::cylinder(0.005 + interference / 2, 0.06));
    const Pose X{tilted(0, random), {0, 0, 0.01 - random.between(1e-4, 0.05)}};
    const Contacts contacts = contactsOf(a, b, X, 1e-4);
    ASSERT_GE(contacts.size(), 16U);
    EXPECT_NEAR(nearest(contacts).separation, -interference / 2, 1e-12);
  }
}

// No edge of either is in the other: only their faces cut each other.
TEST(RevolvedContacts, APegThroughAPlateWithoutAHoleOverlapsIt) {
  Random random(32);
  const RevolvedGeometry a = prepare(test::cylinder(0.002, 0.06));
  BlockWithHoles plate;
  plate.halfExtents = {0.1, 0.1, 0.0005};
  const BlockGeometry b = prepare(plate);
  for (int k = 0; k < 200; ++k) {
    SCOPED_TRACE("seed 32, pose " + std::to_string(k));
    const Quaterniond q = tilted(random.between(0, 1), random);
    const Vector3d p{random.between(-0.04, 0.04), random.between(-0.04, 0.04), 0};
    const Pose X{q, p - q * Vector3d(0, 0, random.between(0.01, 0.05))};
    const Contacts contacts = contactsOf(a, b, X, 1e-4);
    ASSERT_FALSE(contacts.empty());
    EXPECT_LT(nearest(contacts).separation, 0);
    EXPECT_GE(nearest(contacts).separation, -0.0005 - 1e-12);
  }
}

TEST(RevolvedContacts, APegLyingOnAFaceTouchesAtBothEndsOfItsLine) {
  BlockWithHoles block;
  block.halfExtents = {0.1, 0.1, 0.01};
  const Pose X{exponential(Vector3d(0, pi / 2, 0)), {-0.03, 0, 0.015}};
  const Contacts contacts = contactsOf(prepare(test::cylinder(0.005, 0.06)), prepare(block), X, 1e-6);
  double left = 0, right = 0;
  for (const SurfaceContact& c : contacts) {
    EXPECT_NEAR(c.separation, 0, 1e-15);
    EXPECT_LE((c.n - Vector3d(0, 0, -1)).norm(), 1e-12);
    left = std::min(left, c.p.x());
    right = std::max(right, c.p.x());
  }
  EXPECT_NEAR(left, -0.03, 1e-12);
  EXPECT_NEAR(right, 0.03, 1e-12);
}

TEST(RevolvedContacts, CrossedCylindersTouchWhereTheirAxesAreNearest) {
  const RevolvedGeometry a = prepare(test::cylinder(0.005, 0.06)), b = prepare(test::cylinder(0.003, 0.06));
  for (const double gap : {1e-3, 1e-6, 0.0, -1e-6}) {
    const Pose X{exponential(Vector3d(0, pi / 2, 0)), {-0.03, 0.008 + gap, 0.03}};
    const SurfaceContact c = nearest(contactsOf(a, b, X, 2e-3));
    EXPECT_NEAR(c.separation, gap, 1e-15);
    EXPECT_LE((c.n - Vector3d(0, -1, 0)).norm(), 1e-12);
    EXPECT_LE((c.p - Vector3d(0, 0.003 + gap / 2, 0.03)).norm(), 1e-12);
  }
}

// A rim on an edge: through zero the distance goes on along the common normal, and so does the normal.
TEST(RevolvedContacts, CrossingEdgesKeepTheirNormalThroughZero) {
  BlockWithHoles block;
  block.halfExtents = {0.02, 0.02, 0.01};
  const RevolvedGeometry a = prepare(test::cylinder(0.005, 0.06));
  const BlockGeometry b = prepare(block);
  // The rim leans over the edge along y at x = 0.02, z = 0.01: the contact normal is tilted to both faces.
  Pose X{exponential(Vector3d(0.5, 0.4, 0)), {0.025, 0.001, 0.03}};
  Approach path{X, Vector3d(-1, 0, -1).normalized()};
  ASSERT_TRUE(bringNear(a, b, 1e-5, path));
  const SurfaceContact start = nearest(contactsOf(a, b, path.X_BA, 1e-3));
  for (const double along : {0.0, 5e-6, 9.99e-6, 1e-5, 1.001e-5, 2e-5}) {
    Pose moved = path.X_BA;
    moved.p += along * start.n;
    const Contacts contacts = contactsOf(a, b, moved, 1e-3);
    const auto same =
        std::find_if(contacts.begin(), contacts.end(), [&](auto& c) { return c.feature == start.feature; });
    ASSERT_NE(same, contacts.end()) << "moved by " << along;
    EXPECT_NEAR(same->separation, start.separation - along, 1e-12);
    EXPECT_LE((same->n - start.n).norm(), 1e-8) << "moved by " << along;
  }
}

TEST(RevolvedContacts, OnAHalfSpaceTheDeepestPointOfEveryEdgeIsListed) {
  Random random(29);
  const SolidOfRevolution peg = test::cylinder(0.005, 0.06);
  const RevolvedGeometry a = prepare(peg);
  for (int k = 0; k < 1000; ++k) {
    SCOPED_TRACE("seed 29, pose " + std::to_string(k));
    const Pose X{tilted(random.between(0, pi), random), random.vector() * 0.01};
    Contacts contacts;
    revolvedHalfSpaceContacts(a, X, 1, contacts);
    // Lowest point of a disc: its center less its radius times the sine of the axis to the vertical.
    const Vector3d axis = X.q * Vector3d::UnitZ();
    const double drop = 0.005 * std::hypot(axis.x(), axis.y());
    const double expected = std::min(X.p.z(), (X.p + 0.06 * axis).z()) - drop;
    ASSERT_NEAR(nearest(contacts).separation, expected, 1e-14);
    ASSERT_EQ(nearest(contacts).n, Vector3d(0, 0, -1));
    for (const SurfaceContact& c : contacts) ASSERT_GE(c.separation, expected - 1e-14);
  }
}

}  // namespace
}  // namespace tenon::physics::revolved_contacts_test
