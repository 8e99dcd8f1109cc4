// Contacts of blocks with holes with polytopes, capsules and each other against brute force, finite
// differences and symmetry.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/physics/block_pairs.h"
#include "tests/support/share.h"

namespace tenon::physics {
namespace {

using test::ApproachToBlock;
using test::Contacts;
using test::kEverything;
using test::kShare;
using test::nearest;
using test::Pairing;
using test::Random;

const std::vector<Pairing>& pairings() {
  static const std::vector<Pairing> all = test::blockPairings();
  return all;
}

std::string at(const Pose& X) {
  std::ostringstream text;
  text.precision(17);
  text << "q " << X.q.coeffs().transpose() << ", p " << X.p.transpose();
  return text.str();
}

Pose poseNear(const Pairing& pairing, double gap, Random& random) {
  for (;;) {
    ApproachToBlock approach = test::approachToBlock(pairing, random);
    if (test::bringNear(pairing, gap, approach)) return approach.X_KP;
  }
}

class BlockPairs : public testing::TestWithParam<int> {
 protected:
  const Pairing& pairing() const { return pairings()[static_cast<std::size_t>(GetParam())]; }
  unsigned seed(int test) const { return static_cast<unsigned>(100 * test + GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Each, BlockPairs, testing::Range(0, 14));

TEST_P(BlockPairs, LeastDistanceIsThatOfBruteForce) {
  Random random(seed(1));
  double worst = 0;
  for (int k = 0; k < 40 / kShare; ++k) {
    SCOPED_TRACE(pairing().name + ", seed " + std::to_string(seed(1)) + ", pose " + std::to_string(k));
    const Pose X = poseNear(pairing(), std::pow(10, random.between(-7, -2.7)), random);
    const SurfaceContact c = nearest(pairing().contacts(X, kEverything));
    EXPECT_LE(std::abs(pairing().toMoving(X.inverse() * (c.p - 0.5 * c.separation * c.n))), 1e-12);
    EXPECT_LE(std::abs(pairing().toStanding(c.p + 0.5 * c.separation * c.n)), 1e-12);
    const double expected = pairing().separation(X);
    worst = std::max(worst, std::abs(c.separation - expected));
    EXPECT_NEAR(c.separation, expected, 1e-9) << at(X);
  }
  std::ostringstream error;
  error << worst;
  RecordProperty("worst_error_m", error.str());
}

// Overlap is never missed, and never said to be deeper than it is.
TEST_P(BlockPairs, OverlapIsFoundAndNoDeeperThanItIs) {
  Random random(seed(2));
  for (int k = 0; k < 60 / kShare; ++k) {
    SCOPED_TRACE(pairing().name + ", seed " + std::to_string(seed(2)) + ", pose " + std::to_string(k));
    Pose X = poseNear(pairing(), 1e-9, random);
    const SurfaceContact touching = nearest(pairing().contacts(X, 1e-6));
    const double push = std::pow(10, random.between(-8, -5));
    X.p += (touching.separation + push) * touching.n;
    const Contacts contacts = pairing().contacts(X, 1e-4);
    ASSERT_FALSE(contacts.empty());
    ASSERT_LT(nearest(contacts).separation, 0) << "pushed in by " << push << ", " << at(X);
    // No distance changes by more than the displacement, so none is deeper than the push.
    for (const SurfaceContact& c : contacts) EXPECT_GE(c.separation, -push - 1e-11) << at(X);
  }
}

// Moved anywhere by up to some millimeters: overlaps are reported, and only they.
TEST_P(BlockPairs, DeepOverlapIsDistinguishedFromDistance) {
  Random random(seed(3));
  int overlaps = 0, apart = 0;
  for (int k = 0; k < 60 / kShare; ++k) {
    SCOPED_TRACE(pairing().name + ", seed " + std::to_string(seed(3)) + ", pose " + std::to_string(k));
    Pose X = poseNear(pairing(), 1e-5, random);
    const SurfaceContact touching = nearest(pairing().contacts(X, 1e-3));
    const Vector3d direction = random.below(3) == 0 ? random.direction() : touching.n;
    X.p += std::pow(10, random.between(-4, -2.5)) * direction;
    const double expected = pairing().separation(X);
    const Contacts contacts = pairing().contacts(X, 0.02);
    const double separation = contacts.empty() ? 0.02 : nearest(contacts).separation;
    if (expected > 0 && expected < 0.02) {
      EXPECT_NEAR(separation, expected, 1e-9) << at(X);
      ++apart;
    } else if (expected < -1e-9) {
      EXPECT_LT(separation, 0) << "overlap " << expected << ", " << at(X);
      ++overlaps;
    }
  }
  EXPECT_GT(overlaps, 20 / kShare);
  EXPECT_GT(apart + overlaps, 40 / kShare);
}

// δ of the nearest contact changes with small motions of P as its normal says, where no other is as near.
TEST_P(BlockPairs, NormalsAreTheDerivativeOfTheLeastDistance) {
  Random random(seed(4));
  int checked = 0;
  for (int k = 0; k < 200 / kShare && checked < 40 / kShare; ++k) {
    SCOPED_TRACE(pairing().name + ", seed " + std::to_string(seed(4)) + ", pose " + std::to_string(k));
    const Pose X = poseNear(pairing(), std::pow(10, random.between(-5, -3)), random);
    const Contacts contacts = pairing().contacts(X, kEverything);
    const SurfaceContact c = nearest(contacts);
    const double step = 1e-8;
    const bool alone = std::all_of(contacts.begin(), contacts.end(), [&](const auto& x) {
      return ((x.p - c.p).norm() < 1e-9 && (x.n - c.n).norm() < 1e-6) ||
             x.separation > c.separation + 20 * step;
    });
    if (!alone) continue;
    ++checked;
    const Vector3d v = random.direction(), omega = 30 * random.direction();
    const auto moved = [&](double t) {
      const Quaterniond q = exponential(t * omega);
      return Pose{(q * X.q).normalized(), c.p + q * (X.p - c.p) + t * v};
    };
    const double rate =
        (test::least(pairing(), moved(step)) - test::least(pairing(), moved(-step))) / (2 * step);
    const Vector3d pP = c.p - 0.5 * c.separation * c.n;
    EXPECT_NEAR(rate, -c.n.dot(v + omega.cross(pP - c.p)), 1e-5) << "δ " << c.separation << ", " << at(X);
  }
  EXPECT_GE(checked, 20 / kShare);
}

// Every contact joins a point of one surface with a point of the other, and none is nearer than the solids.
TEST_P(BlockPairs, EveryContactIsOnBothSurfacesAndAtMostAsNearAsTheSolids) {
  Random random(seed(5));
  for (int k = 0; k < 60 / kShare; ++k) {
    SCOPED_TRACE(pairing().name + ", seed " + std::to_string(seed(5)) + ", pose " + std::to_string(k));
    const Pose X = poseNear(pairing(), std::pow(10, random.between(-7, -3)), random);
    const Contacts contacts = pairing().contacts(X, 2e-3);
    const double least = nearest(contacts).separation;
    for (const SurfaceContact& c : contacts) {
      ASSERT_NEAR(c.n.norm(), 1, 1e-12);
      ASSERT_GE(c.separation, least);
      // A sphere in a bore is held by planes that touch the wall, and so is a corner that it is all round of:
      // their points lie beside it.
      const bool ofBall = pairing().name.find("capsule") != std::string::npos && (c.feature >> 31) == 1;
      const Vector3d onP = X.inverse() * (c.p - 0.5 * c.separation * c.n),
                     onK = c.p + 0.5 * c.separation * c.n;
      const bool ofCorner = (c.feature >> 31) == 1 || (c.feature >> 18) < kBoxFeatures;
      const bool allRound = ofCorner && (c.feature >> 3 & 3) == 1;
      if (ofBall || allRound) continue;
      ASSERT_LE(std::abs(pairing().toMoving(onP)), 1e-9) << "δ " << c.separation << ", " << at(X);
      ASSERT_LE(std::abs(pairing().toStanding(onK)), 1e-9) << "δ " << c.separation << ", " << at(X);
    }
  }
}

TEST_P(BlockPairs, FeaturesAreUniqueAndOrderedAndALargerRangeOnlyAdds) {
  Random random(seed(6));
  for (int k = 0; k < 60 / kShare; ++k) {
    SCOPED_TRACE(pairing().name + ", seed " + std::to_string(seed(6)) + ", pose " + std::to_string(k));
    const Pose X = poseNear(pairing(), std::pow(10, random.between(-7, -3)), random);
    const Contacts wide = pairing().contacts(X, 0.02), narrow = pairing().contacts(X, 0.002);
    for (std::size_t i = 1; i < wide.size(); ++i) ASSERT_LT(wide[i - 1].feature, wide[i].feature) << at(X);
    for (const SurfaceContact& c : narrow) {
      const auto same =
          std::find_if(wide.begin(), wide.end(), [&](auto& x) { return x.feature == c.feature; });
      ASSERT_NE(same, wide.end()) << "δ " << c.separation << ", " << at(X);
      ASSERT_NEAR(same->separation, c.separation, 1e-14);
    }
    ASSERT_EQ(std::count_if(wide.begin(), wide.end(), [](auto& x) { return x.separation <= 0.002; }),
              static_cast<std::ptrdiff_t>(narrow.size()))
        << at(X);
  }
}

TEST_P(BlockPairs, AnyWorldFrameGivesTheSameDistance) {
  Random random(seed(7));
  for (int k = 0; k < 40 / kShare; ++k) {
    SCOPED_TRACE(pairing().name + ", seed " + std::to_string(seed(7)) + ", pose " + std::to_string(k));
    const Pose X = poseNear(pairing(), std::pow(10, random.between(-7, -3)), random);
    const Pose X_WK{exponential(random.vector()), random.vector()};
    ASSERT_NEAR(test::least(pairing(), X_WK.inverse() * (X_WK * X)), test::least(pairing(), X), 1e-13);
  }
}

// The poses of these tests are worth something: of those parts that fit, many are in holes.
TEST(BlockPairsPaths, LeadIntoHoles) {
  int in = 0, all = 0;
  for (std::size_t i = 0; i < 11; ++i) {
    Random random(static_cast<unsigned>(i));
    const Pairing& pairing = pairings()[i];
    for (int k = 0; k < 20; ++k, ++all) {
      const Pose X = poseNear(pairing, 1e-5, random);
      const SurfaceContact c = nearest(pairing.contacts(X, 1e-3));
      const Vector3d p = c.p + 0.5 * c.separation * c.n;
      in += ((p.cwiseAbs() - pairing.block.halfExtents).array() < -1e-6).all() ? 1 : 0;
    }
  }
  EXPECT_GT(in, all / 6);
}

// Where a floor meets a wall both hold a corner, whether it is a nanometer over them or in them.
TEST(BlockCorners, InAnInnerCornerAreHeldByTheFloorAndTheWall) {
  const BlockWithHoles block = test::boredBlock(1e-4);  // counterbore of radius 6 mm, its floor at z = 6 mm
  const double x = 0.003, half = 0.0004;
  const double reach = std::sqrt(0.006 * 0.006 - half * half);  // of the wall beside the corners
  const Pairing pairing = test::hullInBlock("bar", test::boxCorners({x, half, 0.01}), block);
  for (const double down : {-1e-9, 0.0, 1e-9})
    for (const double aside : {-1e-9, 0.0, 1e-9}) {
      SCOPED_TRACE(std::to_string(down * 1e9) + " nm down, " + std::to_string(aside * 1e9) + " nm aside");
      const Vector3d p(-0.025 + reach - x + aside, -0.012, 0.016 - down);
      int floor = 0, wall = 0;
      for (const SurfaceContact& c : pairing.contacts(Pose::at(p), 1e-5)) {
        if (c.n.z() < -0.999) {
          ++floor;
          EXPECT_NEAR(c.separation, -down, 1e-12);
        } else if (c.p.z() < 0.0061) {
          ++wall;
          EXPECT_NEAR(c.separation, -aside * reach / 0.006, 1e-12);
        }
      }
      EXPECT_GE(floor, 2);
      EXPECT_EQ(wall, 2);
    }
}

// No edge or corner of the plate is in the rod, nor a corner of the rod in the plate.
TEST(BlockPlates, ARodThroughAPlateWithoutAHoleOverlapsIt) {
  const BlockWithHoles plate{{0.1, 0.1, 0.0005}, {}};
  const Vector3d h(0.002, 0.0015, 0.03);
  const Pairing rods[] = {test::hullInBlock("box", test::boxCorners(h), plate),
                          test::blockInBlock("block", BlockWithHoles{h, {}}, plate),
                          test::capsuleInBlock("capsule", 0.002, 0.03, plate)};
  for (const Pairing& rod : rods) {
    Random random(62);
    for (int k = 0; k < 100; ++k) {
      SCOPED_TRACE(rod.name + ", seed 62, pose " + std::to_string(k));
      const Vector3d p{random.between(-0.04, 0.04), random.between(-0.04, 0.04), 0};
      const Quaterniond q = exponential(random.between(0, 1) * random.direction());
      const Pose X{q, p - q * Vector3d(0, 0, random.between(-0.02, 0.02))};
      const Contacts contacts = rod.contacts(X, 1e-4);
      ASSERT_FALSE(contacts.empty());
      EXPECT_LT(nearest(contacts).separation, 0);
      EXPECT_GE(nearest(contacts).separation, -0.0005 - 1e-12);
    }
  }
}

// An edge that runs along a face, or ends on it, is inside the other for a distance of mere rounding. Steps a
// part of that long came to no end.
TEST(BlockTouching, PartsSideBySideTouchAndDoNotOverlap) {
  const BlockWithHoles block = test::boredBlock(1e-4);
  const Vector3d& H = block.halfExtents;
  Random random(63);
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE("seed 63, pose " + std::to_string(k));
    const Vector3d h{random.between(0.002, 0.02), random.between(0.002, 0.02), random.between(0.002, 0.02)};
    const bool edgeOnly = k % 2 == 0;
    const Pose X = Pose::at({H.x() + h.x(), edgeOnly ? H.y() + h.y() : random.between(-1, 1) * H.y(), 0});
    const Contacts contacts = test::hullInBlock("box", test::boxCorners(h), block).contacts(X, 1e-4);
    ASSERT_FALSE(contacts.empty());
    EXPECT_NEAR(nearest(contacts).separation, 0, 1e-15);
  }
}

// Corners in the planes of the block's sides rest on its upper face, whatever side rounding puts them on; so
// do the corners of the block below a longer box.
TEST(BlockTouching, ABoxOfTheSameWidthRestsOnTheBlock) {
  const BlockWithHoles block = test::boredBlock(1e-4);
  const Vector3d& H = block.halfExtents;
  for (const double length : {0.4, 2.0}) {
    const Vector3d h(length * H.x(), H.y(), 0.01);
    const Pairing pairs[] = {test::hullInBlock("box", test::boxCorners(h), block),
                             test::blockInBlock("block", BlockWithHoles{h, {}}, block)};
    for (const Pairing& pair : pairs)
      for (const double aside : {0.0, 1e-12, -1e-12, 4e-10, -4e-10})
        for (const double gap : {0.0, 1e-12, -1e-12, 1e-10, -1e-10, 1e-8, -1e-8}) {
          SCOPED_TRACE(pair.name + ", length " + std::to_string(length) + ", aside " +
                       std::to_string(1e12 * aside) + " pm, gap " + std::to_string(1e12 * gap) + " pm");
          const Contacts contacts = pair.contacts(Pose::at({0, aside, H.z() + h.z() + gap}), 1e-5);
          Vector3d low = Vector3d::Constant(1), high = -low;
          for (const SurfaceContact& c : contacts) {
            if (c.n.z() > -0.999 || std::abs(c.separation - gap) > 1e-11) continue;
            low = low.cwiseMin(c.p);
            high = high.cwiseMax(c.p);
          }
          // At the ends of their common face.
          EXPECT_NEAR(high.x() - low.x(), 2 * std::min(h.x(), H.x()), 1e-8);
          EXPECT_NEAR(high.y() - low.y(), 2 * H.y(), 1e-8);
        }
  }
}

TEST(BlockPairsSwapped, TwoBlocksGiveTheSameContactsTheOtherWayRound) {
  Random random(61);
  const BlockWithHoles small = test::smallBlock(), block = test::boredBlock(1e-4);
  const Pairing forth = test::blockInBlock("forth", small, block), back = test::swapped(small, block);
  for (int k = 0; k < 150 / kShare; ++k) {
    SCOPED_TRACE("seed 61, pose " + std::to_string(k));
    const Pose X = poseNear(forth, std::pow(10, random.between(-7, -3)), random);
    const Contacts one = forth.contacts(X, 0.01), two = back.contacts(X, 0.01);
    const SurfaceContact &c = nearest(one), &d = nearest(two);
    ASSERT_NEAR(c.separation, d.separation, 1e-12) << at(X);
    if (std::count_if(one.begin(), one.end(), [&](auto& x) { return x.separation < c.separation + 1e-9; }) >
        1)
      continue;
    ASSERT_LE((c.p - d.p).norm(), 1e-7) << at(X);
    ASSERT_LE((c.n - d.n).norm(), 1e-6) << at(X);
  }
}

}  // namespace
}  // namespace tenon::physics
