// Round holes and shafts whose faces collide as facets: their names, and the circles between their facets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "content/model/hole_sites.h"
#include "content/reader/widen_shapes.h"
#include "content/recognize/faceted_sites.h"
#include "content/recognize/recognized_cache.h"
#include "content/recognize/recognized_part.h"
#include "tests/content/mesh_samples.h"

namespace tenon::content::faceted_sites_test {
namespace {

using Eigen::Vector2d;

constexpr double kRounding = 1e-9;  // [m]
constexpr int kRimCorners = 20;

RecognizedPart found(const TriangleMesh& mesh) {
  return recognize(repairMesh(mesh), BoreRule::flats);
}

/// A prism from z = −12 mm to 0 with a hole about z. If `isRough`, its lowest rim has a corner inside of a
/// facet and is up to 3 µm off a plane, and all corners with this radius are up to 5 µm off a circle: no
/// exact cylinder meets its neighbors where the mesh says.
TriangleMesh prismWith(const std::vector<Vector2d>& hole, double radius, bool isRough) {
  std::vector<double> azimuths;
  for (int k = 0; k < kRimCorners; ++k) azimuths.push_back(2 * std::numbers::pi * k / kRimCorners);
  std::vector<double> last = azimuths;
  const double inside = std::numbers::pi / kRimCorners;
  if (isRough) last.insert(last.begin() + 1, inside);
  TriangleMesh mesh = test::holedMesh(test::polygon(0.015, 5, 0.3), 0.012, hole, azimuths, last);
  if (!isRough) return mesh;
  int k = 0;
  for (Vector3d& p : mesh.vertices) {
    ++k;
    if (std::abs(p.head<2>().norm() - radius) > kRounding) continue;
    if (std::abs(std::atan2(p.y(), p.x()) - inside) < kRounding) p.head<2>() *= std::cos(inside);
    if (p.z() < -0.011) p.z() += 3e-6 * std::sin(1e3 * k);
    p.head<2>() *= 1 + 5e-6 * std::sin(77.0 * k) / radius;
  }
  return mesh;
}

/// The least distance from the axis of a hole, by steps of a thousandth along all sides of the triangles
/// whose corners are within 3 % of the radius [m].
double clearRadius(const TriangleMesh& mesh, const physics::Pose& X, double radius) {
  double least = HUGE_VAL;
  for (const auto& t : mesh.triangles) {
    std::vector<Vector2d> corners;
    for (const int v : t) {
      const Vector3d p = X.inverse() * mesh.vertices[static_cast<std::size_t>(v)];
      if (std::abs(p.head<2>().norm() - radius) < 0.03 * radius) corners.emplace_back(p.head<2>());
    }
    if (corners.size() < 3) continue;
    for (std::size_t k = 0; k < 3; ++k)
      for (int step = 0; step <= 1000; ++step)
        least = std::min(least, (corners[k] + step / 1000.0 * (corners[(k + 1) % 3] - corners[k])).norm());
  }
  return least;
}

std::optional<HoleSite> holeNamed(const RecognizedPart& part, const std::string& name) {
  for (HoleSite& hole : holesOf(part.shape))
    if (hole.name == name) return std::move(hole);
  return std::nullopt;
}

TEST(FacetedSites, ARoughBoreIsAHoleBetweenItsFacets) {
  constexpr double kRadius = 0.003;
  for (const bool isRough : {true, false}) {
    SCOPED_TRACE(isRough);
    const TriangleMesh mesh = prismWith({{0, kRadius}, {-0.012, kRadius}}, kRadius, isRough);
    const RecognizedPart part = found(mesh);
    ASSERT_EQ(part.faces.size(), 1U);
    EXPECT_EQ(part.faces[0].exact, !isRough);
    EXPECT_EQ(part.faces[0].holeOrEnd, "hole +z");
    EXPECT_EQ(part.isFaceted("hole +z"), isRough);
    const auto holes = holesOf(part.shape);
    ASSERT_EQ(holes.size(), 1U);
    EXPECT_EQ(holes[0].name, "hole +z");
    EXPECT_TRUE(holes[0].through);
    EXPECT_EQ(holes[0].isInterrupted, isRough);
    EXPECT_NEAR(holes[0].depth(), 0.012, 6e-6) << "the rims of a rough one, 3 µm";
    EXPECT_LT(holes[0].X_PH.p.norm(), 10e-6);
    EXPECT_NEAR(holes[0].diameter(), 2 * clearRadius(mesh, holes[0].X_PH, kRadius), 2e-8) << "of its steps";
    const auto back = fromCacheText(toCacheText(part));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->facetedSites, part.facetedSites);
  }
}

TEST(FacetedSites, ItsProfileHasTheExactFacesAboutTheSameAxis) {
  constexpr double kRadius = 0.003;
  const TriangleMesh mesh = prismWith(
      {{0, 0.006}, {-0.001, 0.005}, {-0.004, 0.005}, {-0.004, kRadius}, {-0.012, kRadius}}, kRadius, true);
  const RecognizedPart part = found(mesh);
  std::vector<HoleSite> faceted;
  for (const HoleSite& hole : holesOf(part.shape))
    if (part.isFaceted(hole.name)) faceted.push_back(hole);
  ASSERT_EQ(faceted.size(), 1U);
  EXPECT_NEAR(faceted[0].diameter(), 2 * clearRadius(mesh, faceted[0].X_PH, kRadius), 2e-8);
  EXPECT_LT((faceted[0].X_PH.p).norm(), 10e-6) << "at the outermost mouth";
  EXPECT_NEAR(faceted[0].depth(), 0.012, 6e-6);
  const double widest = std::max_element(faceted[0].profile.begin(), faceted[0].profile.end(),
                                         [](const Vector2d& a, const Vector2d& b) { return a.y() < b.y(); })
                            ->y();
  EXPECT_GT(widest, 0.0059);
  EXPECT_LT(widest, 0.006 + 1e-8);
}

// Names of other holes do not depend on it: it comes last, even where its position is the first.
TEST(FacetedSites, OtherHolesKeepTheirNames) {
  constexpr double kRadius = 0.003;
  TriangleMesh mesh = prismWith({{0, kRadius}, {-0.012, kRadius}}, kRadius, true);
  const TriangleMesh other = test::drilledMesh({test::polygon(0.015, 5, 0.3), 0.012, 0.004, 0, 0.02, 48});
  const auto first = static_cast<int>(mesh.vertices.size());
  for (const Vector3d& p : other.vertices) mesh.vertices.emplace_back(p + Vector3d(0.06, 0, 0));
  for (const auto& t : other.triangles) mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  const RecognizedPart part = found(mesh);
  ASSERT_EQ(holesOf(part.shape).size(), 2U);
  EXPECT_NEAR(holeNamed(part, "hole +z")->X_PH.p.x(), 0.06, 1e-8);
  EXPECT_FALSE(part.isFaceted("hole +z"));
  EXPECT_NEAR(holeNamed(part, "hole +z 2")->X_PH.p.x(), 0, 10e-6);
  EXPECT_TRUE(part.isFaceted("hole +z 2"));
}

/// An exact bore of a mesh, whose wall is to collide as facets.
struct Flattened {
  explicit Flattened(const TriangleMesh& mesh)
      : repaired(repairMesh(mesh)),
        facets(repaired),
        part(recognize(repaired, BoreRule::flats)),
        solid(std::get<physics::BoundarySolid>(part.shape)),
        recognized(solid.surfaceOf) {
    holes.swap(solid.holes);
    for (int& s : solid.surfaceOf)
      if (s >= 0 && solid.surfaces[static_cast<std::size_t>(s)].kind == physics::SurfaceKind::cylinder)
        s = -1;
  }
  std::vector<RoundSite> sites() const {
    return facetedSites(facets, solid, recognized, std::vector<char>(recognized.size(), 0));
  }

  RepairedMesh repaired;
  Facets facets;
  RecognizedPart part;
  physics::BoundarySolid solid;
  std::vector<int> recognized;
  std::vector<physics::Cavity> holes;
};

TEST(FacetedSites, AKnownHoleIsNotFoundAgain) {
  Flattened bore(prismWith({{0, 0.006}, {-0.001, 0.005}, {-0.012, 0.005}}, 0.005, false));
  ASSERT_EQ(bore.holes.size(), 1U);
  const std::vector<RoundSite> sites = bore.sites();
  ASSERT_EQ(sites.size(), 1U);
  EXPECT_LT((sites[0].X.p - bore.holes[0].X_BH.p).norm(), kRounding);
  ASSERT_EQ(sites[0].profile.size(), 3U);
  EXPECT_NEAR(sites[0].profile[2].y(), 0.005 * std::cos(std::numbers::pi / kRimCorners), kRounding);
  EXPECT_EQ(sites[0].profile[1].y(), sites[0].profile[2].y());
  bore.solid.holes = bore.holes;
  EXPECT_TRUE(bore.sites().empty());
  bore.solid.holes[0].X_BH.p.x() += 1e-3;  // another axis
  EXPECT_EQ(bore.sites().size(), 1U);
  bore.solid.surfaceOf = bore.recognized;  // nothing collides as facets
  EXPECT_TRUE(bore.sites().empty());
}

TEST(FacetedSites, AChamberBehindANarrowerMouthIsNone) {
  const Flattened chamber(
      prismWith({{0, 0.003}, {-0.004, 0.003}, {-0.004, 0.005}, {-0.009, 0.005}, {-0.009, 0}}, 0.005, false));
  const std::vector<RoundSite> sites = chamber.sites();
  ASSERT_EQ(sites.size(), 1U) << "the bore of its mouth, with the chamber below";
  EXPECT_NEAR(sites[0].profile.front().y(), 0.003 * std::cos(std::numbers::pi / kRimCorners), kRounding);
}

// A fit changes exact cylinders only; the profile of a hole alone would promise a clearance that is not
// there.
TEST(FacetedSites, AFitIsNotLaidOnAWallOfFacets) {
  RecognizedPart rough = found(prismWith({{0, 0.003}, {-0.012, 0.003}}, 0.003, true));
  const auto hole = holeNamed(rough, "hole +z");
  ASSERT_TRUE(hole);
  EXPECT_FALSE(widenHole(rough.shape, "hole +z", hole->diameter() / 2, 10e-6).found);
  EXPECT_EQ(holeNamed(rough, "hole +z")->diameter(), hole->diameter());
  RecognizedPart prism = found(test::drilledMesh({test::polygon(0.015, 5, 0.3), 0.012, 0.004, 0, 0.02, 8}));
  EXPECT_FALSE(widenHole(prism.shape, "hole +z", holeNamed(prism, "hole +z")->diameter() / 2, 10e-6).found);
  RecognizedPart exact = found(prismWith({{0, 0.003}, {-0.012, 0.003}}, 0.003, false));
  EXPECT_TRUE(widenHole(exact.shape, "hole +z", holeNamed(exact, "hole +z")->diameter() / 2, 10e-6).found);
}

}  // namespace
}  // namespace tenon::content::faceted_sites_test
