// Features recognized in meshes of known parts: sizes, names, exact shapes; and no false ones.
#include <gtest/gtest.h>

#include <numbers>
#include <random>
#include <set>
#include <variant>

#include "content/mesh/mesh_mass.h"
#include "content/mesh/triangulate.h"
#include "content/model/hole_sites.h"
#include "content/recognize/recognized_part.h"
#include "physics/body/mass_properties.h"
#include "tests/content/mesh_samples.h"
#include "tests/support/triangle_meshes.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;

RecognizedPart found(const TriangleMesh& mesh, BoreRule rule = BoreRule::flats) {
  return recognize(repairMesh(mesh), rule);
}

/// The largest faces first of one kind.
std::vector<RecognizedFace> faces(const RecognizedPart& part, bool inner) {
  std::vector<RecognizedFace> list;
  for (const RecognizedFace& face : part.faces)
    if (face.inner == inner) list.push_back(face);
  return list;
}

/// True for a shape with exact contacts of its own, not that of a mesh's faces.
bool isOneExactShape(const RecognizedPart& part) {
  return !std::holds_alternative<physics::BoundarySolid>(part.shape);
}

const std::vector<Vector2d> kPeg{{0, 0}, {0, 0.0035}, {0.0005, 0.004}, {0.05, 0.004}, {0.05, 0}};

TEST(Recognition, APegIsOneSolidOfRevolutionWithNamedEnds) {
  const RecognizedPart part = found(test::turnedMesh(kPeg, 48));
  const auto* turned = std::get_if<physics::SolidOfRevolution>(&part.shape);
  const auto* compound = std::get_if<physics::Compound>(&part.shape);
  if (compound) turned = std::get_if<physics::SolidOfRevolution>(&compound->children.front().shape);
  ASSERT_NE(turned, nullptr);
  ASSERT_EQ(turned->profile.size(), 5U);
  ASSERT_EQ(part.features.size(), 2U);
  EXPECT_EQ(part.features[0].name, "end -z");
  EXPECT_LT(part.features[0].origin.norm(), 1e-9);
  EXPECT_LT((part.features[1].origin - Vector3d(0, 0, 0.05)).norm(), 1e-9);
  const physics::MassProperties exact = physics::massProperties(physics::SolidOfRevolution{kPeg}, 7850);
  const physics::MassProperties mass = physics::massProperties(part.shape, 7850);
  EXPECT_NEAR(mass.mass, exact.mass, 1e-7 * exact.mass);
  EXPECT_LT((mass.center - exact.center).norm(), 1e-8);
}

TEST(Recognition, BlindHolesAlongTheAxisAreNamedAndMeasured) {
  // Ø 20 × 40, from above Ø 8 and 15 deep with a chamfer, from below Ø 12 and 10 deep.
  const std::vector<Vector2d> both{{0.010, 0},     {0.010, 0.006}, {0, 0.006},     {0, 0.010}, {0.040, 0.010},
                                   {0.040, 0.005}, {0.039, 0.004}, {0.025, 0.004}, {0.025, 0}};
  const RecognizedPart part = found(test::turnedMesh(both, 48), BoreRule::vertices);
  EXPECT_TRUE(isOneExactShape(part));
  const auto holes = holesOf(part.shape);
  ASSERT_EQ(holes.size(), 2U);
  EXPECT_EQ(holes[0].name, "hole +z");
  EXPECT_LT((holes[0].X_PH.p - Vector3d(0, 0, 0.040)).norm(), 1e-8);
  EXPECT_LT((holes[0].X_PH.q * Vector3d::UnitZ() - Vector3d::UnitZ()).norm(), 1e-8);
  ASSERT_EQ(holes[0].profile.size(), 4U);
  EXPECT_LT((holes[0].profile[1] - Vector2d(-0.001, 0.004)).norm(), 1e-8);
  EXPECT_NEAR(holes[0].depth(), 0.015, 1e-8);
  EXPECT_EQ(holes[1].name, "hole -z");
  EXPECT_LT(holes[1].X_PH.p.norm(), 1e-8);
  EXPECT_LT((holes[1].X_PH.q * Vector3d::UnitZ() + Vector3d::UnitZ()).norm(), 1e-8);
  EXPECT_LT((holes[1].profile.front() - Vector2d(0, 0.006)).norm(), 1e-8);
  EXPECT_NEAR(holes[1].depth(), 0.010, 1e-8);
  EXPECT_FALSE(holes[0].through || holes[1].through);
  std::multiset<std::string> of;
  for (const RecognizedFace& face : part.faces) of.insert(face.holeOrEnd);
  EXPECT_EQ(of, (std::multiset<std::string>{"end -z", "hole +z", "hole +z", "hole -z"}));
}

TEST(Recognition, ARingsBoreBelongsToItsHole) {
  const TriangleMesh ring =
      test::turnedMesh({{0, 0.004}, {0, 0.008}, {0.01, 0.008}, {0.01, 0.004}, {0, 0.004}}, 48);
  for (const BoreRule rule : {BoreRule::flats, BoreRule::vertices}) {
    const RecognizedPart part = found(ring, rule);
    ASSERT_EQ(part.faces.size(), 2U);
    for (const RecognizedFace& face : part.faces)
      EXPECT_EQ(face.holeOrEnd, face.inner ? "hole +z" : "end -z");
  }
}

/// Diameter, chamfer [m].
class ChamferedPin : public testing::TestWithParam<std::pair<double, double>> {};

TEST_P(ChamferedPin, IsExactForAnyFacetWidth) {
  const auto [diameter, chamfer] = GetParam();
  const double r = diameter / 2, length = 3 * diameter;
  const std::vector<Vector2d> profile{{0, 0}, {0, r - chamfer}, {chamfer, r}, {length, r}, {length, 0}};
  for (const int facets : {24, 36, 48, 64, 96}) {
    const RecognizedPart part = found(test::turnedMesh(profile, facets));
    EXPECT_TRUE(isOneExactShape(part)) << facets;
    EXPECT_EQ(part.features.size(), 2U) << facets;
    ASSERT_EQ(part.faces.size(), 2U) << facets;
    EXPECT_NEAR(part.faces[0].vertexDiameter, diameter, 1e-8);
    EXPECT_NEAR(part.faces[1].length, chamfer, 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ChamferedPin,
                         testing::Values(std::pair(0.006, 0.00025), std::pair(0.008, 0.0001),
                                         std::pair(0.008, 0.0005), std::pair(0.0165, 0.0005),
                                         std::pair(0.024, 0.001), std::pair(0.047, 0.0005),
                                         std::pair(0.047, 0.002)));

TEST(Recognition, ADrillPointIsRecognizedInAFanOfTriangles) {
  // Ø 8.1, 118°, in a turned part: the point's triangles all meet in its tip.
  const double r = 0.00405, point = r / std::tan(59 * std::numbers::pi / 180);
  const std::vector<Vector2d> profile{{0, 0},    {0, 0.01}, {0.04, 0.01},
                                      {0.04, r}, {0.02, r}, {0.02 - point, 0}};
  for (const int facets : {16, 24, 36, 48, 72, 96, 128}) {
    const RecognizedPart part = found(test::turnedMesh(profile, facets), BoreRule::vertices);
    EXPECT_TRUE(isOneExactShape(part)) << facets;
    const auto holes = holesOf(part.shape);
    ASSERT_EQ(holes.size(), 1U) << facets;
    EXPECT_NEAR(holes[0].depth(), 0.02 + point, 1e-7) << facets;
    EXPECT_NEAR(holes[0].profile[1].y(), r, 1e-8) << facets;
  }
}

// Its round face has one row of vertices: the apex alone says how steep it is.
TEST(Recognition, AConeThatEndsInAPointIsExact) {
  for (const int facets : {16, 24, 40, 128, 4100}) {
    SCOPED_TRACE(facets);
    const std::vector<Vector2d> cone{{0, 0}, {0, 0.012}, {0.025, 0}};
    const RecognizedPart part = found(test::turnedMesh(cone, facets));
    EXPECT_EQ(part.exactArea, 1);
    ASSERT_EQ(part.faces.size(), 1U);
    EXPECT_TRUE(part.faces[0].cone && part.faces[0].exact);
    EXPECT_NEAR(part.faces[0].vertexDiameter, 0.012, 1e-9);
    EXPECT_NEAR(part.faces[0].length, 0.025, 1e-9);
  }
}

// A circle smaller than the tolerance of vertices is no apex.
TEST(Recognition, AFrustumMayEndInACircleOfMicrometers) {
  for (const double end : {3e-6, 8e-6, 12e-6}) {
    SCOPED_TRACE(end);
    const RecognizedPart part = found(test::turnedMesh({{0, 0}, {0, 0.006}, {0.02, end}, {0.02, 0}}, 16));
    EXPECT_EQ(part.exactArea, 1);
    ASSERT_EQ(part.faces.size(), 1U);
    EXPECT_NEAR(std::min(part.faces[0].diameterLow, part.faces[0].diameterHigh), 2 * end, 1e-6);
  }
  // A funnel into a bore of 8 µm: the axis is that of the outside.
  const RecognizedPart funnel = found(
      test::turnedMesh({{0, 8e-6}, {0, 0.006}, {0.02, 0.006}, {0.02, 0.003}, {0.01, 8e-6}, {0, 8e-6}}, 16));
  EXPECT_EQ(funnel.exactArea, 1);
  for (const AxisFeature& feature : funnel.features) EXPECT_LT(feature.origin.head<2>().norm(), 1e-9);
}

TEST(Recognition, RowsOfTrianglesMayBeShort) {
  // A cylinder in rows of 0.1 mm, a shim ring, and a fillet in chords of 0.1 mm.
  std::vector<Vector2d> rows{{0, 0}};
  for (int k = 0; k <= 100; ++k) rows.emplace_back(1e-4 * k, 0.004);
  rows.emplace_back(0.01, 0);
  EXPECT_TRUE(isOneExactShape(found(test::turnedMesh(rows, 48))));
  EXPECT_TRUE(isOneExactShape(
      found(test::turnedMesh({{0, 0.004}, {0, 0.008}, {1.5e-4, 0.008}, {1.5e-4, 0.004}, {0, 0.004}}, 48))));
  std::vector<Vector2d> fillet{{-0.01, 0}, {-0.01, 0.004}};
  for (int k = 0; k <= 16; ++k) {
    const double angle = k * std::numbers::pi / 32;
    fillet.emplace_back(-0.001 + 0.001 * std::sin(angle), 0.005 - 0.001 * std::cos(angle));
  }
  fillet.insert(fillet.end(), {{0, 0.008}, {0.005, 0.008}, {0.005, 0}});
  // Its profile leaves the chords by more than the tolerance: the faces collide.
  const RecognizedPart filleted = found(test::turnedMesh(fillet, 64));
  EXPECT_FALSE(filleted.meshDeviation.exceeds(1));
  EXPECT_GT(filleted.exactArea, 0.8);
}

TEST(Recognition, AChamferedHoleInACuboidIsABlockWithHoles) {
  const TriangleMesh mesh = test::drilledMesh(
      {{{-0.02, -0.01}, {0.02, -0.01}, {0.02, 0.01}, {-0.02, 0.01}}, 0.012, 0.004, 0.001, 0.02, 64});
  ASSERT_TRUE(repairMesh(mesh).report.isClean());
  const RecognizedPart part = found(mesh);
  const auto holes = holesOf(part.shape);
  ASSERT_EQ(holes.size(), 1U);
  EXPECT_EQ(holes[0].name, "hole +z");
  EXPECT_TRUE(holes[0].through);
  ASSERT_EQ(holes[0].profile.size(), 3U);
  const double flat = std::cos(std::numbers::pi / 64);
  EXPECT_NEAR(holes[0].profile[2].y(), 0.004 * flat, 1e-8);
  EXPECT_NEAR(holes[0].profile[0].y(), 0.005 * flat, 1e-8);
  EXPECT_NEAR(holes[0].profile[1].x(), -0.001, 1e-8);
  EXPECT_LT((holes[0].X_PH.p).norm(), 1e-8);
  EXPECT_TRUE(isOneExactShape(part));
  // The diameter in CAD: through the vertices.
  EXPECT_NEAR(holesOf(found(mesh, BoreRule::vertices).shape)[0].profile[2].y(), 0.004, 1e-8);
}

TEST(Recognition, AHoleInAPrismIsExactAndOpen) {
  for (const double depth : {0.02, 0.007}) {
    const TriangleMesh mesh =
        test::drilledMesh({test::polygon(0.015, 5, 0.3), 0.012, 0.004, 0.0005, depth, 40});
    const RepairedMesh fixed = repairMesh(mesh);
    ASSERT_TRUE(fixed.report.isClean());
    const RecognizedPart part = recognize(fixed, BoreRule::vertices);
    const auto holes = holesOf(part.shape);
    ASSERT_EQ(holes.size(), 1U) << depth;
    EXPECT_NEAR(holes[0].profile[2].y(), 0.004, 1e-8);
    EXPECT_EQ(holes[0].through, depth > 0.012);
    // All of it on planes and the hole's cylinder and cone.
    EXPECT_EQ(part.exactArea, 1);
    for (const RecognizedFace& face : faces(part, true)) EXPECT_TRUE(face.exact);
  }
}

// Facets of different widths have no common inscribed circle; their corners are on the circle of the CAD
// file.
TEST(Recognition, ABoreOfUnequalFacetsGoesThroughTheirCorners) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> width(0.06, 0.2);
    std::vector<double> azimuths{0};
    while (azimuths.back() < 2 * std::numbers::pi - 0.26) azimuths.push_back(azimuths.back() + width(random));
    const TriangleMesh mesh =
        test::holedMesh(test::polygon(0.045, 5, 0.3), 0.02, {{0, 0.0315}, {-0.0015, 0.03}, {-0.02, 0.03}},
                        azimuths, azimuths);
    const RecognizedPart part = found(mesh);
    const auto holes = holesOf(part.shape);
    ASSERT_EQ(holes.size(), 1U) << seed;
    ASSERT_EQ(holes[0].profile.size(), 3U) << seed;
    EXPECT_NEAR(holes[0].profile[2].y(), 0.03, 1e-8) << seed;
    EXPECT_NEAR(holes[0].profile[0].y(), 0.0315, 1e-8) << seed;
    EXPECT_EQ(part.exactArea, 1) << seed;
  }
}

// Only the lower rim has further corners, some of them close to others, as a hole across leaves them: the
// chamfer of equal facets meets the bore where the file says.
TEST(Recognition, ABoreWithFurtherCornersMeetsItsChamfer) {
  for (const int facets : {16, 20, 24, 32, 48}) {
    SCOPED_TRACE(facets);
    std::vector<double> azimuths;
    for (int k = 0; k < facets; ++k) azimuths.push_back(2 * std::numbers::pi * k / facets);
    std::vector<double> last = azimuths;
    for (const double further : {0.31, 0.98, 1.585, 2.2, 3.16, 3.9, 4.72, 5.5}) last.push_back(further);
    std::sort(last.begin(), last.end());
    const TriangleMesh mesh = test::holedMesh(test::polygon(0.015, 5, 0.3), 0.02,
                                              {{0, 0.006}, {-0.001, 0.005}, {-0.02, 0.005}}, azimuths, last);
    const RecognizedPart part = found(mesh);
    const auto holes = holesOf(part.shape);
    ASSERT_EQ(holes.size(), 1U);
    EXPECT_LT(holes[0].X_PH.p.norm(), 1e-8);
    ASSERT_EQ(holes[0].profile.size(), 3U);
    EXPECT_NEAR(holes[0].profile[0].y(), 0.006, 1e-8);
    EXPECT_NEAR(holes[0].profile[1].y(), 0.005, 1e-8);
    EXPECT_NEAR(holes[0].profile[2].y(), 0.005, 1e-8);
    EXPECT_EQ(part.exactArea, 1);
  }
}

// What small holes are in files for printing: a goal can name them, and they collide as they are.
TEST(Recognition, HolesOfFewFacetsAreNamedByTheirInscribedCircle) {
  constexpr double kRadius = 0.004, kHeight = 0.012;
  for (const int facets : {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    for (const double depth : {0.02, 0.007}) {
      SCOPED_TRACE(std::to_string(facets) + " facets, " + std::to_string(depth));
      // Open at z = 0, in a prism that is no block.
      const TriangleMesh mesh =
          test::drilledMesh({test::polygon(0.015, 5, 0.3), kHeight, kRadius, 0, depth, facets});
      const RecognizedPart part = found(mesh);
      const auto holes = holesOf(part.shape);
      ASSERT_EQ(holes.size(), facets < 7 ? 0U : 1U);
      if (facets < 7) continue;
      const physics::Pose& X = holes[0].X_PH;
      EXPECT_EQ(holes[0].name, "hole +z");
      EXPECT_EQ(holes[0].through, depth > kHeight);
      EXPECT_EQ(holes[0].isInterrupted, facets < 14) << "of planes";
      EXPECT_LT(X.p.norm(), 1e-8);
      EXPECT_LT((X.q * Vector3d::UnitZ() - Vector3d::UnitZ()).norm(), 1e-8);
      for (const Vector2d& zr : holes[0].profile)
        EXPECT_TRUE(zr.y() == 0 || std::abs(zr.y() - kRadius * std::cos(std::numbers::pi / facets)) < 1e-8);
      EXPECT_NEAR(holes[0].profile.back().x(), -std::min(depth, kHeight), 1e-8);
      EXPECT_EQ(part.exactArea, 1);
      EXPECT_EQ(faces(part, true).size(), facets < 14 ? 0U : 1U);
    }
}

// Where the axis of such a hole is tilted, where the hole is a boss, and where a corner is off the circle.
TEST(Recognition, OnlyRoundHolesOfFewFacetsAreNamed) {
  TriangleMesh mesh = test::drilledMesh({test::polygon(0.015, 5, 0.3), 0.012, 0.004, 0.001, 0.007, 8});
  const physics::Pose tilted{Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized())),
                             {0.1, -0.2, 0.05}};
  for (Vector3d& p : mesh.vertices) p = tilted * p;
  const auto holes = holesOf(found(mesh).shape);
  ASSERT_EQ(holes.size(), 1U);
  EXPECT_FALSE(holes[0].through);
  EXPECT_LT((holes[0].X_PH.q * Vector3d::UnitZ() - tilted.q * Vector3d::UnitZ()).norm(), 1e-7);
  EXPECT_LT((holes[0].X_PH.p - tilted * Vector3d(0, 0, -0.001)).norm(), 1e-7) << "below its countersink";

  const TriangleMesh boss = test::boltMesh({test::polygon(0.0075, 5), 0.0053, 0.004, 0.03, 0, 8});
  EXPECT_TRUE(holesOf(found(boss).shape).empty());

  std::vector<double> azimuths;
  for (int k = 0; k < 8; ++k) azimuths.push_back(2 * std::numbers::pi * k / 8);
  TriangleMesh oblong =
      test::holedMesh(test::polygon(0.015, 5, 0.3), 0.012, {{0, 0.004}, {-0.012, 0.004}}, azimuths, azimuths);
  for (Vector3d& p : oblong.vertices) p.x() *= 1.01;
  EXPECT_TRUE(holesOf(found(oblong).shape).empty());
}

TEST(Recognition, AHexagonBoltHasAnExactShankUnderAPrism) {
  const TriangleMesh mesh = test::boltMesh({test::polygon(0.0075, 6), 0.0053, 0.004, 0.03, 0.001, 36});
  const RepairedMesh fixed = repairMesh(mesh);
  ASSERT_TRUE(fixed.report.isClean());
  const RecognizedPart part = recognize(fixed, BoreRule::flats);
  const auto outer = faces(part, false);
  ASSERT_EQ(outer.size(), 2U);
  EXPECT_TRUE(outer[0].exact);
  EXPECT_NEAR(outer[0].diameterLow, 0.008, 1e-8);
  ASSERT_EQ(part.features.size(), 1U);
  EXPECT_EQ(part.features[0].name, "end -z");
  EXPECT_LT((part.features[0].origin - Vector3d(0, 0, -0.03)).norm(), 1e-8);
  EXPECT_EQ(part.exactArea, 1);
}

TEST(Recognition, AnLCollidesAsItsPlanes) {
  TriangleMesh mesh;
  const std::vector<Vector2d> outline{{0.01, 0.01},  {-0.01, 0.01},  {-0.01, -0.01},
                                      {0.03, -0.01}, {0.03, -0.005}, {0.01, -0.005}};
  const auto top = test::addLoop(outline, 0.01, mesh), bottom = test::addLoop(outline, 0, mesh);
  for (std::size_t k = 0; k < top.size(); ++k) {
    const std::size_t next = (k + 1) % top.size();
    addPolygon(std::array{top[k], bottom[k], bottom[next], top[next]}, mesh);
  }
  addPolygon(top, mesh);
  addPolygon(std::vector<int>(bottom.rbegin(), bottom.rend()), mesh);
  const RepairedMesh fixed = repairMesh(mesh);
  ASSERT_TRUE(fixed.report.isClean());
  const RecognizedPart part = recognize(fixed, BoreRule::flats);
  EXPECT_EQ(part.exactArea, 1);
  EXPECT_NEAR(part.shapeVolume, (0.0004 + 0.0001) * 0.01, 1e-12);
  EXPECT_TRUE(part.faces.empty());
}

TEST(Recognition, PrismsAndEllipsesAreNotCylinders) {
  for (const int corners : {3, 4, 6, 8, 10, 12}) {
    TriangleMesh mesh = test::turnedMesh({{0, 0}, {0, 0.004}, {0.03, 0.004}, {0.03, 0}}, corners);
    EXPECT_TRUE(found(mesh).faces.empty()) << corners << " corners";
  }
  for (const double squash : {0.99, 0.9, 0.5}) {
    TriangleMesh mesh;
    const auto top = test::addLoop(test::polygon(0.004, 64, 0, squash), 0.02, mesh);
    const auto bottom = test::addLoop(test::polygon(0.004, 64, 0, squash), 0, mesh);
    test::addBetween(top, bottom, mesh);
    test::addLid(top, true, mesh);
    test::addLid(bottom, false, mesh);
    EXPECT_TRUE(found(mesh).faces.empty()) << squash;
  }
}

/// The error of a mesh that cannot be converted, or "".
std::string refusal(const TriangleMesh& mesh) {
  try {
    found(mesh);
  } catch (const RecognitionError& none) {
    return none.problem + "; " + none.remedy;
  }
  return "";
}

TEST(Recognition, OverlappingBodiesAreUnited) {
  TriangleMesh nested, crossed, cavity, apart;
  test::addBox({0.01, 0.02, 0.03}, {0, 0, 0}, nested);
  cavity = apart = nested;
  test::addBox({0.004, 0.004, 0.004}, {0.003, 0.003, 0.003}, nested);
  EXPECT_EQ(refusal(nested), "");
  EXPECT_NEAR(found(nested).shapeVolume, 6e-6, 1e-12);
  test::addBox({0.03, 0.01, 0.01}, {0, 0, 0}, crossed);
  test::addBox({0.01, 0.03, 0.01}, {0.01, -0.01, 0}, crossed);
  EXPECT_EQ(refusal(crossed), "");
  const RecognizedPart cross = found(crossed);
  EXPECT_NEAR(cross.shapeVolume, 5e-6, 1e-12);
  EXPECT_NEAR(cross.solid.mass, 5e-6, 1e-12);
  EXPECT_EQ(cross.report.unitedBodies, 2U);
  EXPECT_EQ(cross.exactArea, 1);
  test::addBox({0.004, 0.004, 0.004}, {0.003, 0.003, 0.003}, cavity);
  for (std::size_t k = 12; k < cavity.triangles.size(); ++k)
    std::swap(cavity.triangles[k][1], cavity.triangles[k][2]);
  EXPECT_EQ(refusal(cavity), "");
  EXPECT_NEAR(found(cavity).shapeVolume, 5936e-9, 1e-13);
  test::addBox({0.01, 0.01, 0.01}, {0.05, 0, 0}, apart);
  EXPECT_EQ(refusal(apart), "");
}

// The prism of a quadrilateral with two sides that cross: one half is inside out.
TEST(Recognition, ABodyThatIsPartlyInsideOutIsRejected) {
  TriangleMesh prism;
  for (const double z : {0.0, 0.013})
    for (const auto& [x, y] : {std::pair{0.0, 0.0}, {0.01, 0.011}, {0.012, 0.0}, {0.0, 0.009}})
      prism.vertices.emplace_back(x, y, z);
  prism.triangles = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}};
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    prism.triangles.push_back({k, next, next + 4});
    prism.triangles.push_back({k, next + 4, k + 4});
  }
  EXPECT_NE(refusal(prism).find("intersecting faces, "), std::string::npos) << refusal(prism);
  EXPECT_NE(refusal(prism).find("unite the bodies in CAD"), std::string::npos) << refusal(prism);
}

/// Of planar faces from their triangles [m].
constexpr double kFlatDeviation = 1e-6;

TEST(Recognition, LumpsOfAnySizeCollideAsTheirTriangles) {
  std::mt19937 random(12);
  for (const int level : {3, 6}) {
    const physics::BoundarySolid lump = tests::bumpyBall(level, 0.02, level == 3 ? 0.1 : 1e-3, random);
    const RecognizedPart part = found({lump.vertices, lump.triangles});
    ASSERT_TRUE(std::holds_alternative<physics::BoundarySolid>(part.shape)) << level;
    EXPECT_EQ(std::get<physics::BoundarySolid>(part.shape).triangles.size(), lump.triangles.size());
    // Triangles in one plane to within the rounding of a file are one face.
    EXPECT_LE(part.meshDeviation.largest().distance, kFlatDeviation);
    EXPECT_LE(part.meshDeviation.fromGiven.largest, kFlatDeviation);
    EXPECT_LE(part.meshDeviation.fromColliding.largest, kFlatDeviation);
  }
}

/// Points of a quarter of a circle about (z, r) from one angle to another [rad], both ends included.
void addArc(const Vector2d& center, double radius, double from, double to, int chords,
            std::vector<Vector2d>& profile) {
  for (int k = 0; k <= chords; ++k) {
    const double angle = from + (to - from) * k / chords;
    profile.emplace_back(center.x() + radius * std::cos(angle), center.y() + radius * std::sin(angle));
  }
}

/// A mesh as given, in any pose with coordinates that are floats in millimeters, and as the second in inches.
std::vector<std::pair<TriangleMesh, double>> asInFiles(const TriangleMesh& mesh) {
  std::mt19937_64 random(7);
  std::vector<std::pair<TriangleMesh, double>> variants{{mesh, 1}};
  const physics::Pose X = test::anyPose(random);
  for (const double scale : {1.0, 25.4}) {
    TriangleMesh file = mesh;
    for (Vector3d& p : file.vertices) {
      p = X * (scale * p);
      for (double& c : p) c = 1e-3 * static_cast<double>(static_cast<float>(c * 1e3));
    }
    variants.emplace_back(file, scale);
  }
  return variants;
}

std::vector<physics::Surface> surfacesOf(const RecognizedPart& part, physics::SurfaceKind kind) {
  const auto* solid = std::get_if<physics::BoundarySolid>(&part.shape);
  std::vector<physics::Surface> found;
  if (solid != nullptr)
    for (std::size_t s = 0; s < solid->surfaces.size(); ++s)
      if (solid->surfaces[s].kind == kind && std::find(solid->surfaceOf.begin(), solid->surfaceOf.end(),
                                                       static_cast<int>(s)) != solid->surfaceOf.end())
        found.push_back(solid->surfaces[s]);
  return found;
}

constexpr double kQuarter = std::numbers::pi / 2;

TEST(Recognition, FilletsOfATurnedPartAreTori) {
  // A shank Ø 8 with a round tip, a fillet under its head, whose rim is round, too.
  std::vector<Vector2d> profile{{0, 0}};
  addArc({0.001, 0.003}, 0.001, 2 * kQuarter, kQuarter, 6, profile);
  addArc({0.0192, 0.0048}, 0.0008, 3 * kQuarter, 4 * kQuarter, 5, profile);
  addArc({0.022, 0.007}, 0.002, 2 * kQuarter, kQuarter, 12, profile);
  profile.emplace_back(0.03, 0.009);
  profile.emplace_back(0.03, 0);
  for (const auto& [mesh, scale] : asInFiles(test::turnedMesh(profile, 48))) {
    const RecognizedPart part = found(mesh);
    EXPECT_EQ(part.exactArea, 1) << scale;
    EXPECT_LT(part.meshDeviation.largest().distance, 1e-6 * scale);
    auto tori = surfacesOf(part, physics::SurfaceKind::torus);
    ASSERT_EQ(tori.size(), 3U) << scale;
    std::sort(tori.begin(), tori.end(), [](const auto& a, const auto& b) { return a.minor < b.minor; });
    const double tolerance = 2e-8 * scale;
    EXPECT_NEAR(tori[0].minor, 0.0008 * scale, tolerance);
    EXPECT_NEAR(tori[0].radius, 0.0048 * scale, tolerance);
    EXPECT_NEAR(tori[1].minor, 0.001 * scale, tolerance);
    EXPECT_NEAR(tori[1].radius, 0.003 * scale, tolerance);
    EXPECT_NEAR(tori[2].minor, 0.002 * scale, tolerance);
    EXPECT_NEAR(tori[2].radius, 0.007 * scale, tolerance);
    EXPECT_EQ(surfacesOf(part, physics::SurfaceKind::cylinder).size(), 2U);
    EXPECT_EQ(part.features.size(), 2U);
  }
}

TEST(Recognition, ABallEndIsASphere) {
  std::vector<Vector2d> profile;
  addArc({0.004, 0}, 0.004, 2 * kQuarter, kQuarter, 12, profile);
  profile.front().y() = 0;
  profile.emplace_back(0.03, 0.004);
  profile.emplace_back(0.03, 0);
  for (const auto& [mesh, scale] : asInFiles(test::turnedMesh(profile, 36))) {
    const RecognizedPart part = found(mesh);
    EXPECT_EQ(part.exactArea, 1) << scale;
    const auto spheres = surfacesOf(part, physics::SurfaceKind::sphere);
    ASSERT_EQ(spheres.size(), 1U) << scale;
    EXPECT_NEAR(spheres[0].radius, 0.004 * scale, 2e-8 * scale);
    EXPECT_LT(part.meshDeviation.largest().distance, 1e-6 * scale);
  }
}

TEST(Recognition, ARoundRingIsATorus) {
  std::vector<Vector2d> profile;
  addArc({0, 0.01}, 0.0015, 4 * kQuarter, 0, 24, profile);
  profile.back() = profile.front();
  for (const auto& [mesh, scale] : asInFiles(test::turnedMesh(profile, 64))) {
    const RecognizedPart part = found(mesh);
    const auto tori = surfacesOf(part, physics::SurfaceKind::torus);
    ASSERT_EQ(tori.size(), 1U) << scale;
    EXPECT_EQ(part.exactArea, 1);
    EXPECT_NEAR(tori[0].minor, 0.0015 * scale, 2e-8 * scale);
    EXPECT_NEAR(tori[0].radius, 0.01 * scale, 2e-8 * scale);
    const double volume = 2 * std::numbers::pi * std::numbers::pi * 0.01 * 0.0015 * 0.0015;
    EXPECT_NEAR(part.shapeVolume / (scale * scale * scale), volume, 0.02 * volume);
  }
}

TEST(Recognition, ABallOfAnyTrianglesIsASphere) {
  std::mt19937 random(3);
  const physics::BoundarySolid ball = tests::bumpyBall(3, 0.01, 0, random);
  for (const auto& [mesh, scale] : asInFiles({ball.vertices, ball.triangles})) {
    const RecognizedPart part = found(mesh);
    const auto spheres = surfacesOf(part, physics::SurfaceKind::sphere);
    ASSERT_EQ(spheres.size(), 1U) << scale;
    EXPECT_EQ(part.exactArea, 1);
    EXPECT_NEAR(spheres[0].radius, 0.01 * scale, 2e-8 * scale);
  }
}

TEST(Recognition, TheRoundMouthOfABoreKeepsItsName) {
  // A ring Ø 30 with a bore Ø 12, whose upper mouth is round.
  std::vector<Vector2d> profile{{0, 0.006}, {0, 0.015}, {0.02, 0.015}};
  addArc({0.018, 0.008}, 0.002, 0, -kQuarter, 8, profile);
  profile.emplace_back(0, 0.006);
  for (const BoreRule rule : {BoreRule::flats, BoreRule::vertices})
    for (const auto& [mesh, scale] : asInFiles(test::turnedMesh(profile, 60))) {
      // Flats of 12 mm would be 26 µm from a torus that is tangent to the bore along its flats.
      if (rule == BoreRule::flats && scale > 1) continue;
      const RecognizedPart part = found(mesh, rule);
      EXPECT_EQ(part.exactArea, 1) << scale;
      const auto tori = surfacesOf(part, physics::SurfaceKind::torus);
      ASSERT_EQ(tori.size(), 1U) << scale;
      const double bore = rule == BoreRule::flats ? 0.006 * std::cos(std::numbers::pi / 60) : 0.006;
      EXPECT_NEAR(tori[0].radius - tori[0].minor, bore * scale, 2e-8 * scale);
      const auto holes = holesOf(part.shape);
      ASSERT_EQ(holes.size(), 1U) << scale;
      EXPECT_TRUE(holes[0].through);
    }
}

TEST(Recognition, ChamfersAndFewFacetsAreNotArcs) {
  // Three chords of a quarter, and an octagon.
  std::vector<Vector2d> coarse{{0, 0}}, octagon;
  addArc({0.001, 0.003}, 0.001, 2 * kQuarter, kQuarter, 3, coarse);
  coarse.emplace_back(0.02, 0.004);
  coarse.emplace_back(0.02, 0);
  addArc({0, 0.01}, 0.002, 4 * kQuarter, 0, 8, octagon);
  octagon.back() = octagon.front();
  for (const auto& profile : {coarse, octagon}) {
    const RecognizedPart part = found(test::turnedMesh(profile, 48));
    EXPECT_TRUE(isOneExactShape(part));
    EXPECT_EQ(part.exactArea, 1);
  }
}

TEST(Recognition, AThinRingOfFewFacetsMayDifferFromItsMeshByMoreThanAHundredth) {
  const TriangleMesh mesh =
      test::turnedMesh({{0, 0.0196}, {0, 0.02}, {0.01, 0.02}, {0.01, 0.0196}, {0, 0.0196}}, 32);
  ASSERT_EQ(refusal(mesh), "");
  const RecognizedPart ring = found(mesh);
  EXPECT_GT(std::abs(ring.shapeVolume / ring.solid.mass - 1), 0.01);
}

TEST(Recognition, OpenMeshesOfUnknownFormCollideFromBothSides) {
  TriangleMesh mesh = test::boltMesh({test::polygon(0.0075, 6), 0.0053, 0.004, 0.03, 0.001, 36});
  mesh.triangles.erase(mesh.triangles.begin(), mesh.triangles.begin() + 2);
  const RecognizedPart part = found(mesh);
  EXPECT_TRUE(std::holds_alternative<physics::BoundarySolid>(part.shape));
  EXPECT_TRUE(part.report.thickened);
  EXPECT_GT(part.report.openEdges, 0U);
  EXPECT_EQ(part.solid.mass, 0);
  EXPECT_FALSE(part.meshDeviation.exceeds(1));
}

}  // namespace
}  // namespace tenon::content
