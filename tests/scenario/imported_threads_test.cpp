// A nut and a bolt that are meshes of triangles: they are screwed together, and advance by their pitch.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <string>

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

}  // namespace
}  // namespace tenon::tests
