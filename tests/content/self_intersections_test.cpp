// Intersecting faces and nested bodies are counted with a position; touching ones are not.
#include "content/mesh/self_intersections.h"

#include <gtest/gtest.h>

#include "tests/content/mesh_samples.h"

namespace tenon::content {
namespace {

TEST(SelfIntersections, TwoIntersectingBoxesAreFound) {
  TriangleMesh mesh;
  test::addBox({0.03, 0.01, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.01, 0.03, 0.012}, {0.0101, -0.0102, -0.0011}, mesh);
  const SelfIntersections found = findSelfIntersections(repairMesh(mesh));
  EXPECT_GT(found.pairs, 0U);
  EXPECT_EQ(found.nested, 0U);
  // On the border of both.
  EXPECT_GE(found.position.x(), 0.0101 - 1e-9);
  EXPECT_LE(found.position.x(), 0.0201 + 1e-9);
  EXPECT_GE(found.position.y(), -1e-9);
  EXPECT_LE(found.position.y(), 0.01 + 1e-9);
}

TEST(SelfIntersections, IntersectingDiagonalsDoNotHideThem) {
  TriangleMesh mesh;
  test::addBox({0.03, 0.01, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.01, 0.03, 0.01}, {0.01, -0.01, 0}, mesh);
  EXPECT_GT(findSelfIntersections(repairMesh(mesh)).pairs, 0U);
}

TEST(SelfIntersections, ANestedBodyIsFoundAndACavityIsNot) {
  TriangleMesh mesh, cavity;
  test::addBox({0.03, 0.02, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.004, 0.004, 0.004}, {0.003, 0.003, 0.003}, mesh);
  cavity = mesh;
  for (std::size_t k = 12; k < cavity.triangles.size(); ++k)
    std::swap(cavity.triangles[k][1], cavity.triangles[k][2]);
  const SelfIntersections found = findSelfIntersections(repairMesh(mesh));
  EXPECT_EQ(found.pairs, 0U);
  EXPECT_EQ(found.nested, 1U);
  EXPECT_LT((found.position - Vector3d(0.005, 0.005, 0.005)).cwiseAbs().maxCoeff(), 0.0021);
  EXPECT_EQ(findSelfIntersections(repairMesh(cavity)).nested, 0U);
}

TEST(SelfIntersections, TouchingFacesDoNotIntersect) {
  TriangleMesh mesh;
  test::addBox({0.03, 0.02, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.01, 0.01, 0.01}, {0.011, 0.003, 0.01}, mesh);   // stands on it
  test::addBox({0.01, 0.02, 0.01}, {0.03, 0, 0}, mesh);           // beside it, edge on edge
  test::addBox({0.01, 0.01, 0.01}, {-0.01, -0.01, -0.01}, mesh);  // corner at corner
  const SelfIntersections found = findSelfIntersections(repairMesh(mesh));
  EXPECT_EQ(found.pairs, 0U);
  EXPECT_EQ(found.nested, 0U);
  const TriangleMesh round =
      test::drilledMesh({test::polygon(0.015, 5, 0.3), 0.012, 0.004, 0.0005, 0.02, 40});
  EXPECT_EQ(findSelfIntersections(repairMesh(round)).pairs, 0U);
  EXPECT_EQ(findSelfIntersections(repairMesh(test::finnedMesh(0.005))).pairs, 0U);
}

}  // namespace
}  // namespace tenon::content
