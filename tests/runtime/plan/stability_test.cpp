// Which states of an assembly stand, by the centers of mass of a balance.
#include "runtime/plan/stability.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/plan/make_plan.h"
#include "tests/runtime/plan/plan_scene.h"
#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

using physics::Box;

/// A beam of 100 × 20 × 10 mm whose middle is 30 mm beside that of a post, 20 mm wide, and on its other end,
/// at x = −12 mm, a weight of 12 × 40 mm and this height [m].
content::Scene balance(double height) {
  content::Scene scene = emptyScene();
  scene.pairs = {{0, 0, 0.4}};
  addPart(scene, "post", Box{{0.01, 0.01, 0.025}}, {0, 0, 0.025});
  addPart(scene, "beam", Box{{0.05, 0.01, 0.005}}, {0.03, 0, 0.055});
  addPart(scene, "weight", Box{{0.006, 0.02, 0.5 * height}}, {-0.012, 0, 0.06 + 0.5 * height});
  return scene;
}

/// Center of mass of beam and weight along x [m].
double centerOf(double height) {
  const double beam = 0.1 * 0.02 * 0.01, weight = 0.012 * 0.04 * height;
  return (0.03 * beam - 0.012 * weight) / (beam + weight);
}

TEST(Stability, followsTheCenterOfMass) {
  for (const double height : {0.1, 0.05, 0.042, 0.034, 0.02}) {
    const content::Scene scene = balance(height);
    const runtime::Assembly assembly = runtime::assembledState(scene);
    runtime::StabilityCheck stability(assembly);
    EXPECT_FALSE(stability.fallingUnits({0}, {}).empty()) << "the beam alone";
    EXPECT_TRUE(stability.fallingUnits({0}, {0}).empty()) << "the beam in a hand";
    EXPECT_EQ(stability.fallingUnits({0, 1}, {}).empty(), centerOf(height) < 0.01) << height;
  }
  EXPECT_LT(centerOf(0.042), 0.01 - 1e-3);
  EXPECT_GT(centerOf(0.034), 0.01 + 1e-3);
}

/// The beam is held until the weight is on it.
TEST(Stability, isInThePlanThatHandsCarryOut) {
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json", plan = folder / "plan.json";
  std::ofstream(file) << R"({"tenon": 1, "title": "balance", "unit": "mm", "duration_s": 1,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "material_pairs": [{"materials": ["steel", "steel"], "friction": 0.4}],
    "parts": [
      {"name": "post", "material": "steel", "motion": "fixed", "shape": {"kind": "box", "size": [20, 20, 50]},
       "position": [0, 0, 25]},
      {"name": "beam", "material": "steel", "shape": {"kind": "box", "size": [100, 20, 10]}, "position": [30, 0, 55]},
      {"name": "weight", "material": "steel", "shape": {"kind": "box", "size": [12, 40, 100]},
       "position": [-12, 0, 110]}]})";
  const Outcome planned = runTenon({"plan", file, "--carry-out", "--out", plan});
  EXPECT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  const auto steps = nlohmann::json::parse(fileText(plan)).at("steps");
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].at("hold"), nlohmann::json({"beam"}));
  EXPECT_TRUE(steps[1].at("stands").get<bool>());
  EXPECT_NE(steps[0].at("hand"), steps[1].at("hand"));
}

/// Three beams that tip over: one is held by each hand while it is the last, the others by fixtures.
TEST(Stability, fixturesHoldWhatHandsCannot) {
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json", plan = folder / "plan.json", record = folder / "s.tenon";
  nlohmann::json scene =
      nlohmann::json::parse(R"({"tenon": 1, "title": "beams", "unit": "mm", "duration_s": 1,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "material_pairs": [{"materials": ["steel", "steel"], "friction": 0.4}],
    "parts": [{"name": "wall", "material": "steel", "motion": "fixed", "position": [0, 0, 25],
               "shape": {"kind": "box", "size": [20, 200, 50]}}]})");
  for (const char* name : {"first", "second", "third"})
    scene["parts"].push_back({{"name", name},
                              {"material", "steel"},
                              {"shape", {{"kind", "box"}, {"size", {100, 20, 10}}}},
                              {"position", {30, 40 * (static_cast<int>(scene["parts"].size()) - 2), 55}}});
  std::ofstream(file) << scene;
  const Outcome planned = runTenon({"plan", file, "--carry-out", "--out", plan});
  EXPECT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  nlohmann::json made = nlohmann::json::parse(fileText(plan));
  EXPECT_EQ(made.at("steps").at(2).at("fixture"), nlohmann::json({"first", "second"}));
  ASSERT_EQ(made.at("hands").size(), 4u);
  EXPECT_EQ(made.at("hands").at(3).at("name"), "fixture 2");
  // Its record, with the hands of the fixtures, is simulated again bit for bit.
  EXPECT_EQ(runTenon({"run", file, "--plan", plan, "--record", record}).exitCode, 0);
  EXPECT_EQ(runTenon({"replay", record, "--verify"}).exitCode, 0);
  // Without the fixtures the first two fall.
  for (auto& hand : made["hands"])
    if (hand.at("name").get<std::string>().starts_with("fixture")) hand["script"].clear();
  std::ofstream(plan) << made;
  const Outcome fallen = runTenon({"run", file, "--plan", plan, "--json"});
  EXPECT_EQ(fallen.exitCode, 1) << fallen.err;
  const auto goals = nlohmann::json::parse(fallen.out).at("goals");
  EXPECT_NE(goals.at(0).at("verdict"), "inserted");
  EXPECT_NE(goals.at(1).at("verdict"), "inserted");
  EXPECT_EQ(goals.at(2).at("verdict"), "inserted");
}

/// A plank on two posts, x = −90 to −80 mm and −5 to 0 mm, that ends at x = 65 mm; a heavy block on its free
/// end, and a lighter one above the first post.
content::Scene counterweight() {
  content::Scene scene = emptyScene();
  scene.pairs = {{0, 0, 0.4}};
  addPart(scene, "posts",
          physics::Compound{{{Box{{0.005, 0.01, 0.02}}, physics::Pose::at({-0.085, 0, -0.025})},
                             {Box{{0.0025, 0.01, 0.02}}, physics::Pose::at({-0.0025, 0, -0.025})}}},
          physics::Vector3d::Zero());
  addPart(scene, "plank", Box{{0.08, 0.01, 0.005}}, {-0.015, 0, 0});
  addPart(scene, "heavy", Box{{0.01, 0.01, 0.019}}, {0.055, 0, 0.024});
  addPart(scene, "light", Box{{0.01, 0.01, 0.016}}, {-0.085, 0, 0.021});
  return scene;
}

/// Torque about the edge of the second post, at x = 0: positive tips the plank [m⁴ of the same material].
double tipping(bool withLight) {
  const double plank = 0.16 * 0.02 * 0.01, heavy = 0.02 * 0.02 * 0.038, light = 0.02 * 0.02 * 0.032;
  return 0.055 * heavy - 0.015 * plank - (withLight ? 0.085 * light : 0);
}

/// Light parts leave first, which would leave the heavy one on the free end alone.
TEST(Stability, ofTheNextStateDecidesTheOrder) {
  EXPECT_GT(tipping(false), 0);
  EXPECT_LT(tipping(true), 0);
  const content::Scene scene = counterweight();
  const runtime::AssemblyPlan plan = runtime::makePlan(scene, {});
  EXPECT_EQ(plan.orders.at(0).names, (std::vector<std::string>{"plank", "light", "heavy"}));
  EXPECT_EQ(plan.orders.at(0).supports, 0) << plan.orders[0].reason;
  ASSERT_EQ(plan.orders.size(), 2u);
  EXPECT_EQ(plan.orders[1].names, (std::vector<std::string>{"plank", "heavy", "light"}));
  EXPECT_EQ(plan.orders[1].supports, 1) << plan.orders[1].reason;
}

}  // namespace
}  // namespace tenon::tests
