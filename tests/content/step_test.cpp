// STEP files written by OpenCASCADE: exact surfaces, assemblies, and invalid files.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <sstream>

#include "content/model/hole_sites.h"
#include "content/reader/load_scene.h"
#include "content/reader/read_mesh.h"
#include "content/recognize/face_counts.h"
#include "content/recognize/recognized_cache.h"
#include "content/step/read_step.h"
#include "content/step/step_model_bytes.h"
#include "physics/collision/brep/solid_contacts.h"
#include "physics/collision/brep/solid_of_shape.h"
#include "physics/collision/brep/triangle_solid.h"
#include "tests/content/mesh_samples.h"
#include "tests/support/freeform_surfaces.h"
#include "tests/support/golden_section.h"
#include "tests/support/program_run.h"
#include "tests/support/share.h"
#include "tests/support/step_file.h"

namespace tenon::content::step_test {
namespace {

using Eigen::Vector2d;
using Json = nlohmann::json;
using std::numbers::pi;
using tests::makeStep;

/// Rounding of decimals in a file in millimeters [m].
constexpr double kExact = 1e-12;

std::string bytesIn(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void write(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

StepModel parsed(const std::string& bytes, const StepLimits& limits = {}) {
  return parseStep(
      bytes, "part.step", [](const std::string&) {}, limits);
}

/// Throws also for a product that cannot be used.
StepModel parsedUsable(const std::string& bytes, const StepLimits& limits = {}) {
  StepModel model = parsed(bytes, limits);
  for (const StepProduct& product : model.products) requireUsable(product, "part.step");
  return model;
}

/// The profile of a solid of revolution as points (z, r) about the part's z axis, which must be its own.
std::vector<Vector2d> profileOf(const physics::Shape& shape) {
  if (const auto* turned = std::get_if<physics::SolidOfRevolution>(&shape)) return turned->profile;
  const auto* compound = std::get_if<physics::Compound>(&shape);
  if (!compound || compound->children.size() != 1) return {};
  const physics::PlacedShape& child = compound->children.front();
  if ((child.X_PS.q * Vector3d::UnitZ() - Vector3d::UnitZ()).norm() > kExact) return {};
  auto profile = profileOf(child.shape);
  for (Vector2d& p : profile) p.x() += child.X_PS.p.z();
  return profile;
}

void expectProfile(const std::vector<Vector2d>& found, const std::vector<Vector2d>& wanted,
                   double tolerance) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_LT((found[k] - wanted[k]).norm(), tolerance) << k;
}

class Step : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = tests::stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  }
  std::string make(const std::string& kind, const std::vector<double>& numbers = {},
                   const std::string& unit = "MM") {
    const std::string file = folder_ / "part.step";
    EXPECT_TRUE(makeStep(kind, file, numbers, unit)) << kind;
    return file;
  }
  Part read(const Json& shape = Json::object(), const std::string& cache = "") {
    Json scene = tests::onePartScene();
    scene["parts"][0]["shape"].update(shape);
    MeshReadOptions meshes;
    meshes.cacheFolder = cache;
    return parseScene(scene.dump(), folder_ / "scene.json", {}, meshes).parts.front();
  }
  std::string errorText(const std::string& bytes) {
    return test::errorFrom([&] { parsedUsable(bytes); });
  }

  tests::TemporaryFolder folder_;
};

TEST_F(Step, APegIsASolidOfRevolution) {
  for (const double diameter : {7.995, 15.994}) {
    make("peg", {diameter, 50, 0.5});
    const Part part = read();
    const double r = diameter / 2000;
    expectProfile(profileOf(part.shape), {{0, 0}, {0, r - 0.0005}, {0.0005, r}, {0.05, r}, {0.05, 0}},
                  kExact);
    ASSERT_EQ(part.features.size(), 2u);
    EXPECT_EQ(part.features[0].name, "end -z");
    EXPECT_LT(part.features[0].origin.norm(), kExact);
    EXPECT_EQ(part.mesh->unit, "mm");
    for (const RecognizedFace& face : part.mesh->part.faces) {
      EXPECT_EQ(face.rule, FacetRule::exact);
      EXPECT_TRUE(face.exact);
      EXPECT_FALSE(face.inner);
    }
    EXPECT_EQ(part.mesh->part.deviation, 0);
    // Volume of the exact solid, not of its facets: a cylinder and a frustum.
    const double q = r - 0.0005, volume = pi * (r * r * 0.0495 + 0.0005 / 3 * (r * r + r * q + q * q));
    EXPECT_NEAR(part.mass.mass, volume, 1e-9 * volume);
  }
}

TEST_F(Step, LeftHandedAndInternalThreadsOfSplinesAreThreads) {
  for (const bool isInternal : {false, true})
    for (const bool isLeft : {true, false}) {
      SCOPED_TRACE(testing::Message() << isInternal << isLeft);
      const double left = isLeft ? 1 : 0;
      if (isInternal)
        make("nut", {8, 1.25, 8, left});
      else
        make("screw", {8, 1.25, 12.7, 60, left});
      const Part part = read();
      ASSERT_EQ(part.mesh->part.threads.size(), 1u);
      const RecognizedThread& t = part.mesh->part.threads.front();
      EXPECT_EQ(t.problem, "");
      EXPECT_EQ(t.thread.pitch, 1.25e-3);
      EXPECT_EQ(t.thread.isInternal, isInternal);
      EXPECT_EQ(t.thread.isLeftHanded, isLeft);
      EXPECT_NEAR(t.thread.pitchDiameter, 8e-3 - 0.64952 * 1.25e-3, 1e-6);
      EXPECT_LT(t.worst, 10e-6);
      const Part plain = read({{"threads", "facets"}});
      EXPECT_TRUE(plain.mesh->part.threads.empty());
      EXPECT_TRUE(std::holds_alternative<physics::BoundarySolid>(plain.shape));
    }
}

// Points of faces that lie inside the other body belong to no face that collides.
TEST_F(Step, AThreadOfOtherFlanksCollidesAsItsFaces) {
  make("screw", {8, 1.25, 14, 29, 0});
  const Part part = read();
  ASSERT_EQ(part.mesh->part.threads.size(), 1u);
  EXPECT_EQ(part.mesh->part.threads.front().problem, "its flank angle is 29.0°, not 60°");
  EXPECT_GT(faceCountsOf(part.shape).freeform, 0);
  EXPECT_TRUE(std::holds_alternative<physics::BoundarySolid>(part.shape));
  EXPECT_LT(part.mesh->part.meshDeviation.largest().distance, 10e-6);
}

// A core and a tooth of ruled splines between helices, as two solids that overlap.
TEST_F(Step, AThreadOfSplinesIsAThread) {
  make("screw", {8, 1.25, 12.7, 60, 0});
  const Part part = read();
  ASSERT_EQ(part.mesh->part.threads.size(), 1u);
  const RecognizedThread& t = part.mesh->part.threads.front();
  EXPECT_EQ(t.problem, "");
  EXPECT_EQ(t.thread.pitch, 1.25e-3);
  EXPECT_FALSE(t.thread.isInternal || t.thread.isLeftHanded);
  EXPECT_NEAR(t.thread.majorDiameter, 8e-3, 1e-6);
  EXPECT_NEAR(t.thread.pitchDiameter, 8e-3 - 0.64952 * 1.25e-3, 1e-6);
  // Vertices between core and tooth lie on the facets of the core.
  EXPECT_NEAR(t.thread.minorDiameter, 8e-3 - 1.22686 * 1.25e-3, 10e-6);
  // The middle of a tooth is on the x axis at z = 0.
  const Vector3d p = t.X_PT.inverse() * Vector3d(3.6e-3, 0, 0);
  const double turns = p.z() / t.thread.lead() - (std::atan2(p.y(), p.x()) - t.thread.phase) / (2 * pi);
  EXPECT_NEAR(std::remainder(turns, 1), 0, 0.5 / 360);
  EXPECT_LT(t.worst, 10e-6);  // where facets of both solids cross
  EXPECT_EQ(t.endsAtFace, (std::array{true, false}));
}

TEST_F(Step, ABoreIsACavity) {
  for (const double diameter : {8.097, 16.496}) {
    make("bored", {diameter, 9, 0.5});
    const Part part = read();
    const auto holes = holesOf(part.shape);
    ASSERT_EQ(holes.size(), 1u);
    EXPECT_EQ(holes[0].name, "hole +z");
    EXPECT_FALSE(holes[0].through);
    const double r = diameter / 2000;
    expectProfile(holes[0].profile, {{0, r + 0.0005}, {-0.0005, r}, {-0.009, r}, {-0.009, 0}}, kExact);
    EXPECT_LT(holes[0].X_PH.p.norm(), kExact);
    EXPECT_FALSE(std::holds_alternative<physics::BoundarySolid>(part.shape));
    EXPECT_LT((part.mesh->part.low - Vector3d(-0.03, -0.03, -0.02)).norm(), 1e-9);
  }
}

TEST_F(Step, TheUnitIsThatOfTheFile) {
  for (const auto& [unit, name] : {std::pair{"INCH", "in"}, {"M", "m"}, {"CM", "cm"}}) {
    make("peg", {7.995, 50, 0.5}, unit);
    const Part part = read();
    EXPECT_EQ(part.mesh->unit, name);
    expectProfile(profileOf(part.shape),
                  {{0, 0}, {0, 0.0034975}, {0.0005, 0.0039975}, {0.05, 0.0039975}, {0.05, 0}}, 1e-10);
  }
}

TEST_F(Step, ATiltedPegHasItsAxis) {
  make("leaning", {7.995, 50, 0.5});
  const Part part = read();
  const Vector3d axis = Vector3d(1, 2, 3).normalized(), tip(0.01, 0.02, 0.03);
  ASSERT_EQ(part.features.size(), 2u);
  EXPECT_LT((part.features[0].origin - tip).norm(), 1e-11);
  EXPECT_LT((part.features[0].direction + axis).norm(), 1e-11);
  EXPECT_LT((part.features[1].origin - tip - 0.05 * axis).norm(), 1e-11);
}

TEST_F(Step, AFilletOfABoltIsATorus) {
  make("bolt");
  const Part part = read();
  const auto* solid = std::get_if<physics::BoundarySolid>(&part.shape);
  ASSERT_NE(solid, nullptr);
  EXPECT_EQ(part.mesh->part.exactArea, 1);
  EXPECT_EQ(part.mesh->part.deviation, 0);
  EXPECT_LT(part.mesh->part.meshDeviation.fromGiven.largest, 1e-9);
  const auto torus =
      std::find_if(solid->surfaces.begin(), solid->surfaces.end(),
                   [](const physics::Surface& s) { return s.kind == physics::SurfaceKind::torus; });
  ASSERT_NE(torus, solid->surfaces.end());
  EXPECT_NEAR(torus->radius, 0.0044, kExact);
  EXPECT_NEAR(torus->minor, 0.0004, kExact);
  EXPECT_LT((torus->X_BS.p - Vector3d(0, 0, -0.0004)).norm(), kExact);
  // Its ends keep their names.
  ASSERT_EQ(part.features.size(), 2u);
  EXPECT_EQ(part.features[0].name, "end -z");
  EXPECT_LT((part.features[0].origin - Vector3d(0, 0, -0.03)).norm(), kExact);
}

TEST_F(Step, AFitMovesTheFilletWithItsShank) {
  make("bolt");
  const Json scene = {
      {"tenon", 1},
      {"title", "A bolt in a hole"},
      {"unit", "mm"},
      {"duration_s", 1},
      {"materials", {{{"name", "steel"}, {"density_kg_per_m3", 7850}}}},
      {"parts",
       {{{"name", "plate"},
         {"material", "steel"},
         {"motion", "fixed"},
         {"shape",
          {{"kind", "block"},
           {"size", {40, 40, 20}},
           {"holes", {{{"name", "hole"}, {"at", {0, 0}}, {"diameter", 8}, {"through", true}}}}}}},
        {{"name", "bolt"},
         {"material", "steel"},
         {"position", {0, 0, 80}},
         {"shape", {{"kind", "mesh"}, {"file", "part.step"}}}}}},
      {"goals",
       {{{"part", "bolt"},
         {"feature", "end -z"},
         {"into", "plate"},
         {"hole", "hole"},
         {"depth", 10},
         {"depth_tolerance", 1},
         {"tilt_tolerance_deg", 1},
         {"fit", {{"class", "H7/g6"}, {"at", "mid"}}}}}}};
  MeshReadOptions meshes;
  const Part part = parseScene(scene.dump(), folder_ / "scene.json", {}, meshes).parts.back();
  const auto& solid = std::get<physics::BoundarySolid>(part.shape);
  const auto radiusOf = [&](physics::SurfaceKind kind) {
    double least = 1;
    for (const physics::Surface& s : solid.surfaces)
      if (s.kind == kind) least = std::min(least, s.radius);
    return least;
  };
  const double shank = radiusOf(physics::SurfaceKind::cylinder);
  EXPECT_NEAR(shank, 0.004 - 0.5 * 9.5e-6, 1e-9);  // g6: −5 … −14 µm
  EXPECT_NEAR(radiusOf(physics::SurfaceKind::torus), shank + 0.0004, 1e-12);
  std::vector<int> flat;
  physics::brep::solidOfTriangles(solid, 1e-3, &flat);
  EXPECT_TRUE(flat.empty());
}

TEST_F(Step, AFilletedRingKeepsItsHole) {
  make("bushing", {16, 10, 20, 1});
  const Part part = read();
  EXPECT_TRUE(std::holds_alternative<physics::BoundarySolid>(part.shape));
  EXPECT_EQ(part.mesh->part.exactArea, 1);
  const auto holes = holesOf(part.shape);
  ASSERT_EQ(holes.size(), 1u);
  EXPECT_EQ(holes[0].name, "hole +z");
  EXPECT_TRUE(holes[0].through);
  EXPECT_EQ(part.features.size(), 2u);
}

TEST_F(Step, ABracketKeepsItsHolesExact) {
  make("bracket");
  const Part part = read();
  const auto holes = holesOf(part.shape);
  ASSERT_EQ(holes.size(), 2u);
  for (const HoleSite& hole : holes) {
    EXPECT_TRUE(hole.through);
    expectProfile(hole.profile, {{0, 0.003}, {-0.01, 0.003}}, kExact);
  }
  EXPECT_EQ(part.mesh->part.exactArea, 1);
  const double volume = 1e-9 * (40 * 20 * 10 + 10 * 20 * 30 - 2 * pi * 9 * 10);
  EXPECT_NEAR(part.mass.mass, volume, 1e-9 * volume);
  EXPECT_NEAR(part.mesh->part.shapeVolume, volume, 1e-4 * volume);  // of its facets
}

TEST_F(Step, RoundFacesWrittenAsSplinesAreExact) {
  make("splines", {7.995, 50, 0.5});
  const Part part = read();
  ASSERT_FALSE(part.mesh->part.faces.empty());
  for (const RecognizedFace& face : part.mesh->part.faces) EXPECT_EQ(face.rule, FacetRule::exact);
  EXPECT_NEAR(part.mesh->part.faces.front().vertexDiameter, 0.007995, 1e-9);
}

TEST_F(Step, SurfacesWrittenAsSplinesAreThoseOfTheSameShapeWithout) {
  const auto surfacesOf = [&](const std::string& kind) {
    std::vector<CadSurface> found = parsed(bytesIn(make(kind, {4.1, 3}))).products.front().faces.surfaces;
    std::sort(found.begin(), found.end(), [](const CadSurface& a, const CadSurface& b) {
      return std::pair(a.kind, a.radius) < std::pair(b.kind, b.radius);
    });
    return found;
  };
  const auto splines = surfacesOf("spline-casting"), expected = surfacesOf("casting");
  ASSERT_EQ(splines.size(), expected.size());
  std::map<CadSurface::Kind, int> count;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    ++count[expected[k].kind];
    EXPECT_EQ(splines[k].kind, expected[k].kind) << k;
    if (expected[k].kind == CadSurface::Kind::plane) continue;
    EXPECT_NEAR(splines[k].radius, expected[k].radius, 1e-10) << k;
    EXPECT_NEAR(splines[k].minor, expected[k].minor, 1e-10) << k;
  }
  EXPECT_EQ(count[CadSurface::Kind::sphere], 4);
  EXPECT_GT(count[CadSurface::Kind::cylinder], 8);
}

/// The least distance of a ball with center `p` from a solid near it [m].
double distanceOfBall(const physics::brep::Solid& solid, const Vector3d& p, double radius) {
  const physics::brep::Solid ball = physics::brep::solidOf(physics::Sphere{radius});
  std::vector<physics::brep::SolidContact> found;
  findSolidContacts(ball, solid, physics::Pose::at(p), 5e-3, found);
  double least = HUGE_VAL;
  for (const physics::brep::SolidContact& contact : found) least = std::min(least, contact.separation);
  return least;
}

/// The distance of (x, y) from an ellipse [m], from outside or inside.
double distanceFromEllipse(double a, double b, double x, double y) {
  const auto squared = [&](double t) {
    return std::pow(a * std::cos(t) - x, 2) + std::pow(b * std::sin(t) - y, 2);
  };
  constexpr int kSamples = 720;
  double nearest = 0;
  for (int k = 0; k < kSamples; ++k)
    if (const double t = 2 * pi * k / kSamples; squared(t) < squared(nearest)) nearest = t;
  const double step = 2 * pi / kSamples;
  return std::sqrt(tenon::test::leastBetween(nearest - step, nearest + step, 1e-9, squared).value);
}

TEST_F(Step, AnEllipticHoleIsExact) {
  make("ellipse");
  const Part part = read();
  const RecognizedPart& found = part.mesh->part;
  EXPECT_TRUE(holesOf(part.shape).empty());
  EXPECT_TRUE(std::holds_alternative<physics::BoundarySolid>(part.shape));
  EXPECT_EQ(found.exactArea, 1);
  EXPECT_LT(found.meshDeviation.fromGiven.largest, 5e-10);  // of curves from their surfaces
  const double volume = 1e-9 * 8 * (40 * 30 - pi * 10 * 6);
  EXPECT_NEAR(part.mass.mass, volume, 1e-7 * volume);
  const physics::brep::Solid solid = physics::brep::solidOf(part.shape);
  std::mt19937 random(8);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int k = 0; k < 200; ++k) {
    const double phase = 2 * pi * unit(random), share = 0.5 + 0.4 * unit(random);
    const double x = share * 0.01 * std::cos(phase), y = share * 0.006 * std::sin(phase);
    const double distance = distanceFromEllipse(0.01, 0.006, x, y), radius = 0.9 * distance;
    EXPECT_NEAR(distanceOfBall(solid, {x, y, 0.004}, radius), distance - radius, 1e-11) << x << ", " << y;
  }
}

// The rim's middle line is the inner parallel curve of the ellipse; the file approximates its round surface.
TEST_F(Step, FacesThatContinueEachOtherSmoothlyAreExact) {
  make("cam", {10, 6, 8, 1.5});
  const Part part = read();
  const RecognizedPart& found = part.mesh->part;
  EXPECT_EQ(found.exactArea, 1);
  EXPECT_LT(found.meshDeviation.fromGiven.largest, 1e-9);
  EXPECT_LT(found.meshDeviation.fromColliding.largest, 1e-5);  // sagitta of facets
  constexpr double kRound = 1.5e-3, kFile = 2e-7;
  const physics::brep::Solid solid = physics::brep::solidOf(part.shape);
  std::mt19937 random(9);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto parallel = [](double t) {
    const double a = 0.01, b = 0.006, nx = b * std::cos(t), ny = a * std::sin(t), length = std::hypot(nx, ny);
    return Vector3d(a * std::cos(t) - kRound * nx / length, b * std::sin(t) - kRound * ny / length, 0.0065);
  };
  for (int k = 0; k < 300; ++k) {
    // A ball beside wall, rim or top, on a normal of the rim's middle line.
    const double t = 2 * pi * unit(random), height = pi / 2 * (1.4 * unit(random) - 0.2);
    const Vector3d center = parallel(t);
    const Vector3d along = (parallel(t + 1e-6) - parallel(t - 1e-6)).normalized();
    const Vector3d out = along.cross(Vector3d::UnitZ());
    const double gap = 1e-4 * unit(random), radius = 1e-3;
    Vector3d p =
        center + (kRound + gap + radius) * (std::cos(height) * out + std::sin(height) * Vector3d::UnitZ());
    double expected = gap;
    if (height < 0) expected = (kRound + gap + radius) * std::cos(height) - kRound - radius;
    if (height > pi / 2) expected = (kRound + gap + radius) * std::sin(height) - kRound - radius;
    EXPECT_NEAR(distanceOfBall(solid, p, radius), expected, kFile) << t << ", " << height;
  }
}

// Chords of the rim are farther from it within the cut than those of facets from the cylinder.
TEST_F(Step, AnObliqueCutIsAsGiven) {
  make("oblique", {10, 30, 20});
  const Part part = read();
  const RecognizedPart& found = part.mesh->part;
  EXPECT_EQ(found.exactArea, 1);
  EXPECT_LT(found.meshDeviation.largest().distance, 1e-8);
  const double volume = 1e-9 * pi * 25 * 30;
  EXPECT_NEAR(part.mass.mass, volume, 1e-7 * volume);
}

TEST_F(Step, SurfacesWithAPoleCollideAsTheirFacets) {
  make("tent", {8});
  const Part part = read();
  const RecognizedPart& found = part.mesh->part;
  EXPECT_TRUE(std::holds_alternative<physics::BoundarySolid>(part.shape));
  EXPECT_LT(found.exactArea, 1);
  EXPECT_GT(found.deviation, 1e-6);
  EXPECT_LT(found.deviation, 100e-6);
}

TEST_F(Step, AnAssemblyHasNamesPosesColorsAndDensities) {
  const StepModel model = parsed(bytesIn(make("assembly", {0})));
  EXPECT_EQ(model.title, "bench");
  ASSERT_EQ(model.products.size(), 3u);
  EXPECT_EQ(model.products[0].name, "plate");
  EXPECT_EQ(model.products[1].name, "bolt M8");
  EXPECT_EQ(model.products[1].material, "brass");
  EXPECT_NEAR(model.products[1].density, 8500, 1e-6);
  EXPECT_EQ(model.products[0].density, 0);
  ASSERT_EQ(model.instances.size(), 4u);
  std::vector<std::string> names;
  for (const StepInstance& instance : model.instances) names.push_back(instance.name);
  EXPECT_EQ(names, (std::vector<std::string>{"base", "left bolt", "bolt M8", "pin"}));
  EXPECT_LT((model.instances[1].X_AP.p - Vector3d(-0.025, 0, 0)).norm(), kExact);
  EXPECT_LT((model.instances[2].X_AP.p - Vector3d(0.025, 0, 0)).norm(), kExact);
  EXPECT_LT((model.instances[3].X_AP * Vector3d(0.001, 0, 0) - Vector3d(0, 0.101, 0)).norm(), kExact);
  ASSERT_TRUE(model.instances[1].color && model.instances[0].color);
  EXPECT_NEAR((*model.instances[1].color)[1], 0.5, 1e-3);
  EXPECT_NEAR((*model.instances[0].color)[2], 0.6, 1e-3);
  EXPECT_FALSE(model.instances[3].color);
}

TEST_F(Step, AProductIsChosenByItsName) {
  make("assembly", {0});
  EXPECT_EQ(read({{"product", "bolt M8"}}).features.size(), 2u);
  EXPECT_TRUE(read({{"product", "bolt M8"}}).color);
  const auto message = [&](const Json& shape) { return test::errorFrom([&] { read(shape); }); };
  EXPECT_NE(message(Json::object()).find("/parts/0/shape/product: is missing; choose one of the 3"),
            std::string::npos)
      << message(Json::object());
  EXPECT_NE(message({{"product", "bolt M9"}}).find("did you mean \"bolt M8\""), std::string::npos);
  EXPECT_NE(message({{"product", "pin"}, {"unit", "mm"}}).find("/parts/0/shape/unit"), std::string::npos);
  EXPECT_NE(message({{"product", "pin"}, {"bores", "flats"}}).find("/parts/0/shape/bores"),
            std::string::npos);
}

TEST_F(Step, ResultsAreCachedByContentAndProduct) {
  const std::string file = make("assembly", {0}), cache = folder_ / "cache";
  const Part first = read({{"product", "bolt M8"}}, cache);
  EXPECT_FALSE(first.mesh->cached);
  const Part again = read({{"product", "bolt M8"}}, cache);
  EXPECT_TRUE(again.mesh->cached);
  EXPECT_EQ(toCacheText(again.mesh->part), toCacheText(first.mesh->part));
  EXPECT_FALSE(read({{"product", "pin"}}, cache).mesh->cached);
  write(file, bytesIn(file) + "\n");
  EXPECT_FALSE(read({{"product", "pin"}}, cache).mesh->cached);
}

TEST_F(Step, AnOpenShellHasNoDensity) {
  make("shell");
  const std::string message = test::errorFrom([&] { read(); });
  EXPECT_NE(message.find("open edges"), std::string::npos) << message;
}

TEST_F(Step, InvalidFilesAreRejectedInOneLine) {
  const std::string good = bytesIn(make("peg", {8, 50, 0.5}));
  std::string broken = good;
  const std::size_t at = broken.find("CARTESIAN_POINT('',(");
  ASSERT_NE(at, std::string::npos);
  broken.replace(at, 20, "CARTESIAN_POINT('',#");
  std::string nameless = good;  // as some systems write it
  nameless.replace(nameless.find("CARTESIAN_POINT(''"), 18, "CARTESIAN_POINT($");
  EXPECT_EQ(errorText(nameless), "");
  std::string notANumber = good;
  notANumber.replace(notANumber.find("CYLINDRICAL_SURFACE("), 20, "CYLINDRICAL_SURFACE(NaN,");
  std::string binary = "ISO-10303-21;";
  for (int k = 0; k < 5000; ++k) binary += static_cast<char>(k * 7919 >> 3);
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "is empty"},
      {" \n\n", "is empty"},
      {"solid a\nendsolid", "does not begin with"},
      {std::string("\x7f\x45\x4c\x46\0\0", 6), "does not begin with"},
      {good.substr(0, good.size() / 2), "is truncated"},
      {"ISO-10303-21;", "is truncated"},
      {binary + "END-ISO-10303-21;", "part.step: "},
      {"ISO-10303-21;HEADER;ENDSEC;DATA;ENDSEC;END-ISO-10303-21;", "part.step: "},
      {broken, "part.step: "},
      {notANumber, "part.step: "},
      {bytesIn(make("wire")), "no solid"},
      {bytesIn(make("huge", {2e6})), "longer than 1 km"}};
  for (const auto& [bytes, part] : cases) {
    const std::string message = errorText(bytes);
    EXPECT_NE(message.find(part), std::string::npos) << part << " is missing in: " << message;
    EXPECT_NE(message.find("; "), std::string::npos) << message;
    EXPECT_EQ(message.find_first_of("\r\n"), std::string::npos) << message;
  }
}

TEST_F(Step, MistakesInTheHeaderDoNotMatter) {
  std::string step = bytesIn(make("peg", {8, 50, 0.5}));
  const std::size_t begin = step.find("FILE_NAME("), end = step.find(");", begin);
  ASSERT_NE(end, std::string::npos);
  // An author that is no list, and a parameter too few.
  step.replace(begin, end - begin, "FILE_NAME('peg','2026-01-01T00:00:00','Author','','',''");
  EXPECT_EQ(errorText(step), "");
}

TEST_F(Step, AnnotationsBesideTheSolidDoNotMatter) {
  const std::string step = bytesIn(make("peg", {8, 50, 0.5}));
  const auto beside = [&](const std::string& entity) {
    std::string changed = step;
    const std::size_t at = changed.find("ADVANCED_BREP_SHAPE_REPRESENTATION('',(") + 39;
    changed.insert(at, "#9001,");
    changed.insert(changed.rfind("ENDSEC;"), "#9001 = " + entity + ";\n");
    return errorText(changed);
  };
  EXPECT_EQ(beside("LEADER_DIRECTED_CALLOUT('',())"), "");
  // Geometry that OpenCASCADE does not know would be missing.
  EXPECT_NE(beside("TESSELLATED_SOLID('',(),$)").find("is not valid STEP"), std::string::npos);
}

TEST_F(Step, AFileAboveTheLimitsEndsOnlyTheReader) {
#ifdef TENON_SANITIZED
  GTEST_SKIP() << "memory is not limited under a sanitizer, which takes terabytes of addresses";
#endif
  const std::string bytes = bytesIn(make("peg", {8, 50, 0.5}));
  const std::string message = test::errorFrom([&] { parsedUsable(bytes, {600, 1}); });
  EXPECT_NE(message.find("part.step: "), std::string::npos) << message;
  EXPECT_NO_THROW(parsedUsable(bytes));
}

/// OpenCASCADE may crash on a file, but tenon must not.
TEST_F(Step, ChangedFilesAreReadOrRejected) {
  const std::uint64_t seed = 20261122;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  const std::string good = bytesIn(make("bolt"));
  const std::size_t data = good.find("DATA;");
  const std::vector<std::string> words{"1e308", "-1",  "0",  "#1",      "#99999999", "$",
                                       "*",     "NaN", "()", "1.E-300", "'"};
  int refused = 0;
  const int count = 60 / tenon::test::kShare;
  for (int k = 0; k < count; ++k) {
    std::string bytes = good;
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
      // A digit, a number, a reference or a byte becomes something else.
      std::size_t at = data + random() % (bytes.size() - data - 30);
      if (k % 2 == 0) {
        at = bytes.find_first_of("0123456789", at);
        if (at != std::string::npos) bytes[at] = static_cast<char>('0' + random() % 10);
        continue;
      }
      if (changes % 2 == 0) {
        bytes[at] = static_cast<char>(random() % 256);
        continue;
      }
      at = bytes.find_first_of("(,", at);
      const std::size_t end = bytes.find_first_of("),", at + 1);
      if (end == std::string::npos) continue;
      bytes.replace(at + 1, end - at - 1, words[random() % words.size()]);
    }
    try {
      const StepModel model = parsedUsable(bytes);
      EXPECT_FALSE(model.instances.empty());
    } catch (const InputError& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).find_first_of("\r\n"), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(StepBytes, RoundTripOrAreRejected) {
  StepModel model;
  model.title = "bench";
  model.unit = "mm";
  StepProduct product;
  product.name = "pin";
  product.color = {0.1, 0.2, 0.3};
  product.mesh = test::turnedMesh({{0, 0}, {0, 0.004}, {0.05, 0.004}, {0.05, 0}}, 8);
  product.faces.surfaces.resize(2);
  product.faces.surfaces[1] = {CadSurface::Kind::cone, {1, 2, 3}, Vector3d::UnitY(), 0.004, 0.5, 1e-6, 0, {}};
  product.faces.surfaces[0].kind = CadSurface::Kind::freeform;
  product.faces.surfaces[0].freeform = tests::HeightField{0.01, {}}.surface().freeform;
  product.faces.surfaceOf.assign(product.mesh.triangles.size(), 1);
  model.products.push_back(product);
  model.instances.push_back({"left", 0, physics::Pose(), StepColor{1, 0, 0}});
  const std::string bytes = serialize(model);
  const auto back = parseStepReaderOutput(bytes);
  ASSERT_TRUE(back && back->model);
  EXPECT_EQ(serialize(*back->model), bytes);
  EXPECT_EQ(back->model->products[0].faces.surfaces[1].slope, 0.5);
  for (std::size_t k = 0; k < bytes.size(); k += 5)
    EXPECT_FALSE(parseStepReaderOutput(bytes.substr(0, k))) << k;
  model.instances[0].product = 1;
  EXPECT_FALSE(parseStepReaderOutput(serialize(model)));
  const auto problem = parseStepReaderOutput(serialize(StepProblem{"#1", "is bad", "mend it"}));
  ASSERT_TRUE(problem);
  EXPECT_FALSE(problem->model);
  EXPECT_EQ(problem->problem.remedy, "mend it");
}

}  // namespace
}  // namespace tenon::content::step_test
