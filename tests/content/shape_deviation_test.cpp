// The deviation between a mesh and its collision shape, in both directions.
#include "content/recognize/shape_deviation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <numbers>
#include <random>

#include "content/recognize/recognized_part.h"
#include "tests/content/mesh_samples.h"

namespace tenon::content {
namespace {

TEST(ShapeDeviation, WhatExactRoundFacesAddToTheirFacetsDoesNotCount) {
  // 24 facets: 68 µm between circle and facets.
  const RecognizedPart pin = recognize(
      repairMesh(test::turnedMesh({{0, 0}, {0, 0.007}, {0.001, 0.008}, {0.03, 0.008}, {0.03, 0}}, 24)),
      BoreRule::flats);
  EXPECT_FALSE(std::holds_alternative<physics::BoundarySolid>(pin.shape));
  EXPECT_LT(pin.meshDeviation.largest().distance, 1e-8);
  for (const BoreRule rule : {BoreRule::flats, BoreRule::vertices}) {
    const RecognizedPart plate = recognize(
        repairMesh(test::drilledMesh({test::polygon(0.015, 5, 0.3), 0.012, 0.004, 0.0005, 0.02, 24})), rule);
    EXPECT_EQ(plate.exactArea, 1);
    EXPECT_LT(plate.meshDeviation.largest().distance, 1e-6);
    EXPECT_EQ(plate.meshDeviation.tolerance, kSurfaceTolerance);
  }
}

// However thin: nothing is missing.
TEST(ShapeDeviation, FinsCollideAsTheirTriangles) {
  for (const TriangleMesh& mesh : {test::finnedMesh(0.0001), test::finnedMesh(0.005),
                                   test::finnedAndDrilledMesh(0.00008), test::finnedAndDrilledMesh(0.005)}) {
    const RecognizedPart part = recognize(repairMesh(mesh), BoreRule::flats);
    EXPECT_TRUE(std::holds_alternative<physics::BoundarySolid>(part.shape));
    EXPECT_LE(part.meshDeviation.largest().distance, kPlaneRatio * kSurfaceTolerance);
    EXPECT_NEAR(part.shapeVolume / part.solid.mass, 1, 1e-12);
  }
}

// At the ends of the ellipse its border is as far again from its chords as the cylinder is from its facets.
TEST(ShapeDeviation, WhatTheBorderOfExactFacesAddsToItsChordsDoesNotCount) {
  for (const double slope : {0.5, 1.7}) {
    TriangleMesh mesh = test::turnedMesh({{0, 0}, {0, 0.008}, {0.04, 0.008}, {0.04, 0}}, 36);
    for (Vector3d& p : mesh.vertices)
      if (p.z() > 0.02) p.z() += slope * p.x();
    const RecognizedPart part = recognize(repairMesh(mesh), BoreRule::vertices);
    EXPECT_EQ(part.exactArea, 1);
    EXPECT_LT(part.meshDeviation.largest().distance, 1e-8);
    EXPECT_LT(part.meshDeviation.scatter, 1e-8);
  }
}

/// Rounded to six digits in millimeters, as in a file.
TriangleMesh roundedToSixDigits(TriangleMesh mesh) {
  for (Vector3d& p : mesh.vertices)
    for (double& c : p) c = std::strtod(fmt::format("{:.6g}", c * 1e3).c_str(), nullptr) * 1e-3;
  return mesh;
}

TEST(ShapeDeviation, ThinTrianglesInAFacetDoNotTiltItsPlane) {
  // An elliptic ring of flat facets, in an arbitrary pose, with a triangle 4 µm high in each triangle:
  // rounding turns it by 0.1°, and its plane would be 0.3 mm off at the other end of the ring.
  for (int seed = 1; seed <= 3; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::vector<Eigen::Vector2d> profile;
    for (int k = 0; k <= 16; ++k) {
      const double angle = 0.1 - 2 * std::numbers::pi * (k % 16) / 16;
      profile.emplace_back(0.006 * std::sin(angle), 0.015 - 0.006 * std::cos(angle));
    }
    TriangleMesh mesh = test::turnedMesh(profile, 20);
    for (Vector3d& p : mesh.vertices) p.y() *= 0.6;
    test::disturb(mesh, 0, test::anyPose(random), random);
    const std::vector<std::array<int, 3>> whole = mesh.triangles;
    for (std::size_t t = 0; t < whole.size(); ++t) {
      const auto p = [&](std::size_t k) { return mesh.vertices[static_cast<std::size_t>(whole[t][k])]; };
      const Vector3d middle = 0.5 * (p(0) + p(1));
      const int v = static_cast<int>(mesh.vertices.size());
      mesh.vertices.emplace_back(middle + 4e-6 * (p(2) - middle).normalized());
      mesh.triangles[t] = {whole[t][0], whole[t][1], v};
      mesh.triangles.push_back({whole[t][1], whole[t][2], v});
      mesh.triangles.push_back({whole[t][2], whole[t][0], v});
    }
    const RecognizedPart part = recognize(repairMesh(roundedToSixDigits(mesh)), BoreRule::flats);
    EXPECT_LT(part.meshDeviation.largest().distance, 20e-6) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tenon::content
