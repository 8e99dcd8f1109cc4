// Defects of a mesh are counted, repaired if that is safe, and reported; closed meshes have exact masses.
#include <gtest/gtest.h>

#include "content/mesh/mesh_mass.h"
#include "content/mesh/mesh_report_text.h"
#include "content/mesh/read_obj.h"
#include "content/mesh/repair_mesh.h"
#include "tests/content/mesh_samples.h"

namespace tenon::content {
namespace {

TEST(MeshRepair, ACubeIsCleanAndHasTheMassOfACube) {
  const RepairedMesh cube = repairMesh(parseObj(test::cubeObj(), "cube.obj"));
  EXPECT_TRUE(cube.report.isClean());
  EXPECT_EQ(cube.mesh.vertices.size(), 8U);
  EXPECT_EQ(cube.report.bodies, 1U);
  EXPECT_TRUE(describeMeshReport(cube.report).empty());
  const physics::MassProperties m = massOf(cube.mesh, 6);
  EXPECT_NEAR(m.mass, 6, 1e-14);
  EXPECT_TRUE(m.center.isApprox(Vector3d(0.5, 0.5, 0.5), 1e-14));
  EXPECT_TRUE(m.inertia.isApprox(Eigen::Matrix3d::Identity(), 1e-13));  // m (1 + 1) / 12
}

TEST(MeshRepair, DuplicateVerticesAreWeldedWithinTheRoundingOfAFloat) {
  TriangleMesh soup;
  const TriangleMesh cube = parseObj(test::cubeObj(), "cube.obj");
  for (const auto& t : cube.triangles) {
    const int first = static_cast<int>(soup.vertices.size());
    for (const int k : t)
      soup.vertices.push_back(cube.vertices[static_cast<std::size_t>(k)] +
                              Vector3d(3e-8 * (first % 2), 0, 0));
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  const RepairedMesh mesh = repairMesh(soup);
  EXPECT_EQ(mesh.mesh.vertices.size(), 8U);
  EXPECT_EQ(mesh.report.welded, 28U);
  EXPECT_TRUE(mesh.report.isClosed());
}

TEST(MeshRepair, EveryKindOfDefectIsCountedAndReported) {
  TriangleMesh mesh = parseObj(test::cubeObj(), "cube.obj");
  std::swap(mesh.triangles[2][0], mesh.triangles[2][1]);                     // turned over
  mesh.triangles.push_back(mesh.triangles[5]);                               // twice
  mesh.triangles.push_back({0, 0, 1});                                       // no area
  mesh.triangles.erase(mesh.triangles.begin(), mesh.triangles.begin() + 2);  // a gap
  const RepairedMesh bad = repairMesh(mesh);
  EXPECT_EQ(bad.report.flipped, 1U);
  EXPECT_EQ(bad.report.duplicate, 1U);
  EXPECT_EQ(bad.report.degenerate, 1U);
  EXPECT_EQ(bad.report.openEdges, 4U);
  EXPECT_FALSE(bad.report.isClosed());
  const auto words = describeMeshReport(bad.report);
  ASSERT_EQ(words.size(), 4U);
  EXPECT_EQ(words[0],
            "4 open edges, the first at (500, 0, 0) mm: the surface is not closed, so its "
            "mass is unknown");
}

TEST(MeshRepair, ACubeInsideOutIsFlipped) {
  TriangleMesh mesh = parseObj(test::cubeObj(), "cube.obj");
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  const RepairedMesh turned = repairMesh(mesh);
  EXPECT_TRUE(turned.report.insideOut);
  EXPECT_DOUBLE_EQ(volumeOf(turned.mesh), 1);
}

TEST(MeshRepair, TwoCubesOnOneEdgeAreTwoBodies) {
  TriangleMesh mesh;
  test::addBox({1, 1, 1}, {0, 0, 0}, mesh);
  test::addBox({1, 1, 1}, {1, 1, 0}, mesh);
  const RepairedMesh both = repairMesh(mesh);
  EXPECT_TRUE(both.report.isClean());
  EXPECT_EQ(both.report.bodies, 2U);
  for (std::size_t t = 0; t < both.mesh.triangles.size(); ++t)
    for (const int other : both.neighbors[t]) EXPECT_EQ(other < 12, t < 12);
}

// A box on a larger one, flush at a side: at their common edge two faces lie on each other.
TEST(MeshRepair, ABoxOnAnotherFlushWithItsSideIsASeparateBody) {
  for (const bool inside : {false, true}) {
    TriangleMesh mesh;
    test::addBox({4, 2, 1}, {0, 0, 0}, mesh);
    test::addBox({1, 2, 3}, {0, 0, 1}, mesh);
    if (inside)
      for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
    const RepairedMesh both = repairMesh(mesh);
    EXPECT_TRUE(both.report.isClosed());
    // Inside out, the air between them would count as material.
    EXPECT_EQ(both.report.bodies, inside ? 1U : 2U);
    EXPECT_EQ(both.report.insideOut, inside);
    EXPECT_DOUBLE_EQ(volumeOf(both.mesh), 14);
  }
}

TEST(MeshRepair, AWallOnTheEdgeOfACubeIsNotManifold) {
  TriangleMesh mesh;
  test::addBox({1, 1, 1}, {0, 0, 0}, mesh);
  const auto [a, b, c] = mesh.triangles.front();
  mesh.vertices.emplace_back(5, 6, 7);
  mesh.triangles.push_back({a, b, static_cast<int>(mesh.vertices.size()) - 1});
  const RepairedMesh open = repairMesh(mesh);
  EXPECT_EQ(open.report.nonManifoldEdges, 1U);
  EXPECT_FALSE(open.report.isClosed());
}

TEST(MeshRepair, TouchingBodiesLoseTheWallBetweenThem) {
  TriangleMesh mesh;
  test::addBox({1, 2, 3}, {0, 0, 0}, mesh);
  test::addBox({1, 2, 3}, {1, 0, 0}, mesh);
  // Both walls along the same diagonal, as a mesher of the common face does it.
  ASSERT_EQ(mesh.triangles[22], (std::array{10, 8, 12}));
  mesh.triangles[22] = {8, 14, 10}, mesh.triangles[23] = {8, 12, 14};
  const RepairedMesh one = repairMesh(mesh);
  EXPECT_EQ(one.report.internalFacePairs, 2U);
  EXPECT_EQ(one.report.duplicate, 0U);
  EXPECT_TRUE(one.report.isClosed());
  EXPECT_FALSE(one.report.isClean());
  EXPECT_EQ(one.report.bodies, 1U);
  EXPECT_EQ(one.mesh.triangles.size(), 20U);
  EXPECT_DOUBLE_EQ(volumeOf(one.mesh), 12);
  ASSERT_EQ(describeMeshReport(one.report).size(), 1U);
  EXPECT_EQ(describeMeshReport(one.report)[0],
            "2 pairs of triangles face to face: removed: the bodies touch there and are joined");
}

TEST(MeshRepair, ASurfaceGivenFromBothSidesIsReducedToOne) {
  const TriangleMesh cube = parseObj(test::cubeObj(), "cube.obj");
  TriangleMesh both = cube, one = cube;
  for (auto t : cube.triangles) {
    std::swap(t[1], t[2]);
    both.triangles.push_back(t);
    if (one.triangles.size() == 12) one.triangles.push_back(t);
  }
  for (const TriangleMesh& mesh : {both, one}) {
    const RepairedMesh kept = repairMesh(mesh);
    EXPECT_TRUE(kept.report.isClosed());
    EXPECT_EQ(kept.report.internalFacePairs, 0U);
    EXPECT_EQ(kept.report.duplicate, mesh.triangles.size() - 12);
    EXPECT_DOUBLE_EQ(volumeOf(kept.mesh), 1);
  }
}

TEST(MeshRepair, NeighborsShareAnEdge) {
  const RepairedMesh mesh = repairMesh(test::turnedMesh({{0, 0}, {0, 4}, {9, 4}, {9, 0}}, 24));
  ASSERT_TRUE(mesh.report.isClean());
  for (std::size_t i = 0; i < mesh.neighbors.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto j = static_cast<std::size_t>(mesh.neighbors[i][k]);
      const auto& other = mesh.mesh.triangles[j];
      for (const int v : {mesh.mesh.triangles[i][k], mesh.mesh.triangles[i][(k + 1) % 3]})
        EXPECT_NE(std::find(other.begin(), other.end(), v), other.end());
    }
}

}  // namespace
}  // namespace tenon::content
