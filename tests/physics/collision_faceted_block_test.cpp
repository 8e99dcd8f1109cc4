// Blocks with holes as convex parts: volume, membership, a peg in the hole, and no bumps at seams.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/collision/geometry/faceted_block.h"
#include "tests/support/faceted_hole.h"

namespace tenon::collision_faceted_block_test {
namespace {

using namespace physics;
using tests::ProfilePoint;

constexpr unsigned kSeed = 20240612;

FacetedBlock plate(int sectors, double radius = 4.2e-3) {
  FacetedBlock block;
  block.halfExtents = {20e-3, 15e-3, 6e-3};
  block.holes = {{"hole", {1e-3, -2e-3}, radius, 0.8e-3, 0.8e-3, 1.0}};
  block.sectors = sectors;
  return block;
}

FacetedBlock manyHoles(int sectors) {
  FacetedBlock block;
  block.halfExtents = {40e-3, 30e-3, 8e-3};
  block.holes = {{"a", {-25e-3, -12e-3}, 4e-3, 1e-3, 0.5e-3, 1.0},
                 {"b", {20e-3, 12e-3}, 6e-3, 0, 0, 5e-3},
                 {"c", {-20e-3, 14e-3}, 3e-3, 0.5e-3, 1e-3, 9e-3},
                 {"d", {22e-3, -13e-3}, 5e-3, 0.7e-3, 0.7e-3, 16e-3}};
  block.sectors = sectors;
  return block;
}

double sumOfVolumes(const std::vector<Polytope>& pieces) {
  double sum = 0;
  for (const Polytope& piece : pieces) sum += volume(piece);
  return sum;
}

// Of the prism and pyramid frustum that a faceted hole takes away.
double cavity(const FacetedBlock& block, const RoundHole& hole) {
  const double shape = block.sectors * std::tan(std::numbers::pi / block.sectors);  // area / r²
  const double depth = std::min(hole.depth, 2 * block.halfExtents.z());
  const double r = hole.radius, R = hole.radius + hole.chamferWidth;
  return shape * (r * r * (depth - hole.chamferDepth) + hole.chamferDepth * (r * r + r * R + R * R) / 3);
}

TEST(FacetedBlockParts, VolumeIsBoxLessFacetedHoles) {
  for (int sectors : {8, 12, 32, 128}) {
    const FacetedBlock block = manyHoles(sectors);
    double expected = 8 * block.halfExtents.prod();
    for (const RoundHole& hole : block.holes) expected -= cavity(block, hole);
    EXPECT_NEAR(sumOfVolumes(convexDecomposition(block)) / expected, 1, 1e-12) << sectors;
  }
}

TEST(FacetedBlockParts, EachPieceIsConvex) {
  for (const Polytope& piece : convexDecomposition(manyHoles(12))) {
    for (const Polytope::Face& face : piece.faces) {
      for (const Vector3d& p : piece.vertices) EXPECT_LE(face.normal.dot(p) - face.offset, 1e-15);
    }
  }
}

TEST(FacetedBlockParts, APointIsInSomePieceExactlyWhereThereIsMaterial) {
  std::mt19937 engine(kSeed);
  for (int sectors : {8, 16, 128}) {
    const FacetedBlock block = manyHoles(sectors);
    const std::vector<Polytope> pieces = convexDecomposition(block);
    for (int trial = 0; trial < 4000; ++trial) {
      const auto in = [&](double h) {
        return std::uniform_real_distribution<double>(-1.05 * h, 1.05 * h)(engine);
      };
      const Vector3d p{in(block.halfExtents.x()), in(block.halfExtents.y()), in(block.halfExtents.z())};
      int holders = 0;
      for (const Polytope& piece : pieces) {
        holders += std::all_of(piece.faces.begin(), piece.faces.end(),
                               [&](const Polytope::Face& face) { return face.normal.dot(p) <= face.offset; });
      }
      EXPECT_EQ(holders, tests::depthInBlock(block, p) > 0 ? 1 : 0)
          << "seed " << kSeed << " sectors " << sectors << " p " << p.transpose();
    }
  }
}

TEST(FacetedBlockParts, SaysWhatIsWrong) {
  EXPECT_FALSE(problemWith(manyHoles(128)));
  FacetedBlock block = plate(128);
  block.holes[0].center.x() = 16e-3;
  EXPECT_NE(problemWith(block)->find("not within the block"), std::string::npos);
  EXPECT_THROW(convexDecomposition(block), std::invalid_argument);
  block = plate(128);
  block.holes.push_back(block.holes[0]);
  EXPECT_NE(problemWith(block)->find("twice"), std::string::npos);
  block.holes[1].name = "other";
  block.holes[1].center.x() += 9e-3;
  EXPECT_NE(problemWith(block)->find("overlap"), std::string::npos);
  block = plate(30);
  EXPECT_NE(problemWith(block)->find("sectors"), std::string::npos);
  block = plate(128);
  block.holes[0].chamferDepth = 0;
  EXPECT_NE(problemWith(block)->find("chamfer"), std::string::npos);
  // Five holes in a whirl: each straight cut goes through one of them.
  block = FacetedBlock{{20e-3, 20e-3, 5e-3}, {}, 16};
  const double far = 10.5e-3, near = 5e-3;
  const Eigen::Vector2d whirl[] = {{far, near}, {-near, far}, {-far, -near}, {near, -far}, {0, 0}};
  for (const auto& center : whirl) {
    block.holes.push_back({"h" + std::to_string(block.holes.size()), center, 5.3e-3, 0, 0, 1.0});
  }
  block.holes.back().radius = 4e-3;
  EXPECT_NE(problemWith(block)->find("cut"), std::string::npos);
}

// A collider with the block (fixed) and a peg.
struct PegInBlock {
  FacetedBlock block;
  std::unique_ptr<Collider> collider = makeBulletCollider();
  PegInBlock(const FacetedBlock& holed, const Shape& peg) : block(holed) {
    collider->addBody(block, Vector3d::Zero(), false);
    collider->addBody(peg, Vector3d::Zero(), true);
  }
  ContactSet at(const Pose& X_WB, const Pose& X_WP, double range) const {
    ContactSet contacts;
    collider->findContacts({BodyId{0}, BodyId{1}}, X_WB, X_WP, range, contacts);
    return contacts;
  }
};

double leastDelta(const ContactSet& contacts) {
  double least = HUGE_VAL;
  for (const Contact& c : contacts) least = std::min(least, c.separation);
  return least;
}

// A normal that some face of the surface has: of the plate's sides, a facet of the bore or the chamfer.
bool isFaceNormal(const FacetedBlock& block, const Vector3d& n, double tolerance) {
  for (int k = 0; k < 3; ++k) {
    if (std::abs(std::abs(n[k]) - 1) < tolerance) return true;
  }
  const double chamfer = std::atan2(block.holes[0].chamferWidth, block.holes[0].chamferDepth);
  for (double rise : {0.0, chamfer}) {
    const double flat = std::cos(rise);
    const double step = 2 * std::numbers::pi / block.sectors;
    // Inward: from the material to the peg.
    const double angle = std::atan2(-n.y(), -n.x());
    const double nearest = step * std::round(angle / step);
    const Vector3d facet(-flat * std::cos(nearest), -flat * std::sin(nearest), std::sin(rise));
    if ((facet - n).norm() < tolerance) return true;
  }
  return false;
}

TEST(PegInFacetedHole, OverlapAgreesWithGeometry) {
  std::mt19937 engine(kSeed + 1);
  const auto in = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); };
  int overlaps = 0;
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed + 1 << " trial " << trial);
    const double clearance = in(5e-6, 200e-6);
    const PegInBlock scene(plate(128), Cylinder{4.2e-3 - clearance / 2, 12e-3});
    const std::vector<ProfilePoint> profile{{-12e-3, 4.2e-3 - clearance / 2},
                                            {12e-3, 4.2e-3 - clearance / 2}};
    const double tilt = in(0, 1.2) * clearance / 6e-3, spin = in(-3, 3), direction = in(-3, 3);
    const Vector3d tiltAxis(std::cos(direction), std::sin(direction), 0);
    const double offset = in(0, 0.55) * clearance, where = in(-3, 3);
    const Pose X_WP{
        exponential(tilt * tiltAxis) * exponential(spin * Vector3d::UnitZ()),
        Vector3d(1e-3 + offset * std::cos(where), -2e-3 + offset * std::sin(where), in(2e-3, 17e-3))};
    const ContactSet contacts = scene.at(Pose{}, X_WP, 300e-6);
    ASSERT_FALSE(contacts.empty());
    const double truth = tests::penetration(scene.block, Pose{}, profile, X_WP);
    overlaps += truth > 1e-9;
    // Depths along a normal and depths of points differ by the facets' angles to second order.
    EXPECT_NEAR(std::max(0.0, -leastDelta(contacts)), truth, 2e-9 + 0.5 * truth);
    EXPECT_TRUE(truth > 0 || leastDelta(contacts) >= -1e-12) << leastDelta(contacts);
    EXPECT_TRUE(truth < 1e-12 || leastDelta(contacts) < 0) << truth;
  }
  EXPECT_GT(overlaps, 50);
  EXPECT_LT(overlaps, 250);
}

TEST(PegInFacetedHole, OverlapAtTheChamferAgreesWithGeometry) {
  std::mt19937 engine(kSeed + 3);
  const auto in = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); };
  const PegInBlock scene(plate(128), Cylinder{4.15e-3, 12e-3});
  const std::vector<ProfilePoint> profile{{-12e-3, 4.15e-3}, {12e-3, 4.15e-3}};
  int touching = 0;
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed + 3 << " trial " << trial);
    const double direction = in(-3, 3), where = in(-3, 3), offset = in(0, 0.9e-3);
    const Vector3d tiltAxis(std::cos(direction), std::sin(direction), 0);
    Pose X_WP{exponential(in(0, 0.035) * tiltAxis),
              Vector3d(1e-3 + offset * std::cos(where), -2e-3 + offset * std::sin(where), 20e-3)};
    // Down until the engine says that it touches; then geometry must say so too.
    for (int k = 0; k < 40; ++k) {
      const ContactSet contacts = scene.at(Pose{}, X_WP, 3e-3);
      const double least = leastDelta(contacts);
      if (contacts.empty() || least > 1e-12) {
        X_WP.p.z() -= std::min(contacts.empty() ? 1e-3 : least, 1e-3);
        EXPECT_EQ(tests::penetration(scene.block, Pose{}, profile, X_WP), 0) << "at " << X_WP.p.z();
        continue;
      }
      ++touching;
      const double drop = in(1e-6, 20e-6);
      X_WP.p.z() -= drop;
      const double truth = tests::penetration(scene.block, Pose{}, profile, X_WP);
      EXPECT_GT(truth, 0.01 * drop);
      EXPECT_NEAR(-leastDelta(scene.at(Pose{}, X_WP, 1e-4)), truth, 2e-9 + 0.5 * truth);
      break;
    }
  }
  EXPECT_GT(touching, 100);
}

TEST(PegInFacetedHole, ParallelPegTouchesFacetsByTwoPointsEach) {
  const PegInBlock scene(plate(32), Cylinder{4.1e-3, 12e-3});
  const ContactSet contacts = scene.at(Pose{}, Pose::at({1e-3 + 0.1e-3, -2e-3, 4e-3}), 1e-6);
  // Pressed to +x: the facet that faces −x, along the line from the peg's end or bore's to the chamfer.
  ASSERT_EQ(contacts.size(), 2u);
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.separation, 0, 1e-12);
    EXPECT_LT((c.n + Vector3d::UnitX()).norm(), 1e-12);
  }
  const double low = std::min(contacts[0].p.z(), contacts[1].p.z());
  const double high = std::max(contacts[0].p.z(), contacts[1].p.z());
  EXPECT_NEAR(low, -6e-3, 1e-9);
  EXPECT_NEAR(high, 5.2e-3, 1e-9);
}

TEST(PegInFacetedHole, CentredPegIsItsClearanceAwayFromEveryFacet) {
  const PegInBlock scene(plate(128), Cylinder{4.1e-3, 12e-3});
  const ContactSet contacts = scene.at(Pose{}, Pose::at({1e-3, -2e-3, 4e-3}), 101e-6);
  EXPECT_EQ(contacts.size(), 256u);
  for (const Contact& c : contacts) EXPECT_NEAR(c.separation, 0.1e-3, 1e-12);
}

TEST(Seams, ABoxSlidingOverThePlateFeelsOnlyItsTop) {
  const FacetedBlock block = plate(32);
  const PegInBlock scene(block, Box{{2e-3, 3e-3, 1e-3}});
  for (int k = 0; k <= 400; ++k) {
    const double t = k / 400.0;
    const Pose X_WP{exponential(0.3 * t * Vector3d::UnitZ()),
                    {-15e-3 + 30e-3 * t, 9e-3 * t - 8e-3, 7e-3 - 1e-9}};
    const ContactSet contacts = scene.at(Pose{}, X_WP, 50e-6);
    for (const Contact& c : contacts) {
      EXPECT_TRUE(isFaceNormal(block, c.n, 1e-6))
          << "k " << k << " n " << c.n.transpose() << std::hex << c.feature;
      EXPECT_GE(c.separation, -1.0001e-9);
    }
  }
}

TEST(Seams, APegSlidingDownTheBoreFeelsOnlyFacets) {
  const FacetedBlock block = plate(64);
  const PegInBlock scene(block, Cylinder{4.15e-3, 12e-3});
  for (int k = 0; k <= 400; ++k) {
    const double t = k / 400.0;
    const double angle = 6.28 * t;
    const Pose X_WP =
        Pose::at({1e-3 + 50e-6 * std::cos(angle), -2e-3 + 50e-6 * std::sin(angle), 16e-3 - 12e-3 * t});
    for (const Contact& c : scene.at(Pose{}, X_WP, 40e-6)) {
      EXPECT_TRUE(isFaceNormal(block, c.n, 1e-4))
          << "k " << k << " n " << c.n.transpose() << std::hex << c.feature;
      EXPECT_GE(c.separation, -1e-12);
    }
  }
}

TEST(Seams, ABallInsideTheMaterialIsPushedOutOfATrueFace) {
  const FacetedBlock block = plate(32);
  const PegInBlock scene(block, Sphere{0.5e-3});
  std::mt19937 engine(kSeed + 2);
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed + 2 << " trial " << trial);
    const auto in = [&](double h) { return std::uniform_real_distribution<double>(-h, h)(engine); };
    const Vector3d p{in(19e-3), in(14e-3), in(5.5e-3)};
    if (tests::depthInBlock(block, p) < 0.6e-3) continue;
    const ContactSet contacts = scene.at(Pose{}, Pose::at(p), 50e-6);
    ASSERT_FALSE(contacts.empty());
    EXPECT_LT(leastDelta(contacts), -0.5e-3);
    for (const Contact& c : contacts) EXPECT_TRUE(isFaceNormal(block, c.n, 1e-4)) << c.n.transpose();
  }
}

TEST(Seams, APlateLyingOnAHoledPlateHasItsCornersOnly) {
  FacetedBlock block = plate(64);
  block.halfExtents = {30e-3, 30e-3, 5e-3};
  const PegInBlock scene(block, Box{{10e-3, 10e-3, 1e-3}});
  const ContactSet contacts =
      scene.at(Pose{}, Pose{exponential(0.1 * Vector3d::UnitZ()), {0, 0, 6e-3}}, 1e-6);
  EXPECT_EQ(contacts.size(), 4u);
  for (const Contact& c : contacts) EXPECT_NEAR(c.separation, 0, 1e-15);
}

}  // namespace
}  // namespace tenon::collision_faceted_block_test
