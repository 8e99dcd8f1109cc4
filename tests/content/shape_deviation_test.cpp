// The deviation between a mesh and its collision shape, in both directions.
#include "content/recognize/shape_deviation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <numbers>
#include <random>

#include "content/recognize/recognized_part.h"
#include "physics/collision/geometry/convex_hull.h"
#include "tests/content/mesh_samples.h"

namespace tenon::content {
namespace {

constexpr double kStated = 10e-6;

ShapeDeviation measured(const TriangleMesh& mesh, const physics::Shape& shape) {
  const RepairedMesh fixed = repairMesh(mesh);
  const Facets facets(fixed);
  const std::vector<double> none(static_cast<std::size_t>(facets.count()), 0.0);
  return measureDeviation(facets, none, shape, kStated);
}

TriangleMesh box(const Vector3d& size) {
  TriangleMesh mesh;
  test::addBox(size, {0, 0, 0}, mesh);
  return mesh;
}

/// As a hull.
physics::Hull cuboid(const Vector3d& size, const Vector3d& at) {
  TriangleMesh mesh;
  test::addBox(size, at, mesh);
  return {mesh.vertices};
}

TEST(ShapeDeviation, ASpikeIsMeasuredToItsTip) {
  const TriangleMesh mesh = box({0.02, 0.02, 0.01});
  physics::Hull hull{mesh.vertices};
  EXPECT_FALSE(measured(mesh, hull).exceeds(0.001));
  hull.vertices.emplace_back(0.02925, 0.01, 0.005);
  const ShapeDeviation off = measured(mesh, hull);
  EXPECT_NEAR(off.outside.distance, 0.00925, 1e-9);
  EXPECT_LT((off.outside.position - hull.vertices.back()).norm(), 1e-12);
  EXPECT_LT(off.missing.distance, 1e-9);
  EXPECT_EQ(&off.largest(), &off.outside);
  EXPECT_TRUE(off.exceeds(kMaxDeviationRatio));
}

TEST(ShapeDeviation, AMissingCornerIsMeasuredFromTheMesh) {
  const TriangleMesh mesh = box({0.02, 0.02, 0.02});
  physics::Hull hull{mesh.vertices};
  std::erase_if(hull.vertices, [](const Vector3d& p) { return p.minCoeff() > 0.01; });
  const ShapeDeviation off = measured(mesh, hull);
  // The corner over the triangle of its three neighbors.
  EXPECT_NEAR(off.missing.distance, 0.02 / std::sqrt(3.0), 1e-9);
  EXPECT_LT((off.missing.position - Vector3d(0.02, 0.02, 0.02)).norm(), 1e-12);
  EXPECT_LT(off.outside.distance, 1e-9);
}

TEST(ShapeDeviation, AFilledHoleAndAMissingPartBetweenCornersAreFound) {
  const std::vector<Eigen::Vector2d> square{{-0.02, -0.02}, {0.02, -0.02}, {0.02, 0.02}, {-0.02, 0.02}};
  const TriangleMesh drilled = test::drilledMesh({square, 0.012, 0.004, 0, 1, 48});
  const ShapeDeviation filled = measured(drilled, cuboid({0.04, 0.04, 0.012}, {-0.02, -0.02, -0.012}));
  EXPECT_GT(filled.outside.distance, 0.0035);
  EXPECT_LE(filled.outside.distance, 0.004);
  EXPECT_LT(std::hypot(filled.outside.position.x(), filled.outside.position.y()), 0.0006);
  // Two halves, with 1 mm between them.
  physics::Compound halves;
  for (const double from : {0.0, 0.0205})
    halves.children.push_back({cuboid({0.0195, 0.04, 0.02}, {from, 0, 0}), physics::Pose()});
  const ShapeDeviation apart = measured(box({0.04, 0.04, 0.02}), halves);
  EXPECT_GT(apart.missing.distance, 0.00045);
  EXPECT_LT(apart.missing.distance, 0.0005 + 1e-9);
  EXPECT_LT(apart.outside.distance, 1e-9);
}

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
    EXPECT_EQ(part.meshDeviation.largest().distance, 0);
    EXPECT_NEAR(part.shapeVolume / part.solid.mass, 1, 1e-12);
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
