// The same part with unwelded vertices, split T-joints, rounded coordinates, in another unit, or with a
// triangle missing or twice is the same part.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "content/mesh/mesh_report_text.h"
#include "content/mesh/repair_mesh.h"
#include "content/model/hole_sites.h"
#include "content/recognize/face_counts.h"
#include "content/recognize/recognized_part.h"
#include "tests/content/mesh_samples.h"

namespace tenon::content {
namespace {

/// A plate of 40 × 40 × 12 mm with a cut corner and a hole Ø 16 mm, in a place of no round numbers.
TriangleMesh plateToHeal() {
  test::Drilled plate;
  plate.outline = {{-0.02, -0.02}, {0.02, -0.02}, {0.02, 0.013}, {0.015, 0.02}, {-0.02, 0.02}};
  plate.height = 0.012;
  plate.radius = 0.008;
  plate.depth = 1;
  plate.facets = 36;
  TriangleMesh mesh = test::drilledMesh(plate);
  const Eigen::Quaterniond turn = Eigen::Quaterniond(0.9, 0.2, -0.3, 0.1).normalized();
  for (Vector3d& p : mesh.vertices) p = turn * p + Vector3d(0.0123, -0.0071, 0.0317);
  return mesh;
}

TriangleMesh unwelded(const TriangleMesh& mesh) {
  TriangleMesh soup;
  for (const auto& t : mesh.triangles) {
    const auto first = static_cast<int>(soup.vertices.size());
    for (const int k : t) soup.vertices.push_back(mesh.vertices[static_cast<std::size_t>(k)]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  return soup;
}

/// Every third triangle is split at a point of one edge, its neighbor is not.
TriangleMesh withTJoints(TriangleMesh mesh) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> share(0.2, 0.8);
  const std::size_t count = mesh.triangles.size();
  for (std::size_t t = 0; t < count; t += 3) {
    const auto [a, b, c] = mesh.triangles[t];
    const double s = share(random);
    const auto middle = static_cast<int>(mesh.vertices.size());
    mesh.vertices.emplace_back((1 - s) * mesh.vertices[static_cast<std::size_t>(a)] +
                               s * mesh.vertices[static_cast<std::size_t>(b)]);
    mesh.triangles[t] = {a, middle, c};
    mesh.triangles.push_back({middle, b, c});
  }
  return mesh;
}

TriangleMesh rounded(TriangleMesh mesh) {
  for (Vector3d& p : mesh.vertices)
    for (double& x : p) x = std::round(x * 1e6) / 1e6;
  return mesh;
}

/// Written in inches and read in them.
TriangleMesh inInches(TriangleMesh mesh) {
  for (Vector3d& p : mesh.vertices) p = (p / 0.0254) * 254 / 10000;
  return mesh;
}

void expectSamePart(const TriangleMesh& mesh, const RecognizedPart& original, double moved) {
  const RecognizedPart part = recognize(repairMesh(mesh), BoreRule::vertices);
  EXPECT_TRUE(part.report.isClosed());
  EXPECT_EQ(part.shape.index(), original.shape.index());
  EXPECT_NEAR(part.solid.mass, original.solid.mass, 1e-4 * original.solid.mass);
  EXPECT_NEAR(part.shapeVolume, original.shapeVolume, 1e-3 * original.shapeVolume);
  EXPECT_NEAR(part.exactArea, original.exactArea, 1e-6);
  EXPECT_EQ(faceCountsOf(part.shape).cylinders, faceCountsOf(original.shape).cylinders);
  EXPECT_FALSE(part.meshDeviation.exceeds(1));
  const auto holes = holesOf(part.shape), wanted = holesOf(original.shape);
  ASSERT_EQ(holes.size(), wanted.size());
  for (std::size_t k = 0; k < holes.size(); ++k) {
    EXPECT_EQ(holes[k].name, wanted[k].name);
    EXPECT_EQ(holes[k].through, wanted[k].through);
    EXPECT_NEAR(holes[k].diameter(), wanted[k].diameter(), moved);
    EXPECT_NEAR((holes[k].X_PH.p - wanted[k].X_PH.p).norm(), 0, moved);
  }
}

TEST(HealedMesh, IsTheSamePart) {
  const TriangleMesh mesh = plateToHeal();
  const RecognizedPart original = recognize(repairMesh(mesh), BoreRule::vertices);
  ASSERT_EQ(holesOf(original.shape).size(), 1U);
  EXPECT_NEAR(holesOf(original.shape).front().diameter(), 0.016, 1e-8);
  {
    SCOPED_TRACE("unwelded");
    expectSamePart(unwelded(mesh), original, 1e-9);
  }
  {
    SCOPED_TRACE("T-joints");
    expectSamePart(withTJoints(mesh), original, 1e-8);
  }
  {
    SCOPED_TRACE("unwelded, with T-joints");
    expectSamePart(unwelded(withTJoints(mesh)), original, 1e-8);
  }
  {
    SCOPED_TRACE("rounded to 1 µm");
    expectSamePart(rounded(mesh), original, 2e-6);
  }
  {
    SCOPED_TRACE("rounded to 1 µm, unwelded, with T-joints");
    expectSamePart(rounded(unwelded(withTJoints(mesh))), original, 2e-6);
  }
  {
    SCOPED_TRACE("in inches");
    expectSamePart(inInches(mesh), original, 1e-9);
  }
}

TEST(HealedMesh, AMissingTriangleIsFilledAndADuplicateDropped) {
  const TriangleMesh mesh = plateToHeal();
  const RecognizedPart original = recognize(repairMesh(mesh), BoreRule::vertices);
  for (std::size_t missing = 0; missing < mesh.triangles.size(); missing += 11) {
    TriangleMesh bad = unwelded(mesh);
    bad.triangles.push_back(bad.triangles[missing == 0 ? 1 : 0]);
    bad.triangles.erase(bad.triangles.begin() + static_cast<std::ptrdiff_t>(missing));
    const RepairedMesh fixed = repairMesh(bad);
    EXPECT_EQ(fixed.report.filledTriangles, 1U);
    EXPECT_EQ(fixed.report.duplicate, 1U);
    EXPECT_EQ(fixed.report.remaining, mesh.triangles.size());
    const auto lines = describeMeshReport(fixed.report);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0], "1 duplicate triangle: removed, without loss");
    EXPECT_EQ(lines[1].substr(0, 30), "1 hole of three edges: filled,");
    expectSamePart(bad, original, 1e-8);
  }
}

// A flat cone on a tall cylinder, of which each triangle of the cone is missing once: the edges of a hole
// begin with that of the cylinder.
TEST(HealedMesh, AFilledTriangleBelongsToTheFaceThatItContinues) {
  constexpr int kColumns = 24;
  TriangleMesh mesh;
  for (const double z : {0.0, 0.02})
    for (int k = 0; k < kColumns; ++k) {
      const double angle = 2 * std::acos(-1.0) * k / kColumns;
      mesh.vertices.emplace_back(0.01 * std::cos(angle), 0.01 * std::sin(angle), z);
    }
  mesh.vertices.emplace_back(0, 0, 0);
  mesh.vertices.emplace_back(0, 0, 0.022);
  const int middle = 2 * kColumns, tip = middle + 1;
  const auto next = [](int k) { return (k + 1) % kColumns; };
  for (int k = 0; k < kColumns; ++k) {
    mesh.triangles.push_back({k, next(k), kColumns + next(k)});
    mesh.triangles.push_back({k, kColumns + next(k), kColumns + k});
    mesh.triangles.push_back({middle, next(k), k});
  }
  const std::size_t firstOfCone = mesh.triangles.size();
  for (int k = 0; k < kColumns; ++k) mesh.triangles.push_back({kColumns + k, kColumns + next(k), tip});
  for (std::size_t missing = firstOfCone; missing < firstOfCone + kColumns; ++missing) {
    TriangleMesh bad = mesh;
    bad.triangles.erase(bad.triangles.begin() + static_cast<std::ptrdiff_t>(missing));
    const RepairedMesh fixed = repairMesh(bad);
    ASSERT_EQ(fixed.report.filledTriangles, 1U);
    EXPECT_TRUE(fixed.report.isClosed());
    EXPECT_GE(fixed.sources.back(), static_cast<int>(firstOfCone));
  }
}

TEST(HealedMesh, ALargerHoleStaysOpen) {
  TriangleMesh mesh;
  test::addBox({0.04, 0.02, 0.01}, {0, 0, 0}, mesh);
  mesh.triangles.erase(mesh.triangles.begin(), mesh.triangles.begin() + 2);  // one side
  const RepairedMesh fixed = repairMesh(mesh);
  EXPECT_EQ(fixed.report.filledTriangles, 0U);
  EXPECT_EQ(fixed.report.openEdges, 4U);
}

TEST(HealedMesh, ATriangleAloneIsNoHole) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {0.01, 0, 0}, {0, 0.01, 0}};
  mesh.triangles = {{0, 1, 2}};
  const RepairedMesh fixed = repairMesh(mesh);
  EXPECT_EQ(fixed.report.filledTriangles, 0U);
  EXPECT_EQ(fixed.report.openEdges, 3U);
}

}  // namespace
}  // namespace tenon::content
