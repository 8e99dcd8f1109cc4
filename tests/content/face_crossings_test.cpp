// Faces that cross and bodies in others are counted with a place; what only touches is none.
#include "content/mesh/face_crossings.h"

#include <gtest/gtest.h>

#include "tests/content/mesh_samples.h"

namespace tenon::content {
namespace {

TEST(FaceCrossings, TwoBoxesThroughEachOtherCross) {
  TriangleMesh mesh;
  test::addBox({0.03, 0.01, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.01, 0.03, 0.012}, {0.0101, -0.0102, -0.0011}, mesh);
  const FaceCrossings found = findCrossings(repaired(mesh));
  EXPECT_GT(found.pairs, 0U);
  EXPECT_EQ(found.nested, 0U);
  // On the border of both.
  EXPECT_GE(found.place.x(), 0.0101 - 1e-9);
  EXPECT_LE(found.place.x(), 0.0201 + 1e-9);
  EXPECT_GE(found.place.y(), -1e-9);
  EXPECT_LE(found.place.y(), 0.01 + 1e-9);
}

TEST(FaceCrossings, DiagonalsThatMeetOnOneEdgeDoNotHideThem) {
  TriangleMesh mesh;
  test::addBox({0.03, 0.01, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.01, 0.03, 0.01}, {0.01, -0.01, 0}, mesh);
  EXPECT_GT(findCrossings(repaired(mesh)).pairs, 0U);
}

TEST(FaceCrossings, ABodyInAnotherOneIsFoundAndACavityIsNone) {
  TriangleMesh mesh, cavity;
  test::addBox({0.03, 0.02, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.004, 0.004, 0.004}, {0.003, 0.003, 0.003}, mesh);
  cavity = mesh;
  for (std::size_t k = 12; k < cavity.triangles.size(); ++k)
    std::swap(cavity.triangles[k][1], cavity.triangles[k][2]);
  const FaceCrossings found = findCrossings(repaired(mesh));
  EXPECT_EQ(found.pairs, 0U);
  EXPECT_EQ(found.nested, 1U);
  EXPECT_LT((found.place - Vector3d(0.005, 0.005, 0.005)).cwiseAbs().maxCoeff(), 0.0021);
  EXPECT_EQ(findCrossings(repaired(cavity)).nested, 0U);
}

TEST(FaceCrossings, FacesThatTouchDoNotCross) {
  TriangleMesh mesh;
  test::addBox({0.03, 0.02, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.01, 0.01, 0.01}, {0.011, 0.003, 0.01}, mesh);   // stands on it
  test::addBox({0.01, 0.02, 0.01}, {0.03, 0, 0}, mesh);           // beside it, edge on edge
  test::addBox({0.01, 0.01, 0.01}, {-0.01, -0.01, -0.01}, mesh);  // corner at corner
  const FaceCrossings found = findCrossings(repaired(mesh));
  EXPECT_EQ(found.pairs, 0U);
  EXPECT_EQ(found.nested, 0U);
  const TriangleMesh round =
      test::drilledMesh({test::polygon(0.015, 5, 0.3), 0.012, 0.004, 0.0005, 0.02, 40});
  EXPECT_EQ(findCrossings(repaired(round)).pairs, 0U);
  EXPECT_EQ(findCrossings(repaired(test::finnedMesh(0.005))).pairs, 0U);
}

}  // namespace
}  // namespace tenon::content
