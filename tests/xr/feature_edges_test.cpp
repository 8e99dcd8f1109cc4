// Feature edges: the sharp edges of a part, but not the edges between facets of a curved face.
#include <gtest/gtest.h>

#include <cmath>

#include "content/parts/display_mesh.h"
#include "xr/appearance/compose.h"
#include "xr/render/feature_edges.h"

namespace tenon::xr {
namespace {

using physics::Vector3d;

Mesh meshOf(const physics::Shape& shape) {
  return renderMesh(content::displayMeshOf(shape));
}

double lengthOf(const Mesh& mesh) {
  double length = 0;
  for (const auto& [i, j] : featureEdges(mesh)) length += (mesh.positions[i] - mesh.positions[j]).norm();
  return length;
}

TEST(FeatureEdges, BoxHasItsTwelveEdgesAndNoDiagonals) {
  const Mesh box = meshOf(physics::Box{{0.01, 0.02, 0.03}});
  EXPECT_EQ(featureEdges(box).size(), 12u);
  EXPECT_NEAR(lengthOf(box), 8 * (0.01 + 0.02 + 0.03), 1e-12);
}

TEST(FeatureEdges, FacetsOfRoundPartsAreNoEdges) {
  EXPECT_TRUE(featureEdges(meshOf(physics::Sphere{0.02})).empty());
  const double radius = 0.01;
  const int facets = content::circleFacetCount(radius);
  const double rim = 2 * radius * facets * std::sin(std::acos(-1.0) / facets);
  EXPECT_NEAR(lengthOf(meshOf(physics::Cylinder{radius, 0.02})), 2 * rim, 1e-9);
}

TEST(FeatureEdges, BorderOfAnOpenMeshIsAnEdge) {
  Mesh triangle;
  triangle.positions = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}};
  triangle.normals.assign(3, Vector3d::UnitZ());
  triangle.triangles = {{0, 1, 2}};
  EXPECT_EQ(featureEdges(triangle).size(), 3u);
}

}  // namespace
}  // namespace tenon::xr
