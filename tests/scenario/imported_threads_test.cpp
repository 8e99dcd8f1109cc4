// Threads in meshes of triangles, and threads that a scene cuts into their plain holes: screws and nuts are
// screwed in and on, and tightened.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>
#include <string>

#include "tests/content/mesh_samples.h"
#include "tests/scenario/scene_run.h"
#include "tests/support/program_run.h"
#include "tests/support/thread_meshes.h"

namespace tenon::tests {
namespace {

void save(const std::string& file, const ThreadMeshOptions& options) {
  const physics::BoundarySolid mesh = threadMesh(options);
  std::ofstream obj(file);
  obj.precision(12);
  for (const physics::Vector3d& p : mesh.vertices)
    obj << "v " << p.x() * 1e3 << ' ' << p.y() * 1e3 << ' ' << p.z() * 1e3 << '\n';
  for (const auto& t : mesh.triangles) obj << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
}

/// M8 in the middle of 6g and 6H. The bolt's tip is its origin, the nut's middle is its.
void savePair(const std::string& folder) {
  ThreadMeshOptions bolt;
  bolt.majorDiameter = 7.87e-3;
  bolt.pitchDiameter = 7.10e-3;
  bolt.minorDiameter = 6.47e-3;
  bolt.length = 22e-3;
  bolt.chamfer = 0.8e-3;
  bolt.runOut = 1.5e-3;
  bolt.facets = 48;
  save(folder + "/bolt.obj", bolt);
  ThreadMeshOptions nut;
  nut.isInternal = true;
  nut.majorDiameter = 8.1e-3;
  nut.pitchDiameter = 7.27e-3;
  nut.minorDiameter = 6.78e-3;
  nut.length = 6.5e-3;
  nut.chamfer = 0.9e-3;
  nut.chamferSlope = std::sqrt(3.0);
  nut.phase = 1;
  nut.facets = 36;
  nut.X = physics::Pose::at({0, 0, -3.25e-3});
  save(folder + "/nut.obj", nut);
}

TEST(ImportedThreadScene, aNutOfTrianglesIsScrewedOntoABoltOfTriangles) {
  TemporaryFolder folder;
  savePair(folder.path());
  std::ifstream file(TENON_SOURCE_DIR "/content/scenes/nut-on-bolt.json");
  nlohmann::json scene = nlohmann::json::parse(file);
  for (nlohmann::json& part : scene["parts"]) {
    if (part["name"] == "bench") continue;
    const auto name = part["name"].get<std::string>();
    part.erase("standard");
    part.erase("thread");
    part["shape"] = {{"kind", "mesh"}, {"file", name + ".obj"}, {"unit", "mm"}};
    if (name == "bolt") part["position"] = {0, 0, 30};
  }
  scene["goals"][0]["feature"] = "end -z";
  scene["goals"][0]["hole"] = "hole +z far side";
  const content::Scene parsed = content::parseScene(scene.dump(), folder / "scene.json");
  SceneRun run(parsed, {});
  // The hand turns by seven turns from 1.4 to 6.2 s. Advance per turn while it does, from poses alone.
  const auto nut = [&] {
    return run.world().partPose(physics::BodyId{2}, run.world().stepResult().bodies[2]);
  };
  run.run(3.5, 0);
  const double start = nut().p.z();
  double turned = 0;
  for (int k = 0; k < 200; ++k) {
    const physics::Quaterniond before = nut().q;
    run.run(0.01, 0);
    turned += physics::logarithm(nut().q * before.conjugate()).z() / (2 * std::numbers::pi);
  }
  EXPECT_LT(turned, -2);
  // Within what the axial play of the flanks, 98 µm, leaves.
  EXPECT_NEAR((nut().p.z() - start) / turned, 1.25e-3, 0.1e-3 / std::abs(turned));
  run.run(parsed.duration - 5.5, 0);
  const auto summary = run.assessment.summary();
  EXPECT_LE(summary.notConvergedSteps, 40);
  EXPECT_LE(summary.maxPenetration, 10e-9);
  const runtime::GoalResult goal = run.assessment.goals().at(0);
  EXPECT_EQ(goal.verdict, runtime::Verdict::started);
  ASSERT_TRUE(goal.thread);
  EXPECT_GE(goal.thread->turns, 4);
}

/// The left screw of screwdriving.json, driven through the cover into the hole "hole +z" of the base.
content::Scene driveInto(const nlohmann::json& base, const std::string& folder) {
  std::ifstream file(TENON_SOURCE_DIR "/content/scenes/screwdriving.json");
  nlohmann::json scene = nlohmann::json::parse(file);
  nlohmann::json parts = nlohmann::json::array(), script = nlohmann::json::array();
  for (nlohmann::json& part : scene["parts"]) {
    if (part["name"] == "base") part.update(base);
    if (part["name"] == "cover") {
      part["shape"]["holes"].erase(1);
      part["shape"]["holes"][0]["at"] = {0, 0};
    }
    if (part["name"] != "right screw") parts.push_back(part);
  }
  nlohmann::json hand = scene["hands"][0];
  for (nlohmann::json& step : hand["script"]) {
    if (step["at_s"] > 3.6) continue;
    if (step.contains("move"))
      if (nlohmann::json& x = step["move"]["position"][0]; x.get<double>() > -30) x = x.get<double>() + 20;
    script.push_back(step);
  }
  hand["script"] = script;
  scene["parts"] = parts;
  scene["hands"] = {hand};
  scene["goals"] = {scene["goals"][0]};
  scene["goals"][0]["hole"] = "hole +z";
  scene["duration_s"] = 3.8;
  return content::parseScene(scene.dump(), folder + "/scene.json");
}

TEST(ImportedThreadScene, aScrewIsTightenedInAPlainHoleOfTrianglesAsInABlock) {
  // The core of M8, 6H, with the countersink of 60°, as deep as that of the block; the block's holes begin at
  // its upper face, 12 mm above its middle.
  constexpr double kCore = 6.779e-3 / 2, kSink = 0.8e-3;
  const double cone = kSink / std::sqrt(3.0);
  const content::TriangleMesh mesh =
      content::test::holedMesh(content::test::polygon(45e-3, 6), 24e-3,
                               {{0, kCore + kSink}, {-cone, kCore}, {-20e-3, kCore}, {-20e-3, 0}}, 48);
  TemporaryFolder folder;
  std::ofstream obj(folder / "base.obj");
  obj.precision(15);
  for (const physics::Vector3d& p : mesh.vertices)
    obj << "v " << p.x() << ' ' << p.y() << ' ' << p.z() << '\n';
  for (const auto& t : mesh.triangles) obj << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
  obj.close();
  const nlohmann::json thread = {{"size", "M8"}, {"class", "6H"}, {"depth", 16}};
  const nlohmann::json hole = {{"name", "hole +z"},
                               {"at", {0, 0}},
                               {"depth", 20},
                               {"chamfer", {{"width", 0.8}, {"angle_deg", 60}}},
                               {"thread", thread}};
  const nlohmann::json block = {{"shape", {{"kind", "block"}, {"size", {80, 60, 24}}, {"holes", {hole}}}}};
  const nlohmann::json imported = {{"position", {0, 0, 0}},
                                   {"shape",
                                    {{"kind", "mesh"},
                                     {"file", "base.obj"},
                                     {"unit", "m"},
                                     {"bores", "vertices"},
                                     {"holes", {{{"name", "hole +z"}, {"thread", thread}}}}}}};
  std::array<runtime::GoalResult, 2> results;
  for (const bool isImported : {false, true}) {
    const content::Scene scene = driveInto(isImported ? imported : block, folder.path());
    physics::WorldOptions options;
    options.dt = 1 / scene.rate;
    SceneRun run(scene, options);
    run.run(scene.duration, 0);
    EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
    results[isImported ? 1 : 0] = run.assessment.goals().at(0);
  }
  for (const runtime::GoalResult& goal : results) {
    EXPECT_EQ(goal.verdict, runtime::Verdict::tightened);
    ASSERT_TRUE(goal.thread);
  }
  EXPECT_GT(results[0].thread->preload, 4000);
  EXPECT_NEAR(results[1].thread->preload, results[0].thread->preload, 0.02 * results[0].thread->preload);
  EXPECT_NEAR(results[1].thread->turns, results[0].thread->turns, 0.02);
}

}  // namespace
}  // namespace tenon::tests
