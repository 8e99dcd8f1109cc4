// Bodies that overlap or touch become one surface of the volume and area of their union.
#include "content/mesh/unite_bodies.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

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
  const std::optional<RepairedMesh> united = uniteBodies(repairMesh(mesh)).mesh;
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
    const std::optional<RepairedMesh> united = uniteBodies(repairMesh(mesh)).mesh;
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
    const std::optional<RepairedMesh> united = uniteBodies(repairMesh(mesh)).mesh;
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
  EXPECT_FALSE(uniteBodies(repairMesh(mesh)).mesh.has_value());
  test::addBox({0.03, 0.02, 0.01}, {0.05, 0, 0}, mesh);
  EXPECT_FALSE(uniteBodies(repairMesh(mesh)).mesh.has_value());
  TriangleMesh cavity;
  test::addBox({0.03, 0.02, 0.01}, {0, 0, 0}, cavity);
  test::addBox({0.004, 0.004, 0.004}, {0.003, 0.003, 0.003}, cavity);
  for (std::size_t k = 12; k < cavity.triangles.size(); ++k)
    std::swap(cavity.triangles[k][1], cavity.triangles[k][2]);
  EXPECT_FALSE(uniteBodies(repairMesh(cavity)).mesh.has_value());
}

/// A box by its pose; its sides are those of `size` [m].
struct PlacedBox {
  Vector3d size, middle;
  Eigen::Matrix3d R;

  bool contains(const Vector3d& p) const {
    return ((R.transpose() * (p - middle)).cwiseAbs().array() < 0.5 * size.array()).all();
  }
  void addTo(TriangleMesh& mesh) const {
    TriangleMesh box;
    test::addBox(size, -0.5 * size, box);
    const auto first = static_cast<int>(mesh.vertices.size());
    for (const Vector3d& p : box.vertices) mesh.vertices.push_back(middle + R * p);
    for (const auto& t : box.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
};

// Swarms of boxes in any pose, some face to face but for the rounding of coordinates: the union is closed,
// and has the volume that points counted inside the boxes have.
TEST(UniteBodies, SwarmsOfBoxesHaveTheVolumeThatCountedPointsHave) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> part(-1, 1);
  const auto vector = [&] { return Vector3d(part(random), part(random), part(random)); };
  for (int k = 0; k < 12; ++k) {
    std::vector<PlacedBox> boxes;
    for (int n = 0; n < 8; ++n) {
      PlacedBox box{Vector3d::Constant(0.012) + 0.008 * vector(), 0.01 * vector(),
                    Eigen::Quaterniond(part(random), part(random), part(random), part(random))
                        .normalized()
                        .toRotationMatrix()};
      boxes.push_back(box);
      // On a face of the last one.
      box.middle += box.R * Vector3d(0.002 * part(random), 0.002 * part(random), box.size.z());
      boxes.push_back(box);
    }
    TriangleMesh mesh;
    for (const PlacedBox& box : boxes) box.addTo(mesh);
    for (Vector3d& p : mesh.vertices) p = p.cast<float>().cast<double>();
    const std::optional<RepairedMesh> united = uniteBodies(repairMesh(mesh)).mesh;
    ASSERT_TRUE(united.has_value()) << k;
    EXPECT_TRUE(united->report.isClosed()) << k;
    constexpr double kSide = 0.08;
    constexpr int kPoints = 200'000;
    int inside = 0;
    for (int n = 0; n < kPoints; ++n) {
      const Vector3d p = 0.5 * kSide * vector();
      inside +=
          std::any_of(boxes.begin(), boxes.end(), [&](const auto& box) { return box.contains(p); }) ? 1 : 0;
    }
    const double share = static_cast<double>(inside) / kPoints, whole = kSide * kSide * kSide;
    const double sigma = whole * std::sqrt(share * (1 - share) / kPoints);
    EXPECT_NEAR(volumeOf(united->mesh), whole * share, 4 * sigma) << k;
  }
}

/// A plate whose outline makes a loop the wrong way round, of about 1.1 `size` [m].
TriangleMesh foldedPlate(double size) {
  const std::vector<Eigen::Vector2d> outline{{0, 0},
                                             {0.03, 0},
                                             {0.03, 0.02},
                                             {0.015 - size, 0.02},
                                             {0.015, 0.02 + size},
                                             {0.015 + size, 0.02 - size},
                                             {0, 0.02}};
  TriangleMesh mesh;
  const auto n = static_cast<int>(outline.size());
  for (const double z : {0.0, 0.005})
    for (const Eigen::Vector2d& p : outline) mesh.vertices.emplace_back(p.x(), p.y(), z);
  for (int k = 0; k < n; ++k) {
    const int next = (k + 1) % n;
    mesh.triangles.push_back({k, next, n + next});
    mesh.triangles.push_back({k, n + next, n + k});
    if (k == 0 || next == 0) continue;
    mesh.triangles.push_back({0, next, k});
    mesh.triangles.push_back({n, n + k, n + next});
  }
  return mesh;
}

TEST(UniteBodies, AShallowFoldIsLeftOutAndADeepOneSaysWhere) {
  // The tip of the loop lies √1.25 sizes from the crossing. Farthest is the point of its first side from
  // which the crossing is as far as the side that follows the loop: 1.264 sizes.
  const double size = 5e-5, least = std::sqrt(1.25), most = 1.265;
  const UnitedBodies shallow = uniteBodies(repairMesh(foldedPlate(size)), 1e-4);
  ASSERT_TRUE(shallow.mesh.has_value());
  EXPECT_TRUE(shallow.mesh->report.isClosed());
  EXPECT_GT(shallow.mesh->report.foldedTriangles, 0U);
  EXPECT_GE(shallow.mesh->report.foldDepth, least * size);
  EXPECT_LE(shallow.mesh->report.foldDepth, most * size);
  // The outline without the loop: a corner is missing at C, beside the crossing at 1.5 sizes.
  const double missing = 0.5 * ((0.015 + size) * size - 0.5 * size * size);
  EXPECT_NEAR(volumeOf(shallow.mesh->mesh), 0.005 * (0.03 * 0.02 - missing), 1e-12);

  const UnitedBodies deep = uniteBodies(repairMesh(foldedPlate(10 * size)), 1e-4);
  EXPECT_FALSE(deep.mesh.has_value());
  EXPECT_GE(deep.foldDepth, least * 10 * size);
  EXPECT_LE(deep.foldDepth, most * 10 * size);
  EXPECT_LT((deep.foldPosition.head<2>() - Eigen::Vector2d(0.015, 0.02)).norm(), 2 * 10 * size);
  try {
    recognize(repairMesh(foldedPlate(10 * size)), BoreRule::flats);
    FAIL();
  } catch (const RecognitionError& error) {
    EXPECT_NE(error.remedy.find("inside out is 607 µm deep"), std::string::npos) << error.remedy;
  }
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
