// Signed distances of points to solids of revolution and blocks with holes against their definitions.
#include <gtest/gtest.h>

#include "tests/physics/revolved_parts.h"
#include "tests/support/revolved_reference.h"

namespace tenon::physics {
namespace {

using test::Random;

constexpr double kExact = 1e-12;

// Points everywhere about the solid, half of them within micrometers of its surface.
template <class Geometry>
Vector3d pointAbout(const Geometry& geometry, const Vector3d& size, Random& random) {
  Vector3d p = random.vector().cwiseProduct(0.7 * size);
  if (random.below(2) == 0) {
    const SurfaceHit hit = nearestOn(geometry, p);
    const double share = random.between(-1, 1), off = share * std::pow(10, random.between(-10, -3));
    p -= (hit.distance + off) * hit.normal;
  }
  return p;
}

template <class Shape, class Geometry>
void checkPoints(const Shape& shape, const Geometry& geometry, const Vector3d& size, int count,
                 Random& random) {
  for (int k = 0; k < count; ++k) {
    const Vector3d p = pointAbout(geometry, size, random);
    const SurfaceHit hit = nearestOn(geometry, p);
    ASSERT_NEAR(hit.distance, test::referenceDistance(shape, p), kExact) << "at " << p.transpose();
    ASSERT_NEAR(hit.normal.norm(), 1, 1e-12);
    // The normal leads to the closest point. Next to an edge it follows from the edge's faces instead.
    if (hit.edge && std::abs(hit.distance) < 2e-9) continue;
    const Vector3d foot = p - hit.distance * hit.normal;
    ASSERT_LE(std::abs(test::referenceDistance(shape, foot)), kExact) << "at " << p.transpose();
  }
}

TEST(RevolvedDistance, OfPointsToSolidsOfRevolutionIsExact) {
  SCOPED_TRACE("seed 11");
  Random random(11);
  for (const SolidOfRevolution& peg : test::pegs())
    checkPoints(peg, prepare(peg), {0.01, 0.01, 0.06}, 10000, random);
}

TEST(RevolvedDistance, OfPointsToBoredBlocksIsExact) {
  SCOPED_TRACE("seed 12");
  Random random(12);
  for (const double clearance : {1e-3, 1e-5, 1e-6}) {
    const BlockWithHoles block = test::boredBlock(clearance);
    checkPoints(block, prepare(block), {0.04, 0.03, 0.012}, 20000, random);
  }
}

TEST(RevolvedDistance, InTheBoreIsTheWallsAndAtItsEdgesTheNearestFeatures) {
  const BlockGeometry block = prepare(test::boredBlock(1e-5));
  const double r = 0.005005;
  // A micrometer from the wall, half way down.
  SurfaceHit hit = nearestOn(block, {r - 1e-6, 0, 0});
  EXPECT_NEAR(hit.distance, 1e-6, 1e-15);
  EXPECT_EQ(hit.normal, Vector3d(-1, 0, 0));
  // On the bisector of bore and chamfer, in the free space: the edge itself is nearest.
  const Vector2d edge(r, 0.0085), bisector(-std::cos(std::numbers::pi / 8), std::sin(std::numbers::pi / 8));
  const Vector2d p = edge + 1e-5 * bisector;
  hit = nearestOn(block, {p.x(), 0, p.y()});
  EXPECT_TRUE(hit.edge);
  EXPECT_NEAR(hit.distance, 1e-5, 1e-15);
  // Over the middle of the mouth the rim is nearest, not the face that is not there.
  hit = nearestOn(block, {0, 0, 0.0101});
  EXPECT_GT(hit.distance, 0.005);
}

TEST(RevolvedDistance, WithNoDirectionToGoByNormalsAreThoseOfTheFaces) {
  SCOPED_TRACE("seed 13");
  Random random(13);
  const RevolvedGeometry peg = prepare(test::cylinder(0.005, 0.06));
  for (int k = 0; k < 1000; ++k) {
    const double phi = random.between(0, 2 * std::numbers::pi), off = random.between(-1e-15, 1e-15);
    const Vector3d e(std::cos(phi), std::sin(phi), 0);
    const SurfaceHit hit = nearestOn(peg, (0.005 + off) * e + Vector3d(0, 0, random.between(0.001, 0.059)));
    ASSERT_LE((hit.normal - e).norm(), 1e-14);
    ASSERT_LE(std::abs(hit.distance), 1e-14);
  }
}

}  // namespace
}  // namespace tenon::physics
