// Open surfaces get a back side a micrometer behind them; closed bodies stay as they are.
#include "content/mesh/thicken_sheets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>

#include "content/mesh/mesh_mass.h"
#include "content/recognize/recognized_part.h"
#include "tests/content/mesh_samples.h"

namespace tenon::content {
namespace {

/// Each side must belong to two triangles, in opposite directions, which are neighbors.
void expectClosed(const RepairedMesh& mesh) {
  std::map<std::pair<int, int>, int> sides;
  for (std::size_t t = 0; t < mesh.mesh.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::pair side(mesh.mesh.triangles[t][k], mesh.mesh.triangles[t][(k + 1) % 3]);
      EXPECT_TRUE(sides.emplace(side, static_cast<int>(t)).second);
    }
  for (std::size_t t = 0; t < mesh.mesh.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto other = sides.find({mesh.mesh.triangles[t][(k + 1) % 3], mesh.mesh.triangles[t][k]});
      ASSERT_NE(other, sides.end());
      EXPECT_EQ(other->second, mesh.neighbors[t][k]);
    }
}

TriangleMesh square() {
  return {{{0, 0, 0}, {0.04, 0, 0}, {0.04, 0.03, 0}, {0, 0.03, 0}}, {{0, 1, 2}, {0, 2, 3}}};
}

TEST(ThickenSheets, ASquareBecomesAPlate) {
  const RepairedMesh plate = thickenSheets(repairMesh(square()));
  expectClosed(plate);
  EXPECT_NEAR(volumeOf(plate.mesh), 0.04 * 0.03 * kSheetThickness, 1e-18);
  for (const Vector3d& p : plate.mesh.vertices) EXPECT_TRUE(p.z() == 0 || p.z() == -kSheetThickness);
  EXPECT_EQ(plate.report.openEdges, 4U);
}

TEST(ThickenSheets, ABoxWithoutALidBecomesFiveWalls) {
  TriangleMesh box;
  test::addBox({0.03, 0.02, 0.01}, {0, 0, 0}, box);
  std::erase_if(box.triangles, [&](const auto& t) {
    return box.vertices[static_cast<std::size_t>(t[0])].z() +
               box.vertices[static_cast<std::size_t>(t[1])].z() +
               box.vertices[static_cast<std::size_t>(t[2])].z() >
           0.029;
  });
  ASSERT_EQ(box.triangles.size(), 10U);
  const RepairedMesh walls = thickenSheets(repairMesh(box));
  expectClosed(walls);
  const double area = 0.03 * 0.02 + 2 * (0.03 + 0.02) * 0.01;
  EXPECT_NEAR(volumeOf(walls.mesh), area * kSheetThickness, 0.5 * area * kSheetThickness);
  EXPECT_GT(volumeOf(walls.mesh), 0);
}

// Three leaves of a hinge, a closed box beside them, and a strip whose triangles face different sides.
TEST(ThickenSheets, AnyTrianglesBecomeAClosedSurface) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {0, 0, 0.02}, {0.02, 0, 0}, {-0.01, 0.02, 0}, {-0.01, -0.02, 0}};
  mesh.triangles = {{0, 2, 1}, {0, 3, 1}, {0, 4, 1}};
  test::addBox({0.01, 0.01, 0.01}, {0.05, 0, 0}, mesh);
  const RepairedMesh repaired = repairMesh(mesh);
  ASSERT_FALSE(repaired.report.isClosed());
  const RepairedMesh sheets = thickenSheets(repaired);
  expectClosed(sheets);
  EXPECT_NEAR(volumeOf(sheets.mesh), 1e-6, 1e-8);
  EXPECT_NO_THROW(recognize(repaired, BoreRule::flats));
}

TEST(ThickenSheets, AMoebiusBandHasASurface) {
  TriangleMesh band;
  constexpr int kSteps = 40;
  for (int k = 0; k < kSteps; ++k) {
    const double a = 2 * 3.14159265358979 * k / kSteps;
    for (const double w : {-0.004, 0.004})
      band.vertices.emplace_back((0.02 + w * std::cos(a / 2)) * std::cos(a),
                                 (0.02 + w * std::cos(a / 2)) * std::sin(a), w * std::sin(a / 2));
  }
  for (int k = 0; k < kSteps; ++k) {
    const bool isLast = k + 1 == kSteps;
    const int a = 2 * k, b = 2 * k + 1, c = isLast ? 1 : 2 * k + 2, d = isLast ? 0 : 2 * k + 3;
    band.triangles.push_back({a, b, c});
    band.triangles.push_back({c, b, d});
  }
  const RepairedMesh repaired = repairMesh(band);
  ASSERT_TRUE(repaired.report.nonOrientable);
  expectClosed(thickenSheets(repaired));
  EXPECT_NO_THROW(recognize(repaired, BoreRule::flats));
}

}  // namespace
}  // namespace tenon::content
