// Threads that a scene cuts into the holes of imported parts.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "content/mesh/mesh_mass.h"
#include "content/model/part_holes.h"
#include "content/parts/display_mesh.h"
#include "content/parts/threaded_shapes.h"
#include "physics/body/mass_properties.h"
#include "physics/collision/brep/triangle_solid.h"
#include "tests/content/mesh_samples.h"
#include "tests/support/program_run.h"
#include "tests/support/scene_mistakes.h"
#include "tests/support/step_file.h"

namespace tenon::content::test {
namespace {

using nlohmann::json;
using std::numbers::pi;
using HolePoints = std::vector<Eigen::Vector2d>;  // (z, r) [mm]

constexpr double kRoot = 8.21532e-3 / 2, kCrest = 6.779e-3 / 2;  // M8, 6H, mid [m]
constexpr double kHeight = 20;                                   // of the part [mm]
constexpr int kFacets = 96;

/// A tap drill's hole with a countersink and a drill point.
const HolePoints kDrilled{{0, 4.4}, {-1, 3.4}, {-15, 3.4}, {-17, 0}};

/// Forms that are recognized as a solid on its own faces, a block and a solid of revolution.
enum class Form { hexagon, square, disk };

class TappedHoles : public testing::TestWithParam<Form> {
 protected:
  static std::vector<Eigen::Vector2d> outline(Form form, double radius = 15e-3) {
    if (form == Form::square)
      return {{-radius, -radius}, {radius, -radius}, {radius, radius}, {-radius, radius}};
    return polygon(radius, form == Form::hexagon ? 6 : kFacets);
  }

  /// The mesh of a part with this hole, and a scene with it.
  json write(Form form, const HolePoints& hole, double radius = 15e-3) {
    HolePoints profile = hole;
    for (Eigen::Vector2d& p : profile) p /= 1e3;
    mesh_ = holedMesh(outline(form, radius), kHeight / 1e3, profile, kFacets);
    std::ofstream obj(folder_ / "part.obj");
    obj.precision(15);
    for (const Eigen::Vector3d& p : mesh_.vertices)
      obj << "v " << p.x() << ' ' << p.y() << ' ' << p.z() << '\n';
    for (const auto& t : mesh_.triangles)
      obj << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
    json scene = tests::onePartScene();
    scene["parts"][0]["shape"] = {
        {"kind", "mesh"}, {"file", "part.obj"}, {"unit", "m"}, {"bores", "vertices"}};
    return scene;
  }

  Part load(const json& scene) const { return parseScene(scene.dump(), folder_ / "scene.json").part(0); }

  /// The part with a thread in its hole.
  Part tapped(Form form, const HolePoints& hole, const json& thread, const std::string& name = "hole +z") {
    json scene = write(form, hole);
    scene["parts"][0]["shape"]["holes"] = {{{"name", name}, {"thread", thread}}};
    return load(scene);
  }

  tests::TemporaryFolder folder_;
  TriangleMesh mesh_;
};

double volumeOfProfile(const HolePoints& profile) {
  double volume = 0;
  for (std::size_t k = 1; k < profile.size(); ++k) {
    const double a = profile[k - 1].y(), b = profile[k].y();
    volume += pi / 3 * (profile[k - 1].x() - profile[k].x()) * (a * a + a * b + b * b);
  }
  return volume;
}

void expectProfile(const Part& part, const std::string& name, const HolePoints& expected) {
  const auto site = mouthOf(part.shape, name);
  ASSERT_TRUE(site) << name;
  ASSERT_EQ(site->profile.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_LT((site->profile[k] - expected[k] / 1e3).norm(), 1e-7)
        << k << ": " << site->profile[k].transpose();
}

physics::Thread threadIn(const Part& part) {
  const auto threads = threadsOf(part.shape);
  EXPECT_EQ(threads.size(), 1U);
  return threads.empty() ? physics::Thread() : threads.front().thread;
}

/// The mass at 1 kg/m³ is that of the given mesh, less what the hole gains, plus the teeth.
void expectMass(const Part& part, const TriangleMesh& mesh, const HolePoints& given) {
  HolePoints before = given;
  for (Eigen::Vector2d& p : before) p /= 1e3;
  const double gained = volumeOfProfile(mouthOf(part.shape, "hole +z")->profile) - volumeOfProfile(before);
  physics::SolidOfRevolution teeth = physics::threadedSolid(threadIn(part));
  const double expected = massOf(mesh, 1).mass - gained + physics::massProperties(teeth, 1).mass;
  EXPECT_NEAR(part.mass.mass, expected, 1e-6 * expected);
  // The shapes that collide have the same mass, but for the chords of given circles.
  EXPECT_NEAR(physics::massProperties(part.shape, 1).mass, expected, 1e-3 * expected);
}

/// The faces of a solid on its own faces are all on surfaces that meet, and the walls have corners on them.
void expectSound(const Part& part) {
  const auto& compound = std::get<physics::Compound>(part.shape);
  const auto* solid = std::get_if<physics::BoundarySolid>(&compound.children.front().shape);
  if (solid == nullptr) return;
  std::vector<int> flat;
  physics::brep::solidOfTriangles(*solid, 1, &flat);
  EXPECT_TRUE(flat.empty());
  const double root = threadsOf(part.shape).front().thread.majorDiameter / 2;
  int corners = 0;
  for (std::size_t t = 0; t < solid->triangles.size(); ++t) {
    if (solid->surfaceOf[t] < 0) continue;
    const physics::Surface& surface = solid->surfaces[static_cast<std::size_t>(solid->surfaceOf[t])];
    if (surface.kind != physics::SurfaceKind::cylinder || surface.radius != root) continue;
    for (const int v : solid->triangles[t]) {
      const Vector3d p = surface.X_BS.inverse().point(solid->vertices[static_cast<std::size_t>(v)]);
      EXPECT_NEAR(p.head<2>().norm(), root, 1e-12);
      ++corners;
    }
  }
  EXPECT_GE(corners, 6 * 8);
}

TEST_P(TappedHoles, haveTheThreadInPlaceOfTheirWall) {
  const Part part = tapped(GetParam(), kDrilled, {{"size", "M8"}});
  const physics::Thread thread = threadIn(part);
  EXPECT_TRUE(thread.isInternal);
  EXPECT_NEAR(thread.majorDiameter / 2, kRoot, 1e-8);
  EXPECT_NEAR(thread.minorDiameter / 2, kCrest, 1e-6);
  // The countersink of 45° cuts the teeth and meets the roots; so does the drill point.
  const double root = kRoot * 1e3, point = -15 + (root - 3.4) * 2 / 3.4;
  EXPECT_NEAR(thread.ends[1].radius, 4.4e-3, 1e-9);
  EXPECT_NEAR(thread.ends[1].length, 4.4e-3 - thread.minorDiameter / 2, 1e-9);
  EXPECT_NEAR(thread.high, 0, 1e-9);
  EXPECT_NEAR(thread.low, point / 1e3, 1e-8);
  expectProfile(part, "hole +z", {{0, 4.4}, {root - 4.4, root}, {point, root}, {-17, 0}});
  expectMass(part, mesh_, kDrilled);
  expectSound(part);
}

TEST_P(TappedHoles, keepTheDrilledHoleBelowAShorterThread) {
  const Part part = tapped(GetParam(), kDrilled, {{"size", "M8"}, {"depth", 10}});
  const double root = kRoot * 1e3;
  EXPECT_NEAR(threadIn(part).low, -10e-3, 1e-12);
  expectProfile(part, "hole +z",
                {{0, 4.4}, {root - 4.4, root}, {-10, root}, {-10, 3.4}, {-15, 3.4}, {-17, 0}});
  expectMass(part, mesh_, kDrilled);
  expectSound(part);
}

TEST_P(TappedHoles, mayHaveCountersinksNarrowerThanTheRoots) {
  const HolePoints given{{0, 3.9}, {-0.5, 3.4}, {-19.5, 3.4}, {-20, 3.9}};
  const Part part = tapped(GetParam(), given, {{"size", "M8"}});
  const physics::Thread thread = threadIn(part);
  for (const physics::ThreadEnd& end : thread.ends) EXPECT_NEAR(end.radius, 3.9e-3, 1e-9);
  expectProfile(part, "hole +z", {{0, kRoot * 1e3}, {-20, kRoot * 1e3}});
  expectMass(part, mesh_, given);
  expectSound(part);
}

TEST_P(TappedHoles, mayBeDrawnWithTheNominalDiameter) {
  const HolePoints given{{0, 4}, {-20, 4}};
  const Part part = tapped(GetParam(), given, {{"size", "M8"}, {"depth", 12}});
  const double crest = threadIn(part).minorDiameter * 1e3 / 2;
  expectProfile(part, "hole +z", {{0, kRoot * 1e3}, {-12, kRoot * 1e3}, {-12, crest}, {-20, crest}});
  expectMass(part, mesh_, given);
  expectSound(part);
}

TEST_P(TappedHoles, mayHaveCounterboresAndBeTappedFromTheFarSide) {
  const HolePoints given{{0, 7}, {-4, 7}, {-4, 3.4}, {-19, 3.4}, {-20, 4.4}};
  const Part near = tapped(GetParam(), given, {{"size", "M8"}, {"depth", 14}});
  EXPECT_NEAR(threadIn(near).high, -4e-3, 1e-9);
  EXPECT_NEAR(threadIn(near).low, -14e-3, 1e-9);
  expectMass(near, mesh_, given);
  expectSound(near);
  const Part far = tapped(GetParam(), given, {{"size", "M8"}, {"depth", 6}}, "hole +z far side");
  const double root = kRoot * 1e3;
  expectProfile(far, "hole +z far side",
                {{0, 4.4}, {root - 4.4, root}, {-6, root}, {-6, 3.4}, {-16, 3.4}, {-16, 7}, {-20, 7}});
  expectMass(far, mesh_, given);
  expectSound(far);
}

TEST_P(TappedHoles, areDrawnAsTheyCollide) {
  const Part part = tapped(GetParam(), kDrilled, {{"size", "M8"}});
  const DisplayMesh drawn = displayMeshOf(part.shape);
  int crests = 0;
  for (const Vector3d& p : drawn.positions) {
    if (p.z() < -14e-3 || p.z() > -1.1e-3) continue;
    const double r = p.head<2>().norm();
    EXPECT_GT(r, threadIn(part).minorDiameter / 2 * 0.995);
    crests += r < 3.4e-3 ? 1 : 0;
  }
  EXPECT_GT(crests, 10 * 48);  // some turns of them
}

INSTANTIATE_TEST_SUITE_P(Forms, TappedHoles, testing::Values(Form::hexagon, Form::square, Form::disk));

class TappedHole : public TappedHoles {};

TEST_F(TappedHole, mistakesAreReported) {
  json scene = write(Form::hexagon, {{0, 7}, {-4, 7}, {-4, 3.4}, {-20, 3.4}});
  scene["parts"][0]["shape"]["holes"] =
      json::array({{{"name", "hole +z"}, {"thread", {{"size", "M8"}, {"depth", 12}}}}});
  const std::string file = folder_ / "scene.json", holes = "/parts/0/shape/holes", first = holes + "/0";
  const std::string name = first + "/name", thread = first + "/thread";
  const std::string size = thread + "/size", depth = thread + "/depth", second = holes + "/1";
  tests::expectErrors(
      scene, file,
      {
          {"unknown hole", name.c_str(), "\"bore\"", name.c_str(), {"hole +z", "far side"}},
          {"no thread", thread.c_str(), nullptr, thread.c_str(), {"missing"}},
          {"other field", (first + "/diameter").c_str(), "8", (first + "/diameter").c_str(), {"not a field"}},
          {"too large for the hole", size.c_str(), "\"M10\"", thread.c_str(), {"Ø 6.8 mm", "10 mm"}},
          {"too small for the hole", size.c_str(), "\"M6\"", thread.c_str(), {"Ø 6.8 mm", "6 mm"}},
          {"too deep", depth.c_str(), "21", depth.c_str(), {"21 mm", "20 mm"}},
          {"above the wall", depth.c_str(), "3", depth.c_str(), {"3 mm", "4 mm", "mouth"}},
          {"twice",
           second.c_str(),
           R"({"name": "hole +z far side", "thread": {"size": "M8"}})",
           (second + "/name").c_str(),
           {"already"}},
      },
      [&](const std::string& text) { return errorFrom([&] { parseScene(text, file); }); });
}

TEST_F(TappedHole, needsAWallAndAnEdgeWiderThanItsRoots) {
  json scene = write(Form::hexagon, {{0, 3.4}, {-20, 3.4}}, 4.5e-3);
  const json holes = {{{"name", "hole +z"}, {"thread", {{"size", "M8"}}}}};
  const auto errorOf = [&](json& document) {
    document["parts"][0]["shape"]["holes"] = holes;
    return errorFrom([&] { load(document); });
  };
  EXPECT_NE(errorOf(scene).find("no room"), std::string::npos) << errorOf(scene);
  scene = write(Form::hexagon, {{0, 3.9}, {-4, 3.9}, {-4, 3.4}, {-20, 3.4}});
  EXPECT_NE(errorOf(scene).find("edge of Ø 7.8 mm"), std::string::npos) << errorOf(scene);
}

TEST_F(TappedHole, OfASTEPFileIsAsThatOfAMesh) {
  if (const std::string missing = tests::stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  for (const char* kind : {"bracket", "bored"}) {
    ASSERT_TRUE(tests::makeStep(kind, folder_ / "part.step", {5, 9, 0.6}));
    json scene = tests::onePartScene();
    const Part before = load(scene);
    json& holes = scene["parts"][0]["shape"]["holes"] = json::array();
    for (const HoleSite& site : holesOf(before.shape))
      holes.push_back({{"name", site.name}, {"thread", {{"diameter", 6}, {"pitch", 1}}}});
    const Part part = load(scene);
    const auto threads = threadsOf(part.shape);
    ASSERT_EQ(threads.size(), holes.size());
    ASSERT_GE(threads.size(), 1U);
    double mass = before.mass.mass;
    for (const HoleSite& site : holesOf(before.shape)) mass += volumeOfProfile(site.profile);
    for (const HoleSite& site : holesOf(part.shape)) mass -= volumeOfProfile(site.profile);
    for (const PlacedThread& placed : threads)
      mass += physics::massProperties(physics::threadedSolid(placed.thread), 1).mass;
    EXPECT_NEAR(part.mass.mass, mass, 1e-9 * mass);
    EXPECT_NE(part.mass.mass, before.mass.mass);
    expectSound(part);
  }
}

TEST_F(TappedHole, withAThreadInItsFileKeepsThatOne) {
  if (const std::string missing = tests::stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  ASSERT_TRUE(tests::makeStep("nut", folder_ / "part.step", {8, 1.25, 8, 0}));
  json scene = tests::onePartScene();
  const Part nut = load(scene);
  ASSERT_EQ(threadsOf(nut.shape).size(), 1U);
  scene["parts"][0]["shape"]["holes"] = {
      {{"name", holesOf(nut.shape).front().name}, {"thread", {{"size", "M8"}}}}};
  const std::string error = errorFrom([&] { load(scene); });
  EXPECT_NE(error.find("in its file"), std::string::npos) << error;
}

}  // namespace
}  // namespace tenon::content::test
