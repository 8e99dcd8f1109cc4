// The triangulation of faces with holes is complete, without duplicates and correctly oriented.
#include "content/parts/face_triangles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace tenon::content::test {
namespace {

using Eigen::Vector2d;
using std::numbers::pi;

double areaOf(const Polygon& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vector2d &a = p[i], &b = p[(i + 1) % p.size()];
    sum += a.x() * b.y() - a.y() * b.x();
  }
  return sum / 2;
}

/// The triangles have the area of the face; a polygon of n corners and h holes has n + 2 h − 2 triangles.
void expectCovered(const Polygon& outer, const std::vector<Polygon>& holes) {
  Polygon points(outer);
  double expected = areaOf(outer);
  for (const Polygon& hole : holes) {
    points.insert(points.end(), hole.begin(), hole.end());
    expected -= areaOf(hole);
  }
  const auto triangles = triangulate(outer, holes);
  EXPECT_EQ(triangles.size(), points.size() + 2 * holes.size() - 2);
  double area = 0;
  for (const auto& t : triangles) {
    const double own = areaOf({points[t[0]], points[t[1]], points[t[2]]});
    EXPECT_GE(own, -1e-9);  // 0 where three corners are in line
    area += own;
  }
  EXPECT_NEAR(area, expected, 1e-9 * expected);
}

const Polygon kSquare{{-65, -65}, {65, -65}, {65, 65}, {-65, 65}};

TEST(FaceTriangles, FlangeWithHolesOnACircleIsCoveredAtAnyAngle) {
  for (int turn = 0; turn < 12; ++turn) {
    SCOPED_TRACE(turn);
    std::vector<Polygon> holes{circle({0, 0}, 25, 32)};
    for (int k = 0; k < 8; ++k) {
      const double phi = 2 * pi * (k + turn / 12.0) / 8;
      holes.push_back(circle(50 * Vector2d(std::cos(phi), std::sin(phi)), 4.5, 24));
    }
    expectCovered(kSquare, holes);
  }
}

// Rows and columns: bridges end at corners that already have one, and holes lie at one height.
TEST(FaceTriangles, GridOfHolesIsCovered) {
  std::vector<Polygon> holes;
  for (int i = -3; i <= 3; ++i)
    for (int j = -3; j <= 3; ++j) holes.push_back(circle({16.0 * i, 16.0 * j}, 5, 24));
  expectCovered(kSquare, holes);
}

TEST(FaceTriangles, RandomHolesAreCovered) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> place(-55, 55), size(1, 8);
    std::vector<Polygon> holes;
    std::vector<std::pair<Vector2d, double>> taken;
    for (int k = 0; k < 200; ++k) {
      const Vector2d center(place(engine), place(engine));
      const double radius = size(engine);
      const bool isFree = std::all_of(taken.begin(), taken.end(), [&](const auto& other) {
        return (other.first - center).norm() > other.second + radius + 0.1;
      });
      if (!isFree) continue;
      taken.emplace_back(center, radius);
      holes.push_back(circle(center, radius, 24));
    }
    ASSERT_GT(holes.size(), 40u);
    expectCovered(kSquare, holes);
  }
}

}  // namespace
}  // namespace tenon::content::test
