// The deviation between a given mesh and the faces that collide: known in closed form, and found where what
// collides is not what was given.
#include "content/recognize/boundary_deviation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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

/// Of faces through the vertices of their facets.
BoundaryDeviation measured(const RepairedMesh& fixed, const physics::Shape& shape) {
  const std::vector<char> alongFlats(fixed.mesh.triangles.size(), 0);
  return measureBoundary(Facets(fixed), shape, alongFlats, nullptr, kAllowed);
}

BoundaryDeviation measuredBoundary(const TriangleMesh& mesh, const physics::Shape& shape) {
  const RepairedMesh fixed = repairMesh(mesh);
  return measured(fixed, shape);
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
  const ShapeDeviation found = measured(fixed, curvedSolid(fixed)).deviation;
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
  const BoundaryDeviation found = measured(fixed, solid);
  EXPECT_NEAR(found.deviation.scatter, kScatter, kBeyond);
  EXPECT_LE(found.deviation.largest().distance, kBeyond);
  EXPECT_TRUE(found.offending.empty());
}

/// Divides the chord of the first facet of the hole at its middle, `beyond` on the side of the hole, and the
/// plate beside it at a point `inside` of the material: the triangles of the plate between are slivers.
void divideChord(double beyond, double inside, TriangleMesh& mesh) {
  const auto isAtMouth = [&](int v) {
    const Vector3d& p = mesh.vertices[static_cast<std::size_t>(v)];
    return p.z() > -1e-6 && std::abs(p.head<2>().norm() - 0.008) < 1e-6;
  };
  std::size_t wall = 0, top = 0, k = 0, j = 0;
  const auto find = [](const auto& isIt, std::size_t& t, std::size_t& corner) {
    for (t = 0;; ++t)
      for (corner = 0; corner < 3; ++corner)
        if (isIt(t, corner)) return;
  };
  const auto at = [&](std::size_t t, std::size_t corner) { return mesh.triangles[t][corner % 3]; };
  find(
      [&](std::size_t t, std::size_t corner) {
        return isAtMouth(at(t, corner)) && isAtMouth(at(t, corner + 1)) && !isAtMouth(at(t, corner + 2)) &&
               mesh.vertices[static_cast<std::size_t>(at(t, corner + 2))].z() < -1e-3;
      },
      wall, k);
  const int a = at(wall, k), b = at(wall, k + 1), below = at(wall, k + 2);
  find([&](std::size_t t, std::size_t corner) { return at(t, corner) == b && at(t, corner + 1) == a; }, top,
       j);
  const int far = at(top, j + 2);
  const Vector3d middle =
      0.5 * (mesh.vertices[static_cast<std::size_t>(a)] + mesh.vertices[static_cast<std::size_t>(b)]);
  const Vector3d out = middle.normalized();
  const auto m = static_cast<int>(mesh.vertices.size()), c = m + 1;
  mesh.vertices.push_back(middle - beyond * out);
  mesh.vertices.push_back(middle + inside * out);
  mesh.triangles[wall] = {a, m, below};
  mesh.triangles[top] = {b, a, c};
  for (const auto& t :
       {std::array{m, b, below}, std::array{a, b, m}, std::array{a, far, c}, std::array{c, far, b}})
    mesh.triangles.push_back(t);
}

/// A corner inside of a facet lies no farther from the surface than the chord of its sides there: that is no
/// scatter. Between this chord and the border of the round face, slivers of the plane face beside it are as
/// far away.
TEST(BoundaryDeviation, OfCornersInsideOfFacetsAndOfSliversBesideThemIsTheSagitta) {
  constexpr int kMany = 80;  // 6.2 µm
  constexpr double kRest = 0.3e-6;
  TriangleMesh mesh = drilledPlate(kMany);
  divideChord(0.1e-6, 3e-6, mesh);
  const RepairedMesh fixed = repairMesh(mesh);
  ASSERT_TRUE(fixed.report.isClosed());
  ASSERT_EQ(fixed.mesh.triangles.size(), mesh.triangles.size());
  physics::BoundarySolid solid = curvedSolid(fixed);
  ASSERT_TRUE(std::any_of(solid.surfaces.begin(), solid.surfaces.end(), [](const physics::Surface& s) {
    return s.kind == physics::SurfaceKind::cylinder;
  }));
  const BoundaryDeviation found = measured(fixed, solid);
  const double sagitta = 0.008 * (1 - std::cos(std::numbers::pi / kMany));
  EXPECT_NEAR(found.deviation.fromGiven.largest, sagitta, kRest);
  EXPECT_LE(found.deviation.scatter, kRest);
  EXPECT_LE(found.deviation.largest().distance, kRest);
  EXPECT_TRUE(found.offending.empty());
}

/// The facets of a bore are of different widths, and its corners scatter: the bore goes through them, also
/// where bores follow their flats, and their scatter is stated.
TEST(BoundaryDeviation, OfABoreThroughItsVerticesIsTheirScatter) {
  constexpr double kScatter = 4e-6;
  TriangleMesh mesh = drilledPlate();
  for (Vector3d& p : mesh.vertices) {
    if (std::abs(p.head<2>().norm() - 0.008) > 1e-6) continue;
    const double angle = std::atan2(p.y(), p.x());
    const double turned = angle + 0.03 * std::sin(5 * angle), radius = 0.008 + kScatter * std::sin(7 * angle);
    p.head<2>() = radius * Eigen::Vector2d(std::cos(turned), std::sin(turned));
  }
  const RecognizedPart part = recognize(repairMesh(mesh), BoreRule::flats);
  const auto bore = std::find_if(part.faces.begin(), part.faces.end(),
                                 [](const RecognizedFace& face) { return face.inner && !face.cone; });
  ASSERT_NE(bore, part.faces.end());
  EXPECT_TRUE(bore->exact);
  EXPECT_EQ(bore->rule, FacetRule::vertices);
  EXPECT_NEAR(part.meshDeviation.scatter, kScatter, 0.3 * kScatter);
  EXPECT_LE(part.meshDeviation.largest().distance, 1e-6);
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
    const BoundaryDeviation found = measured(fixed, solid);
    // Corners of a plane also move along the slanted faces beside it.
    EXPECT_GE(found.deviation.largest().distance, 0.00029);
    EXPECT_LE(found.deviation.largest().distance, 0.0005);
    EXPECT_TRUE(found.deviation.exceeds(kMaxDeviationRatio));
    bool isFound = false;
    for (const int t : found.offending) isFound |= solid.surfaceOf[static_cast<std::size_t>(t)] == moved;
    EXPECT_TRUE(isFound);
  }
}

TEST(BoundaryDeviation, FindsABoreThatIsTooSmallByLessThanItsSagitta) {
  constexpr double kMoved = 30e-6;
  const RepairedMesh mesh = repairMesh(drilledPlate(kFacets));
  physics::BoundarySolid solid = curvedSolid(mesh);
  bool isFound = false;
  for (physics::Surface& surface : solid.surfaces) {
    if (surface.kind != physics::SurfaceKind::cylinder) continue;
    ASSERT_GT(surface.radius * (1 - std::cos(std::numbers::pi / kFacets)), kMoved);
    surface.radius -= kMoved;
    isFound = true;
  }
  ASSERT_TRUE(isFound);
  EXPECT_GE(measured(mesh, solid).deviation.largest().distance, 0.9 * kMoved);
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
