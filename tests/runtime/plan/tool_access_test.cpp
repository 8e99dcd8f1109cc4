// Access of drivers: what blocks them is taken out first, or named.
#include "runtime/plan/tool_access.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "content/reader/load_scene.h"
#include "runtime/plan/make_plan.h"
#include "runtime/plan/plan_json.h"
#include "runtime/plan/plan_text.h"
#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

using nlohmann::json;
using runtime::AssemblyPlan;

/// A cover on a base, with two M8 screws in their threads: heads up, keys of 6 mm.
json screwedCover() {
  json scene = json::parse(fileText(scenePath("torque-driver")));
  scene.erase("$schema");
  json parts = json::array();
  for (const json& part : scene["parts"])
    if (part["name"] != "driver" && part["name"] != "stand") parts.push_back(part);
  scene["parts"] = parts;
  scene["hands"] = json::array();
  return scene;
}

/// A block from corner to corner [mm].
json blockOf(const std::string& name, const std::array<double, 3>& low, const std::array<double, 3>& high) {
  json block = {{"name", name}, {"material", "steel"}, {"shape", {{"kind", "box"}}}};
  for (std::size_t k = 0; k < 3; ++k) {
    block["shape"]["size"].push_back(high[k] - low[k]);
    block["position"].push_back(0.5 * (low[k] + high[k]));
  }
  return block;
}

content::Scene sceneOf(const json& text) {
  return content::parseScene(text.dump(), "screws.json");
}

const runtime::PlanStep* stepOf(const AssemblyPlan& plan, const std::string& name) {
  for (const runtime::PlanStep& step : plan.steps)
    if (partsText(step, plan) == name) return &step;
  return nullptr;
}

TEST(ToolAccess, isFreeAboveAScrew) {
  const content::Scene scene = sceneOf(screwedCover());
  const AssemblyPlan plan = runtime::makePlan(scene, {});
  ASSERT_TRUE(stepOf(plan, "left screw"));
  for (const runtime::PlanStep& step : plan.steps) EXPECT_EQ(step.tool, "");
  EXPECT_EQ(plan.orders.at(0).blockedTools, 0);
  const runtime::ToolAccess tools(plan.assembly);
  const int left = plan.assembly.unitOf(2);
  ASSERT_TRUE(tools.of(left));
  EXPECT_EQ(tools.of(left)->name, "6 mm key");
}

TEST(ToolAccess, namesWhatBlocksTheShankAndTheHand) {
  // A fixed roof 40 mm above the left screw; a fixed wall 25 mm beside the right one, high enough for the
  // hand.
  json text = screwedCover();
  json roof = blockOf("roof", {-45, -30, 70}, {-21, 30, 75});
  json wall = blockOf("wall", {45, -10, -24}, {50, 10, 200});
  roof["motion"] = wall["motion"] = "fixed";
  text["parts"].push_back(roof);
  text["parts"].push_back(wall);
  const content::Scene scene = sceneOf(text);
  const AssemblyPlan plan = runtime::makePlan(scene, {});
  const runtime::PlanStep *left = stepOf(plan, "left screw"), *right = stepOf(plan, "right screw");
  ASSERT_TRUE(left && right);
  EXPECT_EQ(left->tool, "the 6 mm key for \"left screw\" is blocked by \"roof\"");
  EXPECT_EQ(right->tool, "the hand on the 6 mm key for \"right screw\" is blocked by \"wall\"");
  EXPECT_EQ(plan.orders.at(0).blockedTools, 2);
  EXPECT_NE(plan.orders.at(0).reason.find("2 screws that no tool reaches"), std::string::npos);
  EXPECT_NE(toText(plan).find(left->tool), std::string::npos) << toText(plan);
  EXPECT_NE(toJson(plan).find("\"tool\": \"the 6 mm key"), std::string::npos);
}

TEST(ToolAccess, assemblesWhatBlocksAToolAfterTheScrew) {
  // A tower beside the left screw, in the way of the hand only: by its mass it would be assembled first.
  json text = screwedCover();
  text["parts"].push_back(blockOf("tower", {-25, 18, 8}, {-15, 28, 120}));
  const auto addGoal = [&](const std::string& part, const std::array<double, 3>& place) {
    text["goals"].push_back({{"part", part},
                             {"into", "base"},
                             {"pose", {{"position", place}}},
                             {"along", {0, 0, -1}},
                             {"depth", 10},
                             {"depth_tolerance", 0.1},
                             {"tolerance", 0.2},
                             {"tilt_tolerance_deg", 1}});
  };
  addGoal("cover", {0, 0, 16});
  addGoal("tower", {-20, 23, 76});
  const content::Scene scene = sceneOf(text);
  const AssemblyPlan plan = runtime::makePlan(scene, {});
  ASSERT_TRUE(stepOf(plan, "tower")) << toText(plan);
  EXPECT_GT(stepOf(plan, "tower"), stepOf(plan, "left screw")) << toText(plan);
  EXPECT_EQ(plan.orders.at(0).blockedTools, 0) << toText(plan);
}

}  // namespace
}  // namespace tenon::tests
