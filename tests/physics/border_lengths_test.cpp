// Lengths of the borders at the vertices of a mesh: straight ones that corners divide count as one.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "physics/collision/brep/border_lengths.h"

namespace tenon::physics::brep::border_lengths_test {
namespace {

/// A closed polygon around face 0, of borders to face 1.
std::vector<MeshBorder> ringOf(std::size_t corners) {
  std::vector<MeshBorder> borders;
  const auto count = static_cast<int>(corners);
  for (int k = 0; k < count; ++k) borders.push_back({k, (k + 1) % count, 0, 1});
  return borders;
}

TEST(BorderLengths, ADividedChordIsAsLongAsTheWhole) {
  // A square of side 3 mm; two sides have corners between their ends, 50 nm off the line.
  const std::vector<Vector3d> points{{0, 0, 0},          {0.001, 5e-8, 0},  {0.0015, 0, 0}, {0.003, 0, 0},
                                     {0.003, 0.0029, 0}, {0.003, 0.003, 0}, {0, 0.003, 0}};
  const std::vector<double> lengths = longestBorders(points, ringOf(points.size()));
  for (std::size_t v = 0; v < points.size(); ++v) EXPECT_NEAR(lengths[v], 0.003, 1e-12) << v;
}

TEST(BorderLengths, OtherFacesDivideALine) {
  const std::vector<Vector3d> points{{0, 0, 0}, {0.001, 0, 0}, {0.003, 0, 0}, {0.001, -0.0005, 0}};
  std::vector<MeshBorder> borders{{0, 1, 0, 1}, {1, 2, 0, 2}, {1, 3, 1, 2}};
  std::vector<double> lengths = longestBorders(points, borders);
  EXPECT_NEAR(lengths[0], 0.001, 1e-15);
  EXPECT_NEAR(lengths[1], 0.002, 1e-15);
  EXPECT_NEAR(lengths[3], 0.0005, 1e-15);
  borders[1] = {2, 1, 1, 0};  // the same two faces, in the other direction
  lengths = longestBorders(points, borders);
  EXPECT_NEAR(lengths[0], 0.003, 1e-15);
}

TEST(BorderLengths, ChordsOfAFineCircleStayAlone) {
  constexpr int kCorners = 256;
  constexpr double kRadius = 0.002;  // each corner is 0.6 µm off the line of its neighbors
  std::vector<Vector3d> points;
  for (int k = 0; k < kCorners; ++k) {
    const double angle = 2 * std::numbers::pi * k / kCorners;
    points.emplace_back(kRadius * std::cos(angle), kRadius * std::sin(angle), 0);
  }
  const double chord = 2 * kRadius * std::sin(std::numbers::pi / kCorners);
  for (const double length : longestBorders(points, ringOf(points.size()))) EXPECT_NEAR(length, chord, 1e-15);
  EXPECT_EQ(longestBorders(points, {}).front(), 0);
}

}  // namespace
}  // namespace tenon::physics::brep::border_lengths_test
