// The convex hull against solids whose corners and faces are known, and against its own definition.
#include "physics/collision/geometry/convex_hull.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <set>

namespace tenon::physics {
namespace {

std::vector<Vector3d> boxCorners(const Vector3d& h) {
  std::vector<Vector3d> corners;
  for (int k = 0; k < 8; ++k) {
    corners.emplace_back(k & 1 ? h.x() : -h.x(), k & 2 ? h.y() : -h.y(), k & 4 ? h.z() : -h.z());
  }
  return corners;
}

// Closed (every edge once in each direction), V − E + F = 2, outward planes with all points beneath.
void expectConvexSolid(const ConvexHull& hull, const std::vector<Vector3d>& points, double tolerance) {
  std::set<std::pair<int, int>> edges;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const auto& face = hull.faces[f];
    ASSERT_GE(face.size(), 3u);
    EXPECT_NEAR(hull.normals[f].norm(), 1, 1e-14);
    for (std::size_t k = 0; k < face.size(); ++k) {
      EXPECT_TRUE(edges.emplace(face[k], face[(k + 1) % face.size()]).second);
      EXPECT_NEAR(hull.normals[f].dot(hull.vertices[face[k]] - hull.vertices[face[0]]), 0, tolerance);
    }
    for (const Vector3d& p : points) {
      ASSERT_LE(hull.normals[f].dot(p - hull.vertices[face[0]]), tolerance);
    }
  }
  for (const auto& [a, b] : edges) EXPECT_TRUE(edges.count({b, a}));
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), edges.size() / 2 + 2);
}

TEST(ConvexHull, RotatedBoxWithDuplicatesEdgeAndInteriorPointsHasSixQuadrilaterals) {
  SCOPED_TRACE("seed 17");
  std::mt19937 random(17);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int round = 0; round < 200; ++round) {
    const Vector3d half(0.01, 0.02 + 0.01 * unit(random), 0.005);
    std::vector<Vector3d> points = boxCorners(half);
    points.push_back(points[3]);
    for (int k = 0; k < 60; ++k) {
      Vector3d p = Vector3d{unit(random), unit(random), unit(random)}.cwiseProduct(half);
      if (k % 3 < 2) p.x() = k % 2 ? half.x() : -half.x();  // in a face
      if (k % 3 < 1) p.y() = half.y();                      // on an edge
      points.push_back(p);
    }
    const Quaterniond q = Quaterniond{unit(random), unit(random), unit(random), unit(random)}.normalized();
    for (Vector3d& p : points) p = q * p + Vector3d(0.3, -0.1, 0.2);
    std::shuffle(points.begin(), points.end(), random);
    const ConvexHull hull = convexHull(points);
    ASSERT_EQ(hull.vertices.size(), 8u) << "round " << round;
    ASSERT_EQ(hull.faces.size(), 6u);
    for (const auto& face : hull.faces) EXPECT_EQ(face.size(), 4u);
    expectConvexSolid(hull, points, 1e-14);
  }
}

TEST(ConvexHull, PrismKeepsItsPolygonsWhole) {
  std::vector<Vector3d> points;
  for (int k = 0; k < 128; ++k) {
    const double angle = 2 * std::numbers::pi * k / 128;
    for (double z : {-0.01, 0.02}) points.emplace_back(0.004 * std::cos(angle), 0.004 * std::sin(angle), z);
  }
  const ConvexHull hull = convexHull(points);
  EXPECT_EQ(hull.vertices.size(), 256u);
  EXPECT_EQ(hull.faces.size(), 130u);
  expectConvexSolid(hull, points, 1e-14);
}

TEST(ConvexHull, GridOfPointsIsACube) {
  std::vector<Vector3d> points;
  for (int k = 0; k < 1000; ++k) points.emplace_back(k % 10, k / 10 % 10, k / 100);
  const ConvexHull hull = convexHull(points);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.faces.size(), 6u);
  expectConvexSolid(hull, points, 0);
}

TEST(ConvexHull, PointsOnASphereAreAllCorners) {
  SCOPED_TRACE("seed 5");
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::vector<Vector3d> points;
  for (int k = 0; k < 2000; ++k) {
    points.push_back(Vector3d{normal(random), normal(random), normal(random)}.normalized());
  }
  const ConvexHull hull = convexHull(points);
  EXPECT_EQ(hull.vertices.size(), points.size());
  EXPECT_EQ(hull.faces.size(), 2 * points.size() - 4);
  expectConvexSolid(hull, points, 1e-12);
}

TEST(ConvexHull, NoisyCoplanarPointsNeverTangleIt) {
  SCOPED_TRACE("seed 11");
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (double noise : {0.0, 1e-16, 1e-15, 1e-13, 1e-11, 1e-9, 1e-6}) {
    std::vector<Vector3d> points = boxCorners(Vector3d::Ones());
    for (int k = 0; k < 300; ++k) {
      Vector3d p{unit(random), unit(random), unit(random)};
      p[k % 3] = k % 2 ? 1 : -1;
      if (k % 5 == 0) p[(k + 1) % 3] = 1;
      points.push_back(p + noise * Vector3d{unit(random), unit(random), unit(random)});
    }
    SCOPED_TRACE(noise);
    expectConvexSolid(convexHull(points), points, 1e-9);
  }
}

TEST(ConvexHull, RefusesWhatIsNoSolid) {
  const auto refuses = [](const std::vector<Vector3d>& points) {
    EXPECT_THROW(convexHull(points), std::invalid_argument);
  };
  refuses({});
  refuses({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  refuses({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}});
  refuses({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}});
  refuses({{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0.3, 0.4, 1}});
  refuses({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::nan("")}});
  refuses({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::numeric_limits<double>::infinity()}});
}

}  // namespace
}  // namespace tenon::physics
