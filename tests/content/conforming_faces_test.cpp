// Faces of two parts that lie on one another: prisms and blocks with sizes that the tests choose.
#include "content/recognize/conforming_faces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "tests/content/prism_pairs.h"

namespace tenon::content::conforming_faces_test {
namespace {

using namespace test;

constexpr double kSquare = 1e-12;  // of areas [m²]

double totalArea(const std::vector<ConformingFaces>& pairs) {
  return std::accumulate(pairs.begin(), pairs.end(), 0.0,
                         [](double sum, const ConformingFaces& pair) { return sum + pair.area; });
}

TEST(ConformingFaces, FourWallsAndAFloorOfASquarePegInItsPocket) {
  const Pair pair = pegInPocket(0);
  const auto faces = pair.faces(1e-6);
  ASSERT_EQ(faces.size(), 5U);
  for (const ConformingFaces& face : faces) EXPECT_NEAR(face.gap, 0, kRounding);
  EXPECT_NEAR(totalArea(faces), 4 * 0.01 * 0.015 + 0.01 * 0.01, kSquare);
}

TEST(ConformingFaces, GapIsThatAlongTheNormal) {
  for (const double gap : {10e-6, 200e-6, -0.2e-6}) {
    int walls = 0;
    for (const ConformingFaces& face : pegInPocket(gap).faces()) {
      const bool isWall = std::abs(face.normals.front().z()) < 0.5;
      EXPECT_NEAR(face.gap, isWall ? gap : 0, kRounding);
      walls += isWall;
    }
    EXPECT_EQ(walls, 4) << gap;
  }
  EXPECT_EQ(pegInPocket(0.31e-3).faces().size(), 1U) << "only the floor is within the tolerance";
}

TEST(ConformingFaces, SlightlyTiltedPlanesConformWhereTheirGapIsSmallEverywhere) {
  Pair pair;
  pair.a = pair.b = physics::Box{{0.01, 0.01, 0.01}};
  const double tilt = 0.002;
  pair.X_WB = {Eigen::Quaterniond(Eigen::AngleAxisd(tilt, Vector3d::UnitY())), {0, 0, 0.02}};
  EXPECT_TRUE(pair.faces(15e-6).empty());
  const auto faces = pair.faces(25e-6);
  ASSERT_EQ(faces.size(), 1U) << "20 µm on either side";
  EXPECT_NEAR(faces.front().gap, 0, 0.1e-6);
  pair.X_WB.q = Eigen::AngleAxisd(0.011, Vector3d::UnitY());
  EXPECT_TRUE(pair.faces(kTolerance).empty());
}

TEST(ConformingFaces, FacesThatOnlyShareAnEdgeOrLookTheSameWayDoNot) {
  Pair pair;
  pair.a = pair.b = physics::Box{{0.01, 0.01, 0.01}};
  pair.X_WB.p = {0.02, 0, 0.02};
  EXPECT_TRUE(pair.faces().empty()) << "edge on edge";
  pair.X_WB.p = {0.01, 0.003, 0};
  EXPECT_TRUE(pair.faces().empty()) << "tops in one plane, normals in one direction";
  pair.X_WB.p = {0.005, 0.003, 0.02};
  ASSERT_EQ(pair.faces().size(), 1U);
  EXPECT_NEAR(pair.faces().front().area, 0.015 * 0.017, kSquare);
}

TEST(ConformingFaces, ArcOfAShaftInItsBore) {
  Pair pair;
  pair.a = prism(dShape(0.003 - 10e-6, 0.002 - 10e-6), -0.01, 0.02);
  Outline outer = dShape(0.01, 0.009);
  pair.b = Prism(outer, dShape(0.003, 0.002), -0.015, 0).solid;
  pair.X_WA.q = pair.X_WB.q = Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()));
  pair.X_WA.p = pair.X_WB.p = {0.1, -0.2, 0.05};
  const auto faces = pair.faces();
  ASSERT_EQ(faces.size(), 2U);
  const double arc = 2 * std::numbers::pi - 2 * std::acos(2.0 / 3);
  for (const ConformingFaces& face : faces) {
    EXPECT_NEAR(face.gap, 10e-6, kRounding);
    if (face.normals.size() == 1) continue;
    EXPECT_NEAR(face.area, 0.01 * arc * 0.00299, 0.01 * face.area);
    EXPECT_GT(face.normals.size(), 50U) << "one each 5°, from one end of the arc to the other";
    for (const Vector3d& n : face.normals) EXPECT_NEAR(n.norm(), 1, kRounding);
  }
}

TEST(ConformingFaces, ConesOfOneSlope) {
  Pair pair;
  pair.a = physics::Frustum{0.004, 0.006, 0.01};
  physics::Cavity seat{"seat", Pose::at({0, 0, 0.02}), {{0, 0.0065}, {-0.02, 0.0045}, {-0.02, 0}}, false};
  pair.b = physics::BlockWithHoles{{0.02, 0.02, 0.02}, {seat}};
  // 5 mm above the floor of the seat, the middle of the frustum has the radius of the seat there.
  const double lift = 0.1e-3;
  pair.X_WA.p = {0, 0, 0.005 + lift};
  const auto faces = pair.faces();
  ASSERT_FALSE(faces.empty());
  bool hasCone = false;
  for (const ConformingFaces& face : faces) {
    if (face.normals.size() == 1) continue;
    hasCone = true;
    EXPECT_NEAR(face.gap, 0.1 * lift / std::sqrt(1.01), kRounding);
  }
  EXPECT_TRUE(hasCone);
}

}  // namespace
}  // namespace tenon::content::conforming_faces_test
