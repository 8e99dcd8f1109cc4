// Which edges of a mesh are drawn: those that one sees or feels on the part, and no facets.
#include <gtest/gtest.h>

#include <cmath>

#include "xr/render/feature_edges.h"

namespace tenon::xr {
namespace {

using physics::Vector3d;

double lengthOf(const content::DisplayMesh& mesh) {
  double length = 0;
  for (const auto& [i, j] : featureEdges(mesh)) length += (mesh.positions[i] - mesh.positions[j]).norm();
  return length;
}

TEST(FeatureEdges, BoxHasItsTwelveEdgesAndNoDiagonals) {
  const content::DisplayMesh box = content::displayMeshOf(physics::Box{{0.01, 0.02, 0.03}});
  EXPECT_EQ(featureEdges(box).size(), 12u);
  EXPECT_NEAR(lengthOf(box), 8 * (0.01 + 0.02 + 0.03), 1e-12);
}

TEST(FeatureEdges, FacetsOfRoundPartsAreNoEdges) {
  EXPECT_TRUE(featureEdges(content::displayMeshOf(physics::Sphere{0.02})).empty());
  const double radius = 0.01;
  const int facets = content::circleFacetCount(radius);
  const double rim = 2 * radius * facets * std::sin(std::acos(-1.0) / facets);
  EXPECT_NEAR(lengthOf(content::displayMeshOf(physics::Cylinder{radius, 0.02})), 2 * rim, 1e-9);
}

TEST(FeatureEdges, BorderOfAnOpenMeshIsAnEdge) {
  content::DisplayMesh triangle;
  triangle.positions = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}};
  triangle.normals.assign(3, Vector3d::UnitZ());
  triangle.triangles = {{0, 1, 2}};
  EXPECT_EQ(featureEdges(triangle).size(), 3u);
}

}  // namespace
}  // namespace tenon::xr
