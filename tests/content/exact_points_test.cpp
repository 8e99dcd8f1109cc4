// Points where planes meet, and their sides, against integers that are known.
#include "content/mesh/exact_points.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>

namespace tenon::content {
namespace {

GridPoint randomPoint(std::mt19937& random, std::int64_t largest) {
  std::uniform_int_distribution<std::int64_t> part(-largest, largest);
  return {part(random), part(random), part(random)};
}

// Planes through a common grid point meet there, and nowhere else, however small the angles between them.
TEST(ExactPoints, PlanesThroughAPointMeetThere) {
  constexpr std::int64_t kLargest = 1 << 27;
  std::mt19937 random(3);
  ExactPoints points;
  for (int k = 0; k < 200; ++k) {
    const GridPoint p = randomPoint(random, kLargest / 2);
    // Every other time all of them within some 1e-6 rad of one plane.
    const GridPoint a = randomPoint(random, kLargest / 4), b = randomPoint(random, kLargest / 4);
    const auto near = [&](const GridPoint& q) -> GridPoint {
      return p + (k % 2 == 0 ? randomPoint(random, kLargest / 4) : GridPoint(q + randomPoint(random, 3)));
    };
    std::array<GridPlane, 3> planes;
    for (GridPlane& plane : planes) plane = planeThrough(p, near(a), near(b));
    const ExactPoint met = meetingPoint(planes[0], planes[1], planes[2]);
    if (met.d == 0) continue;
    const int own = points.indexOf(met);
    EXPECT_EQ(points.indexOf(exactPoint(p)), own) << k;
    EXPECT_LT((points.rounded(own) - p.cast<double>()).norm(), 1e-7) << k;
    for (const GridPlane& plane : planes) {
      EXPECT_EQ(points.side(plane, own), 0) << k;
      const int steep = steepestAxis(plane);
      const GridPoint beside = p + GridPoint::Unit(steep) * (plane.n[steep] > 0 ? 1 : -1);
      EXPECT_EQ(points.side(plane, points.indexOf(exactPoint(beside))), 1) << k;
    }
  }
}

TEST(ExactPoints, OrderAlongAnAxisIsThatOfFractions) {
  // x = 1/3 and x = 333333/1000000 apart, and x = 2/6 the same.
  const auto at = [](std::int64_t x, std::int64_t d) {
    ExactPoint p = exactPoint({x, 0, 0});
    p.d = d;
    return p;
  };
  EXPECT_EQ(compareAlong(0, at(1, 3), at(333333, 1000000)), 1);
  EXPECT_EQ(compareAlong(0, at(333333, 1000000), at(1, 3)), -1);
  EXPECT_EQ(compareAlong(0, at(1, 3), at(2, 6)), 0);
  ExactPoints points;
  EXPECT_EQ(points.indexOf(at(1, 3)), points.indexOf(at(2, 6)));
  EXPECT_NE(points.indexOf(at(1, 3)), points.indexOf(at(333333, 1000000)));
}

TEST(ExactPoints, TheMeanOfCornersLiesInTheirPlaneAndInside) {
  std::mt19937 random(5);
  for (int k = 0; k < 100; ++k) {
    ExactPoints points;
    std::array<GridPoint, 3> corners;
    std::array<int, 3> indices{};
    for (std::size_t n = 0; n < 3; ++n) {
      corners[n] = randomPoint(random, 1 << 22);
      indices[n] = points.indexOf(exactPoint(corners[n]));
    }
    const GridPlane face = planeThrough(corners[0], corners[1], corners[2]);
    const InnerPoint p = innerPoint(points, indices, {3, 1, 2});
    EXPECT_EQ(sideOf(face, p), 0);
    const int axis = steepestAxis(face);
    for (std::size_t n = 0; n < 3; ++n)
      EXPECT_EQ(sideOf(planeAlong(axis, face.n[axis] > 0, corners[n], corners[(n + 1) % 3]), p), -1);
  }
}

}  // namespace
}  // namespace tenon::content
