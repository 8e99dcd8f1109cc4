// Bodies that overlap or touch become one surface of the volume and area of their union.
#include "content/mesh/unite_bodies.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <optional>
#include <random>

#include "content/mesh/mesh_mass.h"
#include "content/mesh/self_intersections.h"
#include "content/recognize/recognized_part.h"
#include "tests/content/mesh_samples.h"

namespace tenon::content {
namespace {

double areaOf(const TriangleMesh& mesh) {
  double twice = 0;
  for (const auto& t : mesh.triangles) {
    const auto p = [&](int k) -> const Vector3d& { return mesh.vertices[static_cast<std::size_t>(t[k])]; };
    twice += (p(1) - p(0)).cross(p(2) - p(0)).norm();
  }
  return 0.5 * twice;
}

/// The union must be closed, free of crossings, and have this volume [m³] and area [m²].
void expectUnion(const TriangleMesh& mesh, double volume, double area) {
  const std::optional<RepairedMesh> united = uniteBodies(repairMesh(mesh));
  ASSERT_TRUE(united.has_value());
  EXPECT_TRUE(united->report.isClosed());
  EXPECT_FALSE(findSelfIntersections(*united).exist());
  EXPECT_NEAR(volumeOf(united->mesh), volume, 1e-6 * volume);
  EXPECT_NEAR(areaOf(united->mesh), area, 1e-6 * area);
  EXPECT_GT(united->report.unitedBodies, 1U);
  ASSERT_EQ(united->sources.size(), united->mesh.triangles.size());
  for (const int source : united->sources) EXPECT_LT(static_cast<std::size_t>(source), mesh.triangles.size());
}

// A cross of two bars whose tops and bottoms lie in the same planes.
TEST(UniteBodies, ACrossOfFlushBars) {
  TriangleMesh mesh;
  test::addBox({0.03, 0.01, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.01, 0.03, 0.01}, {0.01, -0.01, 0}, mesh);
  expectUnion(mesh, 5e-6, 2 * 5e-4 + 12 * 1e-4);
}

TEST(UniteBodies, BarsAtAnyAngle) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> part(-1, 1);
  for (int k = 0; k < 20; ++k) {
    TriangleMesh mesh, pin;
    test::addBox({0.03, 0.02, 0.01}, {-0.015, -0.01, -0.005}, mesh);
    // A long pin through both large faces: what of it lies inside the plate is hidden.
    test::addBox({0.002, 0.002, 0.06}, {-0.001, -0.001, -0.03}, pin);
    const double tilt = 0.1 * part(random);
    const Eigen::Matrix3d R(Eigen::AngleAxisd(tilt, Vector3d::UnitX()) *
                            Eigen::AngleAxisd(3 * part(random), Vector3d::UnitZ()));
    const Vector3d at(0.008 * part(random), 0.004 * part(random), 0);
    const auto first = static_cast<int>(mesh.vertices.size());
    for (const Vector3d& p : pin.vertices) mesh.vertices.push_back(at + R * p);
    for (const auto& t : pin.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    // The part inside is a prism along the pin, cut by parallel planes: its area across them is the pin's
    // over cos(tilt).
    const double inside = 4e-6 / std::cos(tilt) * 0.01;
    const std::optional<RepairedMesh> united = uniteBodies(repairMesh(mesh));
    ASSERT_TRUE(united.has_value()) << k;
    EXPECT_NEAR(volumeOf(united->mesh), 6e-6 + 2.4e-7 - inside, 1e-12) << k;
  }
}

TEST(UniteBodies, ABodyInsideAnotherDisappears) {
  TriangleMesh mesh;
  test::addBox({0.01, 0.02, 0.03}, {0, 0, 0}, mesh);
  test::addBox({0.004, 0.004, 0.004}, {0.003, 0.003, 0.003}, mesh);
  expectUnion(mesh, 6e-6, 22e-4);
}

// Stacked blocks of different sizes: their faces lie on each other, and the part between them is no surface.
TEST(UniteBodies, TouchingBodiesLoseTheWallBetweenThem) {
  TriangleMesh mesh;
  test::addBox({0.03, 0.02, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.01, 0.01, 0.01}, {0.011, 0.003, 0.01}, mesh);
  expectUnion(mesh, 7e-6, 22e-4 + 4e-4);
}

// Twice the same block, moved along one of its faces: coincident faces count once.
TEST(UniteBodies, CoincidentFacesCountOnce) {
  TriangleMesh mesh;
  test::addBox({0.03, 0.02, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.03, 0.02, 0.01}, {0.0101, 0, 0}, mesh);
  expectUnion(mesh, 0.0401 * 0.02 * 0.01, 2 * (0.0401 * 0.02 + 0.0401 * 0.01 + 0.02 * 0.01));
}

// Ten plates that overlap by 10 um to 10 mm, in float coordinates far from the origin.
TEST(UniteBodies, OverlapsOfAnyDepthInFloatCoordinates) {
  for (const double overlap : {1e-5, 1e-4, 1e-3, 1e-2}) {
    TriangleMesh mesh;
    for (int k = 0; k < 10; ++k)
      test::addBox({0.02 + overlap, 0.011, 0.007 + 0.001 * k}, {0.3 + 0.02 * k, 0.2, 0.1}, mesh);
    for (Vector3d& p : mesh.vertices) p = p.cast<float>().cast<double>();
    const std::optional<RepairedMesh> united = uniteBodies(repairMesh(mesh));
    ASSERT_TRUE(united.has_value()) << overlap;
    double volume = 0;
    for (int k = 0; k < 10; ++k) volume += 0.02 * 0.011 * (0.007 + 0.001 * k);
    volume += overlap * 0.011 * 0.016;  // the last one reaches further
    // Where a lower plate ends inside the next higher one, the higher one begins: nothing else is counted
    // twice.
    EXPECT_NEAR(volumeOf(united->mesh), volume, 2e-5 * volume) << overlap;
  }
}

TEST(UniteBodies, BodiesApartAndOneBodyAreLeftAlone) {
  TriangleMesh mesh;
  test::addBox({0.03, 0.02, 0.01}, {0, 0, 0}, mesh);
  EXPECT_FALSE(uniteBodies(repairMesh(mesh)).has_value());
  test::addBox({0.03, 0.02, 0.01}, {0.05, 0, 0}, mesh);
  EXPECT_FALSE(uniteBodies(repairMesh(mesh)).has_value());
  TriangleMesh cavity;
  test::addBox({0.03, 0.02, 0.01}, {0, 0, 0}, cavity);
  test::addBox({0.004, 0.004, 0.004}, {0.003, 0.003, 0.003}, cavity);
  for (std::size_t k = 12; k < cavity.triangles.size(); ++k)
    std::swap(cavity.triangles[k][1], cavity.triangles[k][2]);
  EXPECT_FALSE(uniteBodies(repairMesh(cavity)).has_value());
}

// Blocks that touch along an edge share no vertex afterwards: each edge has two triangles.
TEST(UniteBodies, BlocksEdgeAtEdgeCollideAsTheyAre) {
  TriangleMesh mesh;
  test::addBox({0.01, 0.01, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.01, 0.01, 0.01}, {0.01, 0.01, 0}, mesh);
  const RepairedMesh repaired = repairMesh(mesh);
  EXPECT_TRUE(repaired.report.isClosed());
  EXPECT_EQ(repaired.mesh.vertices.size(), 16U);
  const RecognizedPart part = recognize(repaired, BoreRule::flats);
  EXPECT_TRUE(std::holds_alternative<physics::BoundarySolid>(part.shape));
  EXPECT_NEAR(part.shapeVolume, 2e-6, 1e-12);
}

}  // namespace
}  // namespace tenon::content
