// Outcomes of goals without a round hole: a square bar in a square frame.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "tests/runtime/goal_scenes.h"
#include "tests/support/program_run.h"

namespace tenon::runtime {
namespace {

using Json = nlohmann::json;
using tests::runTenon;
using tests::TemporaryFolder;
using tests::writtenTo;

/// A bar of this width [mm] 2 mm above a frame with an opening of 10 mm, 20 mm deep, turned by `turn_deg`
/// about its axis; the hand lowers it by 14 mm.
Json barScene(double width, double turn_deg, double friction) {
  Json scene = Json::parse(R"({
    "tenon": 1, "title": "bar", "unit": "mm", "duration_s": 1.4, "rate_hz": 500, "gravity_m_per_s2": [0, 0, 0],
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "material_pairs": [{"materials": ["steel", "steel"]}],
    "parts": [
      {"name": "frame", "material": "steel", "motion": "fixed",
       "sockets": [{"name": "square", "origin": [0, 0, 0], "direction": [0, 0, 1], "width": 14, "depth": 20}],
       "shape": {"kind": "compound", "children": [
         {"shape": {"kind": "box", "size": [10, 30, 20]}, "position": [-10, 0, -10]},
         {"shape": {"kind": "box", "size": [10, 30, 20]}, "position": [10, 0, -10]},
         {"shape": {"kind": "box", "size": [10, 10, 20]}, "position": [0, 10, -10]},
         {"shape": {"kind": "box", "size": [10, 10, 20]}, "position": [0, -10, -10]}]}},
      {"name": "bar", "material": "steel", "position": [0, 0, 2],
       "features": [{"name": "tip", "origin": [0, 0, 0], "direction": [0, 0, -1]}],
       "shape": {"kind": "compound", "children": [{"position": [0, 0, 15]}]}}],
    "hands": [{"name": "right", "position": [0, 0, 20], "script": [
      {"at_s": 0, "grab": "bar"}, {"at_s": 0, "move": {"frame": "part"}}, {"at_s": 1, "move": {"frame": "part"}}]}],
    "goals": [{"part": "bar", "into": "frame", "pose": {"position": [0, 0, -12]}, "along": [0, 0, -1], "depth": 12,
               "depth_tolerance": 0.2, "tolerance": 0.1, "tilt_tolerance_deg": 1}]})");
  scene["material_pairs"][0]["friction"] = friction;
  scene["parts"][1]["shape"]["children"][0]["shape"] = {{"kind", "box"}, {"size", {width, width, 30}}};
  const Json rotation = {{"axis", {0, 0, 1}}, {"angle_deg", turn_deg}};
  scene["parts"][1]["rotation"] = rotation;
  for (const int k : {1, 2}) {
    Json& move = scene["hands"][0]["script"][static_cast<std::size_t>(k)]["move"];
    move["position"] = {0, 0, k == 1 ? 2 : -12};
    move["rotation"] = rotation;
  }
  return scene;
}

class PoseGoalOutcome : public testing::Test {
 protected:
  TemporaryFolder folder_;

  std::string run(const Json& scene, int exitCode) {
    const auto outcome = runTenon({"run", writtenTo(folder_ / "bar.json", scene)});
    EXPECT_EQ(outcome.exitCode, exitCode) << outcome.err;
    return outcome.out;
  }
  /// The goal of a run that does not reach it.
  Json goalOf(const Json& scene) {
    const auto outcome = runTenon({"run", writtenTo(folder_ / "bar.json", scene), "--json"});
    EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
    return Json::parse(outcome.out)["goals"][0];
  }
};

TEST_F(PoseGoalOutcome, APartAtItsPoseIsInserted) {
  const std::string text = run(barScene(9.9, 0, 0.1), 0);
  EXPECT_NE(text.find("bar into frame/place of bar  inserted  12.000 mm of 12.000 mm"), std::string::npos)
      << text;
}

TEST_F(PoseGoalOutcome, APartAtItsPlaceButTurnedByAQuarterIsNot) {
  const std::string text = run(barScene(9.9, 90, 0.1), 1);
  EXPECT_NE(text.find("but turned by 90° where 1° is allowed"), std::string::npos) << text;
}

TEST_F(PoseGoalOutcome, ABarThatIsTooWideIsBlocked) {
  const std::string text = run(barScene(10.1, 0, 0.1), 1);
  EXPECT_NE(text.find("so the opening is too narrow for it there"), std::string::npos) << text;
  EXPECT_NE(text.find("blocked: it stands"), std::string::npos) << text;
  EXPECT_NE(text.find("mostly the surfaces themselves resist"), std::string::npos) << text;
}

TEST_F(PoseGoalOutcome, ABarThatIsTurnedRestsOnTheFaceAndHasToTurnBack) {
  const Json goal = goalOf(barScene(9.9, 6, 0.1));
  EXPECT_EQ(goal["contact_state"], "on-face");
  const Json& diagnosis = goal["diagnosis"];
  EXPECT_EQ(diagnosis["cause"], "face-across");
  EXPECT_NEAR(diagnosis["turn_rad"][2].get<double>(), 6 * std::numbers::pi / 180, 1e-3);
  double resistance = 0;
  for (const Json& contact : diagnosis["contacts"]) {
    EXPECT_EQ(contact["hole_surface"], "face across");
    EXPECT_NEAR(contact["normal"][2].get<double>(), 1, 1e-9);
    EXPECT_NEAR(contact["position_m"][2].get<double>(), 0, 1e-9);
    resistance += contact["normal_force_n"].get<double>();
  }
  EXPECT_NEAR(resistance, diagnosis["load_along_n"].get<double>(), 1e-3);
  const std::string text = goal["explanation"];
  EXPECT_NE(text.find("to its place: turn it by 6° about -z"), std::string::npos) << text;
}

// A socket has no rotation about its axis.
TEST_F(PoseGoalOutcome, ABarThatIsTurnedAboveASocketIsNotAtItsPlace) {
  Json scene = barScene(9.9, 6, 0.1);
  scene["goals"] = {
      {{"part", "bar"}, {"feature", "tip"}, {"into", "frame"}, {"hole", "square"}, {"depth", 12}}};
  const Json goal = goalOf(scene);
  EXPECT_EQ(goal["diagnosis"]["cause"], "face-across");
  const std::string text = goal["explanation"];
  EXPECT_NE(text.find("but for a rotation about it, which the goal does not define"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("too narrow"), std::string::npos) << text;
}

TEST_F(PoseGoalOutcome, ARoughBarThatIsTiltedIsHeldAtTwoPoints) {
  Json scene = barScene(9.9, 0, 0.9);
  Json& script = scene["hands"][0]["script"];
  const Json upright = {{"at_s", 0.5}, {"move", {{"frame", "part"}, {"position", {0, 0, -3}}}}};
  script.insert(script.begin() + 2, upright);
  script[3]["move"]["position"] = {1.5, 0, -9};
  script[3]["move"]["rotation"] = {{"axis", {0, 1, 0}}, {"angle_deg", 6}};
  const Json goal = goalOf(scene);
  EXPECT_EQ(goal["verdict"], "jammed");
  ASSERT_EQ(goal["contact_state"], "two-point");
  const Json& wedging = goal["diagnosis"]["wedging"];
  // Between an edge of the bar and a wall, across the slanting bar: ℓ sin θ = D cos θ − w for an opening D
  // and a bar w, whatever the forces.
  const double tilt = goal["diagnosis"]["tilt_rad"], length = wedging["length_m"];
  EXPECT_GT(tilt, 1e-3);
  EXPECT_NEAR(length * std::sin(tilt), 0.01 * std::cos(tilt) - 0.0099, 1e-8);
  EXPECT_NEAR(wedging["width_m"].get<double>(), 0.01, 1e-8)
      << "both contacts are on the walls of the opening";
  EXPECT_EQ(wedging["wedging_possible"].get<bool>(), length < 0.9 * 0.01);
  EXPECT_EQ(goal["diagnosis"]["cause"], length < 0.9 * 0.01 ? "wedged" : "jammed");
}

TEST_F(PoseGoalOutcome, ASocketTakesTheTipOfABar) {
  Json scene = barScene(9.9, 90, 0.1);
  scene["goals"] = {{{"part", "bar"},
                     {"feature", "tip"},
                     {"into", "frame"},
                     {"hole", "square"},
                     {"depth", 12},
                     {"depth_tolerance", 0.2},
                     {"tilt_tolerance_deg", 1}}};
  const std::string text = run(scene, 0);
  EXPECT_NE(text.find("bar into frame/square  inserted"), std::string::npos) << text;
}

}  // namespace
}  // namespace tenon::runtime
