// Bores whose facets further corners divide, as cuts and united bodies leave them: they collide on cylinders.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "content/model/hole_sites.h"
#include "content/recognize/recognized_part.h"
#include "tests/content/mesh_samples.h"

namespace tenon::content::divided_facets_test {
namespace {

constexpr double kRounding = 1e-9;  // [m]

/// A prism with a bore about z, regular but for its lowest rim, each chord of which corners divide into
/// `parts`. `dent`: of all of these corners, towards the axis [m].
TriangleMesh boredPrism(double radius, int facets, int parts, double dent) {
  const double half = std::numbers::pi / facets;
  std::vector<double> azimuths, last;
  for (int k = 0; k < facets; ++k) {
    azimuths.push_back(2 * half * k);
    for (int j = 0; j < parts; ++j)
      last.push_back(2 * half * k + half +
                     std::atan(std::tan(half) * (2.0 * j / parts - 1)));  // along the chord
  }
  TriangleMesh mesh = test::holedMesh(test::polygon(0.015, 5, 0.3), 0.012,
                                      {{0, radius}, {-0.008, radius}, {-0.012, radius}}, azimuths, last);
  for (Vector3d& p : mesh.vertices) {
    if (std::abs(p.head<2>().norm() - radius) > kRounding) continue;
    const double beside = std::remainder(std::atan2(p.y(), p.x()) - half, 2 * half);
    const double onChord = std::cos(half) / std::cos(beside);
    if (onChord < 1 - 1e-9) p.head<2>() *= onChord - dent / radius;
  }
  return mesh;
}

TEST(DividedFacets, ABoreIsExactHoweverItsRimIsDivided) {
  for (const int facets : {18, 30})
    for (const double radius : {0.001, 0.003})
      for (const int parts : {1, 3, 8}) {
        SCOPED_TRACE(testing::Message() << facets << " facets, radius " << radius << ", parts " << parts);
        const RecognizedPart part =
            recognize(repairMesh(boredPrism(radius, facets, parts, 0)), BoreRule::flats);
        ASSERT_EQ(part.faces.size(), 1U);
        EXPECT_TRUE(part.faces[0].exact);
        EXPECT_EQ(part.exactArea, 1);
        EXPECT_TRUE(part.facetedSites.empty());
        const auto holes = holesOf(part.shape);
        ASSERT_EQ(holes.size(), 1U);
        EXPECT_FALSE(holes[0].isInterrupted);
        EXPECT_NEAR(holes[0].diameter(), 2 * radius * std::cos(std::numbers::pi / facets), 2 * kRounding);
        // Nothing is farther from what collides than the facets' sagitta.
        EXPECT_LT(part.meshDeviation.outside.distance, kRounding);
        EXPECT_LT(part.meshDeviation.missing.distance, kRounding);
      }
}

// Corners that are no part of a plane facet are measured as before: 12 µm inside of it are too many.
TEST(DividedFacets, DentsAreNotAllowed) {
  for (const int parts : {2, 3}) {
    const RecognizedPart part = recognize(repairMesh(boredPrism(0.003, 23, parts, 12e-6)), BoreRule::flats);
    for (const RecognizedFace& face : part.faces) EXPECT_FALSE(face.exact) << parts;
    for (const HoleSite& hole : holesOf(part.shape)) EXPECT_TRUE(part.isFaceted(hole.name)) << parts;
  }
}

}  // namespace
}  // namespace tenon::content::divided_facets_test
