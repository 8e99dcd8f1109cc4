// The closest triangle and the inside test, compared with a search over all triangles.
#include "content/mesh/triangle_bvh.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/content/mesh_samples.h"

namespace tenon::content {
namespace {

/// A ring of 30 × 10 mm with a square section, in any pose.
TriangleMesh ring(std::mt19937_64& random) {
  TriangleMesh mesh =
      test::turnedMesh({{0, 0.005}, {0, 0.015}, {0.01, 0.015}, {0.01, 0.005}, {0, 0.005}}, 24);
  test::disturb(mesh, 1e-5, physics::Pose(), random);
  return mesh;
}

TEST(TriangleBvh, FindsTheClosestOfAllTriangles) {
  std::mt19937_64 random(1);
  const TriangleBvh tree(trianglesOf(ring(random)));
  std::uniform_real_distribution<double> one(-0.02, 0.02);
  for (int k = 0; k < 500; ++k) {
    const Vector3d p(one(random), one(random), one(random));
    double least = 1;
    for (int t = 0; t < tree.count(); ++t)
      least = std::min(least, (closestPointOnTriangle(tree.triangle(t), p) - p).norm());
    const TriangleBvh::Nearest nearest = tree.nearest(p);
    EXPECT_DOUBLE_EQ(nearest.distance, least);
    EXPECT_DOUBLE_EQ((closestPointOnTriangle(tree.triangle(nearest.triangle), p) - p).norm(), least);
    for (const double guess : {0.0, 1e-6, 1e-3, 0.5 * least, 2 * least, 1e3}) {
      EXPECT_EQ(tree.nearest(p, guess).triangle, nearest.triangle) << guess;
      EXPECT_EQ(tree.nearest(p, guess).distance, nearest.distance) << guess;
    }
  }
}

TEST(TriangleBvh, ThePointOnATriangleIsTheClosestOne) {
  const TriangleCorners t{Vector3d(0, 0, 0), Vector3d(2, 0, 0), Vector3d(0, 1, 0)};
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> one(-3, 3), part(0, 1);
  for (int k = 0; k < 200; ++k) {
    const Vector3d p(one(random), one(random), one(random));
    const double least = (closestPointOnTriangle(t, p) - p).norm();
    for (int n = 0; n < 50; ++n) {
      double u = part(random), v = part(random);
      if (u + v > 1) u = 1 - u, v = 1 - v;
      EXPECT_GE((t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]) - p).norm(), least - 1e-12);
    }
  }
}

TEST(TriangleBvh, TheInsideOfARingIsItsMaterial) {
  std::mt19937_64 random(3);
  const TriangleBvh tree(trianglesOf(ring(random)));
  std::uniform_real_distribution<double> one(-0.018, 0.018);
  int inside = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vector3d p(one(random), one(random), one(random));
    const double r = std::hypot(p.x(), p.y());
    // Between inscribed and circumscribed circle, both results are possible.
    const double edge =
        std::min({std::abs(r - 0.005), std::abs(r - 0.015), std::abs(p.z()), std::abs(p.z() - 0.01)});
    if (edge < 2e-4) continue;
    const bool material = r > 0.005 && r < 0.015 && p.z() > 0 && p.z() < 0.01;
    EXPECT_EQ(tree.isInside(p), material) << p.transpose();
    inside += material ? 1 : 0;
  }
  EXPECT_GT(inside, 100);
}

}  // namespace
}  // namespace tenon::content
