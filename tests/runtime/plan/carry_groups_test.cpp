// Groups that are built aside: hands build them, carry them as one and insert them.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "runtime/commands/carry_out_plan.h"
#include "runtime/plan/make_plan.h"
#include "runtime/plan/part_distance.h"
#include "runtime/plan/plan_hands.h"
#include "runtime/plan/plan_json.h"
#include "tests/runtime/plan/box_shapes.h"
#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

/// Steel with some friction; the first part is fixed.
nlohmann::json steelScene(const std::vector<nlohmann::json>& parts) {
  nlohmann::json scene =
      nlohmann::json::parse(R"({"tenon": 1, "title": "group", "unit": "mm", "duration_s": 1,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "material_pairs": [{"materials": ["steel", "steel"], "friction": 0.1}]})");
  scene["parts"] = parts;
  for (nlohmann::json& part : scene["parts"]) part["material"] = "steel";
  scene["parts"][0]["motion"] = "fixed";
  return scene;
}

/// A box from corner to corner, open on top.
nlohmann::json openBoxPart(const BoxCorners& inside, double wall) {
  const auto [x0, y0, z0, x1, y1, z1] = inside;
  return {{"name", "box"},
          {"shape", boxesShape({{x0 - wall, y0 - wall, z0 - wall, x1 + wall, y1 + wall, z0},
                                {x1, y0 - wall, z0, x1 + wall, y1 + wall, z1},
                                {x0 - wall, y0 - wall, z0, x0, y1 + wall, z1},
                                {x0, y1, z0, x1, y1 + wall, z1},
                                {x0, y0 - wall, z0, x1, y0, z1}})}};
}

/// Sliders that hang in the T-slot of a channel. In the box they cannot be slid into it, and under its lips
/// they cannot be lifted: all leave together.
nlohmann::json slidersScene(int sliders) {
  std::vector<nlohmann::json> parts{openBoxPart({-20.2, -15.2, -6.2, 20.2, 15.2, 10}, 8)};
  parts.push_back({{"name", "channel"},
                   {"shape", boxesShape({{-20, -15, 14.2, 20, 15, 20},
                                         {-20, -15, -6.2, 20, -9.1, 14.2},
                                         {-20, 9.1, -6.2, 20, 15, 14.2},
                                         {-20, -9.1, 0, 20, -4.1, 6},
                                         {-20, 4.1, 0, 20, 9.1, 6}})}});
  for (int k = 0; k < sliders; ++k) {
    const double from = -20 + 40.0 * k / sliders, to = from + 40.0 / sliders - (sliders > 1 ? 0.1 : 0);
    parts.push_back({{"name", "slider " + std::to_string(k + 1)},
                     {"shape", boxesShape({{from, -9, 6, to, 9, 14}, {from, -4, -6, to, 4, 6}})}});
  }
  return steelScene(parts);
}

struct CarriedPlan {
  nlohmann::json plan;
  std::string text;
};

/// The plan of a scene, carried out so that all goals are reached.
CarriedPlan carriedOutPlan(const nlohmann::json& scene) {
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json", plan = folder / "plan.json";
  std::ofstream(file) << scene;
  const Outcome planned = runTenon({"plan", file, "--carry-out", "--out", plan});
  EXPECT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  // The file alone does it too.
  const Outcome run = runTenon({"run", file, "--plan", plan, "--json"});
  EXPECT_EQ(run.exitCode, 0) << run.err << run.out;
  EXPECT_LT(nlohmann::json::parse(run.out).at("max_penetration_m").get<double>(), 1e-6);
  return {nlohmann::json::parse(fileText(plan)), planned.out};
}

TEST(CarryGroups, aGroupIsBuiltInAFixtureAndCarriedByOneHand) {
  const nlohmann::json plan = carriedOutPlan(slidersScene(2)).plan;
  const nlohmann::json& steps = plan.at("steps");
  ASSERT_EQ(steps.size(), 3u);
  for (const std::size_t k : {0u, 1u}) {
    EXPECT_EQ(steps[k].at("group"), 1);
    EXPECT_EQ(steps[k].at("onto"), nlohmann::json({"channel"}));
    EXPECT_EQ(steps[k].at("fixture"), nlohmann::json({"channel"}));
    EXPECT_NEAR(std::abs(steps[k].at("direction")[0].get<double>()), 1, 1e-9);
    EXPECT_LE(steps[k].at("end_s"), steps[k + 1].at("start_s"));
  }
  EXPECT_EQ(steps[2].at("parts"), nlohmann::json({"channel", "slider 1", "slider 2"}));
  EXPECT_EQ(steps[2].at("grasp"), "channel");
  EXPECT_FALSE(steps[2].contains("also_grasp"));
  EXPECT_EQ(plan.at("hands").size(), 2u) << "one hand and one fixture";
}

/// Parts with goals, that start elsewhere.
TEST(CarryGroups, ofASceneWithGoals) {
  nlohmann::json scene = slidersScene(1);
  for (std::size_t k = 1; k < 3; ++k) {
    scene["parts"][k]["position"] = {80.0 * static_cast<double>(k), 0, 6.2};
    scene["goals"].push_back({{"part", scene["parts"][k]["name"]},
                              {"into", "box"},
                              {"pose", {{"position", {0, 0, 0}}}},
                              {"along", {0, 0, -1}},
                              {"depth", 10},
                              {"depth_tolerance", 0.3},
                              {"tolerance", 0.3},
                              {"tilt_tolerance_deg", 1}});
  }
  scene["parts"].push_back({{"name", "bench"},
                            {"material", "steel"},
                            {"motion", "fixed"},
                            {"shape", {{"kind", "half_space"}}},
                            {"position", {0, 0, -14.2}}});
  for (std::size_t k = 1; k < 3; ++k) scene["parts"][k]["position"][2] = k == 1 ? -8 : -8.2;
  const nlohmann::json plan = carriedOutPlan(scene).plan;
  EXPECT_FALSE(plan.contains("start"));
  EXPECT_EQ(plan.at("steps").size(), 2u);
}

/// Rotates boxes by half a turn about z.
std::vector<BoxCorners> turned(std::vector<BoxCorners> boxes) {
  for (auto& [x0, y0, z0, x1, y1, z1] : boxes) {
    std::swap(x0, x1);
    std::swap(y0, y1);
    for (double* value : {&x0, &x1, &y0, &y1}) *value = -*value;
  }
  return boxes;
}

/// Two halves with laps, each over the other, with some play.
std::vector<nlohmann::json> lappedHalves() {
  const std::vector<BoxCorners> half{
      {-25, -25, 5, -5, 25, 15}, {-5, 0.05, 10.05, 5, 25, 15}, {-5, -25, 5, 5, -0.05, 9.95}};
  return {{{"name", "left"}, {"shape", boxesShape(half)}},
          {{"name", "right"}, {"shape", boxesShape(turned(half))}}};
}

/// A half that a hand carries tilts in its play and jams.
TEST(CarryGroups, whatJamsInOneHandIsCarriedByTwo) {
  std::vector<nlohmann::json> parts = lappedHalves();
  parts.insert(parts.begin(), openBoxPart({-25.1, -25.1, 5, 25.1, 25.1, 25}, 5));
  const CarriedPlan carried = carriedOutPlan(steelScene(parts));
  EXPECT_EQ(carried.plan.at("steps")[1].at("grasp"), "left");
  EXPECT_EQ(carried.plan.at("steps")[1].at("also_grasp"), "right");
  EXPECT_NE(carried.text.find("order 1, step 2 carried by two hands: every goal reached"), std::string::npos)
      << carried.text;
}

/// A scene from a file, as the commands load it.
struct SceneFile {
  explicit SceneFile(const nlohmann::json& scene) {
    options.file = folder / "scene.json";
    std::ofstream(options.file) << scene;
    loaded = runtime::loadScene(options);
  }
  void expectLoads(const runtime::AssemblyPlan& plan) const {
    EXPECT_NO_THROW(withPlan(loaded, options, toJson(plan), "plan.json")) << toJson(plan);
  }
  const content::Scene& scene() const { return *loaded.scene; }

  TemporaryFolder folder;
  runtime::SceneOptions options;
  runtime::LoadedScene loaded;
};

/// Halves that two hands carry, because the laps are too far apart to hold one on the other, in a tube in
/// which they do not stand until a bar is through both.
nlohmann::json barredScene() {
  std::vector<BoxCorners> tube{{-30.1, -25.1, 0, -25.1, 25.1, 25}, {25.1, -25.1, 0, 30.1, 25.1, 25}};
  for (const auto& [from, to] : {std::pair(25.1, 30.1), std::pair(-30.1, -25.1)})
    for (const BoxCorners& box : {BoxCorners{-30.1, from, 0, -18.1, to, 25},
                                  {-9.9, from, 0, 30.1, to, 25},
                                  {-18.1, from, 0, -9.9, to, 7.95},
                                  {-18.1, from, 12.05, -9.9, to, 25}})
      tube.push_back(box);
  const std::vector<BoxCorners> laps{{-5, 0.05, 10.8, 5, 25, 15}, {-5, -25, 5, 5, -0.05, 9.2}};
  std::vector<BoxCorners> left{{-25, -25, 5, -18, 25, 15},
                               {-10, -25, 5, -5, 25, 15},
                               {-18, -25, 5, -10, 25, 7.95},
                               {-18, -25, 12.05, -10, 25, 15}};
  std::vector<BoxCorners> right{{-25, -25, 5, -5, 25, 15}};
  for (std::vector<BoxCorners>* half : {&left, &right}) half->insert(half->end(), laps.begin(), laps.end());
  return steelScene({{{"name", "tube"}, {"shape", boxesShape(tube)}},
                     {{"name", "left"}, {"shape", boxesShape(left)}},
                     {{"name", "right"}, {"shape", boxesShape(turned(right))}},
                     {{"name", "bar"}, {"shape", boxesShape({{-18, -40, 8, -10, 40, 12}})}}});
}

TEST(CarryGroups, aFixtureTakesOverFromTheSecondHandOfWhatDoesNotStand) {
  const nlohmann::json plan = carriedOutPlan(barredScene()).plan;
  const nlohmann::json& steps = plan.at("steps");
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[1].at("parts"), nlohmann::json({"left", "right"}));
  EXPECT_EQ(steps[1].at("grasp"), "right");
  EXPECT_EQ(steps[1].at("also_grasp"), "left");
  EXPECT_EQ(steps[1].at("hold"), nlohmann::json({"right"}));
  EXPECT_EQ(steps[1].at("fixture"), nlohmann::json({"left"}));
  EXPECT_NE(steps[2].at("hand"), steps[1].at("hand"));

  const SceneFile file(barredScene());
  for (const runtime::AssemblyPlan& made : runtime::makePlans(file.scene(), {})) file.expectLoads(made);
}

TEST(CarryGroups, saysWhereNoHandIsFree) {
  const SceneFile file(barredScene());
  runtime::AssemblyPlan plan = runtime::makePlan(file.scene(), {});
  runtime::PartDistance distance(file.scene());
  ASSERT_EQ(plan.steps.size(), 3u);
  plan.steps[1].held = plan.steps[1].units;
  addHands(plan, distance);
  EXPECT_TRUE(plan.steps[1].hand);
  EXPECT_FALSE(plan.steps[2].hand);
  EXPECT_EQ(plan.steps[2].remark,
            "no hand is free: each holds what was brought before; the hands do not carry out this and later "
            "steps");
  file.expectLoads(plan);
}

/// A plate under two halves: where a hand holds it, only the other one is left for the halves.
TEST(CarryGroups, onlyAFreeHandIsAddedToAStepThatFails) {
  std::vector<nlohmann::json> parts = lappedHalves();
  parts.insert(parts.begin(), {openBoxPart({-25.1, -25.1, 0, 25.1, 25.1, 25}, 5),
                               {{"name", "plate"}, {"shape", boxesShape({{-25, -25, 0, 25, 25, 5}})}}});
  const SceneFile file(steelScene(parts));
  runtime::AssemblyPlan plan = runtime::makePlan(file.scene(), {});
  runtime::PartDistance distance(file.scene());
  ASSERT_EQ(plan.steps.size(), 3u);
  ASSERT_EQ(plan.steps[0].group, 0);
  ASSERT_EQ(plan.steps[2].carriers.size(), 1u);
  const auto attemptsOf = [&](const runtime::AssemblyPlan& given) {
    return runtime::carriedOut({given}, file.scene(),
                               [&](const runtime::AssemblyPlan& tried) {
                                 file.expectLoads(tried);
                                 EXPECT_TRUE(tried.steps[2].hand);
                                 return runtime::PlanTrial{1, 3, 2, "jammed", false};
                               })
        .carriedOut->attempts;
  };
  using Attempts = std::vector<std::string>;
  EXPECT_EQ(attemptsOf(plan),
            (Attempts{"order 1: jammed", "order 1, step 3 carried by two hands: jammed",
                      "order 1, step 3 carried by two hands, step 3 inserted slowly: jammed"}));
  plan.steps[0].held = plan.steps[2].held = plan.steps[0].units;
  addHands(plan, distance);
  EXPECT_EQ(attemptsOf(plan), (Attempts{"order 1: jammed", "order 1, step 3 inserted slowly: jammed"}));
}

/// The channel is built beside the box, at the side without a wall; between four walls a remark says so.
TEST(CarryGroups, aGroupIsNotBuiltInAWall) {
  nlohmann::json scene = slidersScene(1);
  const auto addWall = [&](const std::string& name, const nlohmann::json& axis, double angle,
                           const nlohmann::json& position) {
    scene["parts"].push_back({{"name", name},
                              {"material", "steel"},
                              {"motion", "fixed"},
                              {"shape", {{"kind", "half_space"}}},
                              {"rotation", {{"axis", axis}, {"angle_deg", angle}}},
                              {"position", position}});
  };
  const auto planned = [&] {
    const SceneFile file(scene);
    return runtime::makePlan(file.scene(), {});
  };
  ASSERT_LT(planned().buildPlaces.at(1).y(), -0.05);
  addWall("behind", {1, 0, 0}, -90, {0, -60, 0});
  EXPECT_GT(planned().buildPlaces.at(1).y(), 0.05);
  EXPECT_EQ(carriedOutPlan(scene).plan.at("steps").size(), 2u);
  addWall("before", {1, 0, 0}, 90, {0, 60, 0});
  const runtime::AssemblyPlan besides = planned();
  EXPECT_NEAR(besides.buildPlaces.at(1).y(), 0, 1e-9);
  EXPECT_GT(std::abs(besides.buildPlaces.at(1).x()), 0.05);
  EXPECT_EQ(besides.steps.at(0).remark.find("no side"), std::string::npos) << besides.steps.at(0).remark;
  addWall("left", {0, 1, 0}, 90, {-80, 0, 0});
  addWall("right", {0, 1, 0}, -90, {80, 0, 0});
  EXPECT_TRUE(planned().steps.at(0).remark.starts_with(
      "no side of the assembly has room for what is built aside: half-spaces are in the way"));
}

/// A shelf at a wall, which only falls off it until a peg is through both, in a box that stops the peg.
TEST(CarryGroups, aFixtureHoldsWhatWouldFallOffAGroup) {
  const nlohmann::json hole = {{"name", "hole"},
                               {"face", "-y"},
                               {"at", {0, 0}},
                               {"diameter", 6.05},
                               {"chamfer", {{"width", 0.5}, {"angle_deg", 45}}}};
  const auto holed = [&](const std::string& name, const nlohmann::json& size, double y,
                         const nlohmann::json& end) {
    nlohmann::json part = {{"name", name}, {"position", {0, y, 0}}};
    part["shape"] = {{"kind", "block"}, {"size", size}, {"holes", {hole}}};
    part["shape"]["holes"][0].update(end);
    return part;
  };
  const nlohmann::json peg = {
      {"name", "peg"},
      {"position", {0, -3, 0}},
      {"rotation", {{"axis", {1, 0, 0}}, {"angle_deg", 90}}},
      {"shape", {{"kind", "turned"}, {"profile", {{-20, 0}, {-20, 2.5}, {-19.5, 3}, {12.8, 3}, {12.8, 0}}}}}};
  const nlohmann::json plan =
      carriedOutPlan(steelScene({openBoxPart({-30.5, -16.5, -30, 30.5, 20.5, 20}, 10),
                                 holed("wall", {60, 20, 60}, 10, {{"depth", 18}}),
                                 holed("shelf", {16, 16, 16}, -8, {{"through", true}}), peg}))
          .plan;
  ASSERT_EQ(plan.at("steps").size(), 3u);
  EXPECT_EQ(plan.at("steps")[0].at("fixture"), nlohmann::json({"wall", "shelf"}));
  EXPECT_EQ(plan.at("steps")[1].at("fixture"), nlohmann::json({"wall"}));
}

/// Without gravity nothing keeps a third part on what two hands hold.
TEST(CarryGroups, saysWhatHandsCannotCarry) {
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json", plan = folder / "plan.json";
  nlohmann::json scene = slidersScene(2);
  scene["gravity_m_per_s2"] = {0, 0, 0};
  std::ofstream(file) << scene;
  const Outcome planned = runTenon({"plan", file, "--out", plan});
  EXPECT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  EXPECT_NE(
      planned.out.find("step 3: held by any two hands, what is built aside falls apart; the hands do not "
                       "carry out this and later steps\n"),
      std::string::npos)
      << planned.out;
  EXPECT_FALSE(nlohmann::json::parse(fileText(plan)).at("steps")[2].contains("hand"));
}

}  // namespace
}  // namespace tenon::tests
