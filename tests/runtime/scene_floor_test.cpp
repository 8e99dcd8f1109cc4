// What is drawn as the ground in a live session is there: what a person drops lies on it.
#include "runtime/live_view/scene_floor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "content/reader/load_scene.h"
#include "runtime/live_view/open_scene.h"
#include "runtime/live_view/scene_view.h"
#include "runtime/simulation/simulation.h"
#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

using namespace runtime;
using physics::Pose;
using physics::Vector3d;

bool hasHalfSpace(const content::Scene& scene) {
  return std::any_of(scene.parts.begin(), scene.parts.end(), [](const content::Part& part) {
    return std::holds_alternative<physics::HalfSpace>(part.shape);
  });
}

/// Takes the scene's part 1 where it is, carries it aside within half a second, and releases it.
class DroppingHands final : public xr::HandSource {
 public:
  DroppingHands(std::size_t hands, const Vector3d& from, const Vector3d& to)
      : hands_(hands), from_(from), to_(to) {}
  void sample(std::int64_t time_ns, std::vector<xr::HandSample>& samples) override {
    samples.assign(hands_, xr::HandSample());
    const double fraction = std::min(1.0, static_cast<double>(time_ns) / 5e8);
    samples[0].tracked = true;
    samples[0].X_WH = Pose::at(from_ + fraction * (to_ - from_));
    samples[0].closed = time_ns < 600'000'000;
    samples[0].wantedPart = 1;
  }

 private:
  std::size_t hands_;
  Vector3d from_, to_;
};

double lowestOf(const SceneView& sceneView, std::size_t part, const Pose& X_WP) {
  double lowest = 1e9;
  for (const Vector3d& p : sceneView.meshes.of(part)->positions) lowest = std::min(lowest, (X_WP * p).z());
  return lowest;
}

TEST(SceneFloor, DroppedPartRestsOnTheDrawnGround) {
  const OpenedScene opened = openScene({scenePath("bolt-in-plate"), {}}, std::nullopt, false);
  const SceneView sceneView(opened.scene);
  ASSERT_TRUE(sceneView.ground);
  Simulation simulation(*opened.scene, {},
                        std::make_unique<DroppingHands>(opened.scene->hands.size(), Vector3d(-0.028, 0, 0.02),
                                                        Vector3d(-0.1, 0, 0.05)));
  for (int k = 0; k < 4000; ++k) simulation.step();
  const physics::World& world = simulation.world();
  const Pose screw = world.partPose({1}, world.stepResult().bodies[1]);
  EXPECT_LT(screw.p.x(), -0.06) << "beside the plate";
  EXPECT_NEAR(lowestOf(sceneView, 1, screw), sceneView.ground->height, 5e-5);
  EXPECT_LT(world.stepResult().bodies[1].v.norm(), 0.2) << "it does not slide away";
}

TEST(SceneFloor, IsAddedToShippedScenesWithGoalsAndNoGround) {
  int added = 0;
  for (const SceneEntry& entry : shippedScenes()) {
    if (entry.file.find("factory") != std::string::npos) continue;  // of meshes that are not here
    SCOPED_TRACE(entry.file);
    const content::Scene before = content::loadScene(entry.file);
    const OpenedScene opened = openScene({entry.file, {}}, std::nullopt, false);
    EXPECT_EQ(hasHalfSpace(*opened.scene), hasHalfSpace(before) || !before.goals.empty());
    const bool isDrawn = SceneView(opened.scene).ground.has_value();
    EXPECT_TRUE(!isDrawn || hasHalfSpace(*opened.scene)) << "what is drawn collides";
    EXPECT_TRUE(isDrawn || before.goals.empty()) << "a floor is drawn";
    added += hasHalfSpace(*opened.scene) && !hasHalfSpace(before) ? 1 : 0;
  }
  EXPECT_GE(added, 4);
}

TEST(SceneFloor, ChangesNoOutcomeOfAScript) {
  const TemporaryFolder folder;
  for (const char* const name : {"bolt-in-plate", "press-fit", "insertion-benchmark"}) {
    SCOPED_TRACE(name);
    const OpenedScene opened = openScene({scenePath(name), {}}, std::nullopt, true);
    ASSERT_TRUE(hasHalfSpace(*opened.scene));
    const std::string file = folder / (std::string(name) + ".json");
    std::ofstream(file) << opened.text;
    const auto goalsOf = [](const std::string& scene) {
      return nlohmann::json::parse(runTenon({"run", scene, "--json"}).out).at("goals");
    };
    const nlohmann::json with = goalsOf(file), without = goalsOf(scenePath(name));
    ASSERT_EQ(with.size(), without.size());
    for (std::size_t g = 0; g < with.size(); ++g) {
      EXPECT_EQ(with[g]["verdict"], without[g]["verdict"]);
      EXPECT_NEAR(with[g]["depth_m"].get<double>(), without[g]["depth_m"].get<double>(), 1e-6);
    }
  }
}

TEST(SceneFloor, HasANameAndAMaterialOfItsOwnInAnyUnit) {
  for (const auto& [unit, factor] : {std::pair{"mm", 1000.0}, {"m", 1.0}, {"in", 1 / 0.0254}}) {
    SCOPED_TRACE(unit);
    nlohmann::ordered_json text = {{"unit", unit},
                                   {"materials", {{{"name", "floor"}, {"density_kg_per_m3", 7850}}}},
                                   {"parts", {{{"name", "floor"}}, {{"name", "floor 2"}}}}};
    content::Scene scene;
    scene.materials = {{"floor", 7850}};
    scene.parts.resize(2);
    scene.parts[0].name = "floor";
    scene.parts[1].name = "floor 2";
    scene.pairs.push_back({.a = 0, .b = 0, .friction = 0.3});
    addFloor(text, scene, -0.05);
    EXPECT_EQ(text["parts"][2]["name"], "floor 3");
    EXPECT_EQ(text["parts"][2]["material"], "floor 2");
    EXPECT_NEAR(text["parts"][2]["position"][2].get<double>(), -0.05 * factor, 1e-12);
    EXPECT_EQ(text["material_pairs"][0]["friction"], 0.3);
  }
}

}  // namespace
}  // namespace tenon::tests
