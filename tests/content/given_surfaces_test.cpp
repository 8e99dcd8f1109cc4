// The surfaces of a CAD file: distances from them as trimmed by triangles, and where they contradict its
// edges.
#include "content/recognize/given_surfaces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <variant>
#include <vector>

#include "content/recognize/recognized_part.h"
#include "content/recognize/shape_deviation.h"
#include "tests/content/mesh_samples.h"
#include "tests/support/freeform_surfaces.h"

namespace tenon::content::given_surfaces_test {
namespace {

constexpr double kRadius = 0.008, kHeight = 0.012;
constexpr int kFacets = 32;

CadSurface planeAt(double z) {
  CadSurface s;
  s.kind = CadSurface::Kind::plane;
  s.origin.z() = z;
  return s;
}

CadSurface cylinderOf(double radius) {
  CadSurface s;
  s.kind = CadSurface::Kind::cylinder;
  s.radius = radius;
  return s;
}

/// The surfaces of a mesh: of each triangle the first one that all of its corners are near to.
CadFaces facesOf(const TriangleMesh& mesh, std::vector<CadSurface> surfaces) {
  constexpr double kNear = 1e-4;
  CadFaces cad;
  cad.surfaces = std::move(surfaces);
  cad.low = cad.high = mesh.vertices.front();
  for (const auto& t : mesh.triangles) {
    const auto isOn = [&](const CadSurface& s) {
      return std::all_of(t.begin(), t.end(), [&](int v) {
        const Vector3d& p = mesh.vertices[static_cast<std::size_t>(v)];
        if (s.kind == CadSurface::Kind::plane) return std::abs(s.axis.dot(p - s.origin)) < 1e-9;
        return std::abs(p.head<2>().norm() - s.radius) < kNear;
      });
    };
    const auto found = std::find_if(cad.surfaces.begin(), cad.surfaces.end(), isOn);
    cad.surfaceOf.push_back(static_cast<int>(found - cad.surfaces.begin()));
  }
  for (const Vector3d& p : mesh.vertices) {
    cad.low = cad.low.cwiseMin(p);
    cad.high = cad.high.cwiseMax(p);
  }
  return cad;
}

TriangleMesh pin() {
  return test::turnedMesh({{0, 0}, {0, kRadius}, {kHeight, kRadius}, {kHeight, 0}}, kFacets);
}

TEST(GivenSurfaces, ArePassedByTheirFacetsAndEndAtTheirBorders) {
  const RepairedMesh mesh = repairMesh(pin());
  const Facets facets(mesh);
  const CadFaces cad = facesOf(pin(), {planeAt(0), planeAt(kHeight), cylinderOf(kRadius)});
  const TriangleBvh tree(trianglesOf(mesh.mesh));
  const GivenSurfaces given(facets, cad, tree, 1e-4);
  const auto at = [](double r, double angle, double z) {
    return Vector3d(r * std::cos(angle), r * std::sin(angle), z);
  };
  for (int k = 0; k < 100; ++k) {
    // Away from the corners, beside which a triangle that ends in one reaches further by its sagitta.
    const double angle = 2 * std::numbers::pi / kFacets * (k + 0.3 + 0.1 * (k % 5)),
                 z = kHeight * (k + 0.5) / 100;
    EXPECT_LT(given.distanceFrom(at(kRadius, angle, z)).value, 1e-12);
    EXPECT_NEAR(given.distanceFrom(at(kRadius + 3e-6, angle, z)).value, 3e-6, 1e-12);
    EXPECT_TRUE(given.distanceFrom(at(kRadius + 3e-6, angle, z)).isOutside);
    EXPECT_NEAR(given.distanceFrom(at(kRadius - 3e-6, angle, 0.5 * kHeight)).value, 3e-6, 1e-12);
    EXPECT_FALSE(given.distanceFrom(at(kRadius - 3e-6, angle, 0.5 * kHeight)).isOutside);
    // Beyond the ends there is no cylinder.
    EXPECT_NEAR(given.distanceFrom(at(kRadius, angle, kHeight + 2e-4)).value, 2e-4, 1e-9);
    EXPECT_LT(given.distanceFrom(at(kRadius * k / 100, angle, kHeight)).value, 1e-12);
  }
}

TEST(GivenSurfaces, AreApartFromEdgesThatContradictThem) {
  constexpr double kBeside = 19e-6;
  const RepairedMesh mesh = repairMesh(pin());
  const Facets facets(mesh);
  const CadFaces cad = facesOf(pin(), {planeAt(0), planeAt(kHeight), cylinderOf(kRadius + kBeside)});
  const TriangleBvh tree(trianglesOf(mesh.mesh));
  const GivenSurfaces given(facets, cad, tree, 1e-4);
  for (std::size_t v = 0; v < mesh.mesh.vertices.size(); ++v) {
    const bool isAtEdge = mesh.mesh.vertices[v].head<2>().norm() > 0.5 * kRadius;
    EXPECT_NEAR(given.gapAt(static_cast<int>(v)), isAtEdge ? kBeside : 0, 1e-9);
  }
}

TEST(GivenSurfaces, FarFromTheirFacesAreNone) {
  const RepairedMesh mesh = repairMesh(pin());
  const Facets facets(mesh);
  CadFaces cad = facesOf(pin(), {planeAt(0), planeAt(kHeight), cylinderOf(kRadius)});
  cad.surfaces.back().radius = 1.2 * kRadius;
  const TriangleBvh tree(trianglesOf(mesh.mesh));
  const GivenSurfaces given(facets, cad, tree, 1e-4);
  for (int t = 0; t < facets.count(); ++t) {
    const int source = mesh.sources[static_cast<std::size_t>(t)];
    EXPECT_EQ(given.surfaceOf(t) == nullptr, cad.surfaceOf[static_cast<std::size_t>(source)] == 2) << t;
    for (int k = 0; k < 3; ++k) EXPECT_LT(given.gapAt(facets.vertex(t, k)), 1e-12) << t;
  }
}

// As one that fills a hole and stands for the face of its neighbor.
TEST(GivenSurfaces, AreNotThoseOfOneTriangleFarFromThem) {
  TriangleMesh given = pin();
  const CadFaces cad = facesOf(given, {planeAt(0), planeAt(kHeight), cylinderOf(kRadius)});
  const auto wall = std::find(cad.surfaceOf.begin(), cad.surfaceOf.end(), 2) - cad.surfaceOf.begin();
  const auto moved = static_cast<std::size_t>(given.triangles[static_cast<std::size_t>(wall)][0]);
  given.vertices[moved].head<2>() *= 0.9;
  const RepairedMesh mesh = repairMesh(given);
  const Facets facets(mesh);
  const TriangleBvh tree(trianglesOf(mesh.mesh));
  const GivenSurfaces surfaces(facets, cad, tree, 1e-4);
  int far = 0, near = 0;
  for (int t = 0; t < facets.count(); ++t) {
    if (cad.surfaceOf[static_cast<std::size_t>(mesh.sources[static_cast<std::size_t>(t)])] != 2) continue;
    bool isMoved = false;
    for (int k = 0; k < 3; ++k) isMoved |= facets.point(t, k).head<2>().norm() < 0.95 * kRadius;
    EXPECT_EQ(surfaces.surfaceOf(t) == nullptr, isMoved) << t;
    EXPECT_FALSE(surfaces.hasOnlyFacets(t)) << t;
    ++(isMoved ? far : near);
    if (!isMoved) continue;
    const Vector3d middle = (facets.point(t, 0) + facets.point(t, 1) + facets.point(t, 2)) / 3;
    EXPECT_LT(surfaces.distanceFrom(middle).value, 1e-12) << t;
  }
  EXPECT_GT(far, 0);
  EXPECT_GT(near, far);
}

// A cylinder that is lower than its facets are deep: the plane beside it is nearer to it than they are.
TEST(GivenSurfaces, AShallowStepIsMeasuredAgainstItsOwnSurface) {
  constexpr double kStep = 7e-6, kInner = 0.006;
  const std::vector<Eigen::Vector2d> profile{{0, 0},
                                             {0, kRadius},
                                             {kHeight, kRadius},
                                             {kHeight, kInner},
                                             {kHeight + kStep, kInner},
                                             {kHeight + kStep, 0}};
  const TriangleMesh mesh = test::turnedMesh(profile, kFacets);
  const CadFaces cad = facesOf(mesh, {planeAt(0), planeAt(kHeight), planeAt(kHeight + kStep),
                                      cylinderOf(kRadius), cylinderOf(kInner)});
  const RecognizedPart part = recognize(repairMesh(mesh), BoreRule::vertices, &cad);
  EXPECT_EQ(part.exactArea, 1);
  EXPECT_LT(part.meshDeviation.fromColliding.largest, 1e-9);
  EXPECT_LT(part.meshDeviation.largest().distance, 1e-9);
}

// The edges of the file lie 19 µm beside the hole: its surface collides, and what its edges are off is
// stated.
TEST(GivenSurfaces, CollideWhereEdgesAreBesideThem) {
  constexpr double kBeside = 19e-6;
  const std::vector<Eigen::Vector2d> outline{
      {-0.02, -0.02}, {0.02, -0.02}, {0.02, 0.015}, {0.015, 0.02}, {-0.02, 0.02}};
  const TriangleMesh mesh = test::drilledMesh({outline, kHeight, kRadius, 0, 1, kFacets});
  std::vector<CadSurface> surfaces{planeAt(0), planeAt(-kHeight), cylinderOf(kRadius + kBeside)};
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const Eigen::Vector2d &a = outline[k], along = outline[(k + 1) % outline.size()] - a;
    CadSurface side = planeAt(0);
    side.origin = {a.x(), a.y(), 0};
    side.axis = Vector3d(along.y(), -along.x(), 0).normalized();
    surfaces.push_back(side);
  }
  const CadFaces cad = facesOf(mesh, surfaces);
  const RecognizedPart part = recognize(repairMesh(mesh), BoreRule::vertices, &cad);
  EXPECT_EQ(part.exactArea, 1);
  EXPECT_LT(part.meshDeviation.largest().distance, 1e-9);
  EXPECT_NEAR(part.meshDeviation.scatter, kBeside, 1e-9);
  EXPECT_NEAR(part.meshDeviation.scatterPosition.head<2>().norm(), kRadius, 1e-9);
  const auto* solid = std::get_if<physics::BoundarySolid>(&part.shape);
  ASSERT_NE(solid, nullptr);
  const auto hole =
      std::find_if(solid->surfaces.begin(), solid->surfaces.end(),
                   [](const physics::Surface& s) { return s.kind == physics::SurfaceKind::cylinder; });
  ASSERT_NE(hole, solid->surfaces.end());
  EXPECT_NEAR(hole->radius, kRadius + kBeside, 1e-12);
}

// A surface that is farthest from its triangles between the points at which these are compared with it.
TEST(GivenSurfaces, AreWhereTheyWaverAboutTheirTriangles) {
  constexpr double kHalf = 5e-3, kWaver = 50e-6;
  TriangleMesh block;
  test::addBox({2 * kHalf, 2 * kHalf, kHalf}, {-kHalf, -kHalf, -kHalf}, block);
  tests::HeightField field{kHalf, {}};
  field.height[1][2] = kWaver;
  field.height[2][1] = -kWaver;
  CadSurface top;
  top.kind = CadSurface::Kind::freeform;
  top.freeform = field.surface().freeform;
  CadFaces cad;
  cad.surfaces = {top, {}};
  const auto isTop = [&](const std::array<int, 3>& t) {
    return std::all_of(t.begin(), t.end(),
                       [&](int v) { return block.vertices[static_cast<std::size_t>(v)].z() == 0; });
  };
  for (const auto& t : block.triangles) cad.surfaceOf.push_back(isTop(t) ? 0 : 1);
  ASSERT_EQ(std::count(cad.surfaceOf.begin(), cad.surfaceOf.end(), 0), 2);
  const RepairedMesh mesh = repairMesh(block);
  const Facets facets(mesh);
  const TriangleBvh tree(trianglesOf(mesh.mesh));
  const GivenSurfaces given(facets, cad, tree, 1e-4);
  double highest = 0;
  for (int i = 1; i < 40; ++i)
    for (int k = 1; k < 40; ++k) {
      const double x = kHalf * (i / 20.0 - 1), y = kHalf * (k / 20.0 - 1), z = field.at(x, y);
      EXPECT_LT(given.distanceFrom({x, y, z}).value, 1e-9) << x << " " << y;
      EXPECT_NEAR(given.distanceFrom({x, y, z + 1e-6}).value, 1e-6, 1e-9) << x << " " << y;
      highest = std::max(highest, z);
    }
  EXPECT_GT(highest, 4e-6);
}

}  // namespace
}  // namespace tenon::content::given_surfaces_test
