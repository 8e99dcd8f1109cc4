// The deviation between a given mesh and the faces that collide: known in closed form, and found where what
// collides is not what was given.
#include "content/recognize/boundary_deviation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "content/recognize/boundary_surfaces.h"
#include "content/recognize/recognized_part.h"
#include "tests/content/mesh_samples.h"

namespace tenon::content {
namespace {

constexpr double kAllowed = 10e-6;
constexpr int kFacets = 36;

/// A cuboid of 40 × 40 × 12 mm with a round hole, Ø 16 mm: not a cuboid for the recognition, since one corner
/// is cut.
TriangleMesh drilledPlate(int facets = kFacets) {
  test::Drilled plate;
  plate.outline = {{-0.02, -0.02}, {0.02, -0.02}, {0.02, 0.015}, {0.015, 0.02}, {-0.02, 0.02}};
  plate.height = 0.012;
  plate.radius = 0.008;
  plate.depth = 1;
  plate.facets = facets;
  return test::drilledMesh(plate);
}

/// The boundary of the mesh, its triangles flat.
physics::BoundarySolid flatSolid(const TriangleMesh& mesh) {
  const RepairedMesh fixed = repairMesh(mesh);
  physics::BoundarySolid solid;
  solid.vertices = fixed.mesh.vertices;
  solid.triangles = fixed.mesh.triangles;
  return solid;
}

/// The same with the surfaces that are recognized.
physics::BoundarySolid curvedSolid(const RepairedMesh& fixed) {
  const Facets facets(fixed);
  const std::vector<Region> regions = smoothRegions(facets);
  const std::vector<RevolvedGroup> groups = revolvedGroups(facets, regions, BoreRule::vertices);
  BoundarySurfaces found = boundarySurfaces({facets, regions, groups}, BoreRule::vertices);
  physics::BoundarySolid solid = flatSolid(fixed.mesh);
  solid.surfaces = std::move(found.surfaces);
  solid.surfaceOf = std::move(found.surfaceOf);
  return solid;
}

BoundaryDeviation measuredBoundary(const TriangleMesh& mesh, const physics::Shape& shape) {
  const RepairedMesh fixed = repairMesh(mesh);
  return measureBoundary(Facets(fixed), shape, BoreRule::vertices, nullptr, kAllowed);
}

TEST(BoundaryDeviation, OfFlatTrianglesIsRounding) {
  const TriangleMesh mesh = drilledPlate();
  const BoundaryDeviation found = measuredBoundary(mesh, flatSolid(mesh));
  EXPECT_LE(found.deviation.fromGiven.largest, 1e-9);
  EXPECT_LE(found.deviation.fromColliding.largest, 1e-9);
  EXPECT_TRUE(found.offending.empty());
}

/// Triangles that nearly lie in one plane collide on that of the largest: they deviate by what a corner is
/// above it.
TEST(BoundaryDeviation, OfTrianglesInOnePlaneIsThatOfTheirCorners) {
  constexpr double kAbove = 3e-10;
  TriangleMesh mesh;
  test::addBox({0.04, 0.03, 0.02}, {0, 0, 0}, mesh);
  // The middle of one of two triangles of the top.
  const auto top = std::find_if(mesh.triangles.begin(), mesh.triangles.end(), [&](const auto& t) {
    return std::all_of(t.begin(), t.end(),
                       [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)].z() > 0.019; });
  });
  ASSERT_NE(top, mesh.triangles.end());
  const auto [a, b, c] = *top;
  const auto at = [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
  const Vector3d middle = (at(a) + at(b) + at(c)) / 3 + kAbove * Vector3d::UnitZ();
  const auto d = static_cast<int>(mesh.vertices.size());
  mesh.vertices.push_back(middle);
  *top = {a, b, d};
  mesh.triangles.push_back({b, c, d});
  mesh.triangles.push_back({c, a, d});
  const ShapeDeviation found = measuredBoundary(mesh, flatSolid(mesh)).deviation;
  EXPECT_NEAR(found.fromGiven.largest, kAbove, 1e-12);
  EXPECT_NEAR(found.fromColliding.largest, kAbove, 1e-12);
  EXPECT_NEAR(found.missing.distance, kAbove, 1e-12);
  EXPECT_EQ(found.outside.distance, 0);
}

TEST(BoundaryDeviation, OfFacetsOfACylinderIsTheirSagittaAndNotHeldAgainstThem) {
  const RepairedMesh fixed = repairMesh(drilledPlate());
  const double sagitta = 0.008 * (1 - std::cos(std::numbers::pi / kFacets));
  const ShapeDeviation found =
      measureBoundary(Facets(fixed), curvedSolid(fixed), BoreRule::vertices, nullptr, kAllowed).deviation;
  EXPECT_NEAR(found.fromGiven.largest, sagitta, 0.05 * sagitta);
  EXPECT_NEAR(found.fromColliding.largest, sagitta, 0.05 * sagitta);
  EXPECT_NEAR(found.fromGiven.position.head<2>().norm(), 0.008, 2 * sagitta);
  EXPECT_LE(found.largest().distance, 1e-8);
  EXPECT_LE(found.fromGiven.p99, sagitta);
}

TEST(BoundaryDeviation, OfCornersThatScatterAboutTheirSurfaceIsNotHeldAgainstIt) {
  constexpr double kScatter = 3e-6, kBeyond = 1e-7;
  const RepairedMesh fixed = repairMesh(drilledPlate());
  physics::BoundarySolid solid = curvedSolid(fixed);
  for (physics::Surface& surface : solid.surfaces)
    if (surface.kind == physics::SurfaceKind::cylinder) surface.radius += kScatter;
  const BoundaryDeviation found =
      measureBoundary(Facets(fixed), solid, BoreRule::vertices, nullptr, kAllowed);
  EXPECT_NEAR(found.deviation.scatter, kScatter, kBeyond);
  EXPECT_LE(found.deviation.largest().distance, kBeyond);
  EXPECT_TRUE(found.offending.empty());
}

TEST(BoundaryDeviation, FindsAFinThatDoesNotCollide) {
  for (const double fin : {0.0002, 0.005}) {
    TriangleMesh plain, finned;
    test::addBox({0.02, 0.01, 0.01}, {0, 0, 0}, plain);
    const std::vector<Eigen::Vector2d> outline{
        {0.02, 0.0052}, {0.02, 0.01},  {0, 0.01},           {0, 0},
        {0.02, 0},      {0.02, 0.005}, {0.02 + fin, 0.005}, {0.02 + fin, 0.0052}};
    finned = test::prismMesh(outline, 0.01);
    const BoundaryDeviation missing = measuredBoundary(finned, flatSolid(plain));
    EXPECT_NEAR(missing.deviation.fromGiven.largest, fin, 1e-9);
    EXPECT_NEAR(missing.deviation.missing.distance, fin, 1e-9);
    EXPECT_NEAR(missing.deviation.missing.position.x(), 0.02 + fin, 1e-9);
    EXPECT_FALSE(missing.offending.empty());
    const BoundaryDeviation added = measuredBoundary(plain, flatSolid(finned));
    EXPECT_NEAR(added.deviation.fromColliding.largest, fin, 1e-9);
    EXPECT_NEAR(added.deviation.outside.distance, fin, 1e-9);
  }
}

TEST(BoundaryDeviation, FindsASurfaceThatMoved) {
  constexpr int kFew = 16;  // so long that corners move with the surface
  const RepairedMesh fixed = repairMesh(drilledPlate(kFew));
  for (const physics::SurfaceKind kind : {physics::SurfaceKind::cylinder, physics::SurfaceKind::plane}) {
    physics::BoundarySolid solid = curvedSolid(fixed);
    int moved = -1;
    for (std::size_t s = 0; s < solid.surfaces.size(); ++s)
      if (solid.surfaces[s].kind == kind) moved = static_cast<int>(s);
    ASSERT_GE(moved, 0);
    physics::Surface& surface = solid.surfaces[static_cast<std::size_t>(moved)];
    surface.radius += 0.0003;
    if (kind == physics::SurfaceKind::plane) surface.X_BS.p += 0.0003 * surface.X_BS.R.col(2);
    const BoundaryDeviation found =
        measureBoundary(Facets(fixed), solid, BoreRule::vertices, nullptr, kAllowed);
    // Corners of a plane also move along the slanted faces beside it.
    EXPECT_GE(found.deviation.largest().distance, 0.00029);
    EXPECT_LE(found.deviation.largest().distance, 0.0005);
    EXPECT_TRUE(found.deviation.exceeds(kMaxDeviationRatio));
    bool isFound = false;
    for (const int t : found.offending) isFound |= solid.surfaceOf[static_cast<std::size_t>(t)] == moved;
    EXPECT_TRUE(isFound);
  }
}

TEST(BoundaryDeviation, OfSolidsOfRevolutionIsMeasuredToo) {
  const TriangleMesh mesh = test::turnedMesh({{0, 0}, {0, 0.005}, {0.03, 0.005}, {0.03, 0}}, 24);
  const RecognizedPart part = recognize(repairMesh(mesh), BoreRule::flats);
  EXPECT_FALSE(std::holds_alternative<physics::BoundarySolid>(part.shape));
  const double sagitta = 0.005 * (1 - std::cos(std::numbers::pi / 24));
  EXPECT_NEAR(part.meshDeviation.fromGiven.largest, sagitta, 0.05 * sagitta);
  EXPECT_NEAR(part.meshDeviation.fromColliding.largest, sagitta, 0.05 * sagitta);
  EXPECT_LE(part.meshDeviation.largest().distance, 1e-8);
}

}  // namespace
}  // namespace tenon::content
