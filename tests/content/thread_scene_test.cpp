// Scenes with threads in place of what joints and goals had before, and hands that turn screws.
#include <gtest/gtest.h>

#include <numbers>

#include "small_scene.h"
#include "tests/content/mesh_samples.h"
#include "tests/support/scene_mistakes.h"

namespace tenon::content::test::thread_scene_test {
namespace {

using nlohmann::json;

/// A plate with a thread in its upper face, and a screw above it.
const char* const kScene = R"({
  "tenon": 1, "title": "screw", "unit": "mm", "duration_s": 1,
  "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
  "parts": [
    {"name": "plate", "motion": "fixed", "position": [0, 0, -20],
     "shape": {"kind": "block", "size": [60, 60, 50], "holes": [{"name": "M8", "at": [10, 0], "depth": 20, "thread": {"size": "M8"}}]}},
    {"name": "screw", "material": "steel", "standard": "ISO 4762 M8x20", "position": [10, 0, 50]}],
  "joints": [{"name": "spindle", "kind": "helical", "part": "screw", "pitch": 1.25}],
  "hands": [{"name": "right", "position": [10, 0, 60], "script": [
    {"at_s": 0.1, "grab": "screw"},
    {"at_s": 0.2, "move": {"frame": "part", "position": [10, 0, 26]}},
    {"at_s": 0.5, "move": {"frame": "part", "position": [10, 0, 25], "turn": {"axis": [0, 0, -2], "turns": 3.25}}}]}],
  "goals": [{"part": "screw", "feature": "tip", "into": "plate", "hole": "M8", "turns": 3, "torque_nm": 2,
    "tilt_tolerance_deg": 1}]
})";

TEST(ThreadScene, aTurnStartsFromThePreviousPose) {
  const Waypoint last = parsed(json::parse(kScene)).hands.at(0).script.at(2);
  EXPECT_LT((last.rotationVector - physics::Vector3d(0, 0, -3.25 * 2 * std::numbers::pi)).norm(), 1e-12);
  const Eigen::AngleAxisd quarter(-std::numbers::pi / 2, physics::Vector3d::UnitZ());
  EXPECT_LT(last.X_W->q.angularDistance(physics::Quaterniond(quarter)), 1e-14);
}

// A fit widens cylinders, and a real thread has none of its nominal diameter.
TEST(ThreadScene, aFitOnAThreadedScrewNamesTheRemedy) {
  json scene = json::parse(kScene);
  scene["parts"][0]["shape"]["holes"][0] = {{"name", "M8"}, {"at", {10, 0}}, {"depth", 20}, {"diameter", 8}};
  json& goal = scene["goals"][0];
  goal.erase("turns");
  goal.erase("torque_nm");
  goal.update({{"depth", 15}, {"depth_tolerance", 0.1}, {"fit", "H7/g6"}});
  const std::string error = errorFrom([&] { parsed(scene); });
  EXPECT_NE(error.find("/goals/0/fit"), std::string::npos) << error;
  EXPECT_NE(error.find("set \"thread\": false on the part"), std::string::npos) << error;
  scene["parts"][1]["thread"] = false;
  EXPECT_EQ(errorFrom([&] { parsed(scene); }), "");
}

TEST(ThreadScene, screwsWithTheSameThreadShareOneDisplayMesh) {
  json scene = json::parse(kScene);
  json other = scene["parts"][1];
  other["name"] = "other";
  other["position"] = {-10, 0, 50};
  json left = other;
  left["name"] = "left";
  left["position"] = {-10, 20, 50};
  left["thread"] = {{"left_handed", true}};
  scene["parts"].push_back(other);
  scene["parts"].push_back(left);
  const Scene read = parsed(scene);
  ASSERT_TRUE(read.parts[1].displayMesh && read.parts[3].displayMesh);
  EXPECT_EQ(read.parts[1].displayMesh, read.parts[2].displayMesh);
  EXPECT_NE(read.parts[1].displayMesh, read.parts[3].displayMesh);
}

TEST(ThreadScene, aProofLoadIsAboveThePreload) {
  json scene = json::parse(kScene);
  scene["goals"][0]["proof_load_n"] = 21200;
  EXPECT_EQ(parsed(scene).goals.at(0).proofLoad, 21200);
  EXPECT_EQ(parsed(json::parse(kScene)).goals.at(0).proofLoad, 0);
  scene["goals"][0]["preload_n"] = 21200;
  const std::string error = errorFrom([&] { parsed(scene); });
  EXPECT_NE(error.find("/goals/0/proof_load_n"), std::string::npos) << error;
  EXPECT_NE(error.find("no more than \"preload_n\", 21200 N"), std::string::npos) << error;
}

TEST(ThreadScene, errorsAreReportedWithTheirPointer) {
  tests::expectErrors(
      json::parse(kScene), "small.json",
      {
          {"a joint that is a thread",
           "/joints/0/thread",
           R"({"hole": "M8", "feature": "tip", "length": 15, "tightening_nm": 8})",
           "/joints/0/thread",
           {"no field of a joint", "remove the joint", "\"thread\"", "\"turns\"", "\"torque_nm\""}},
          {"a goal that is tight",
           "/goals/0",
           R"({"part": "screw", "feature": "tip", "into": "plate", "hole": "M8", "depth": 15,
            "depth_tolerance": 0.1, "tilt_tolerance_deg": 1, "tight": true})",
           "/goals/0/tight",
           {"no field of a goal", "\"turns\"", "\"torque_nm\""}},
          {"a proof load without turns",
           "/goals/0",
           R"({"part": "screw", "feature": "tip", "into": "plate", "hole": "M8", "depth": 15,
            "depth_tolerance": 0.1, "tilt_tolerance_deg": 1, "proof_load_n": 20000})",
           "/goals/0/proof_load_n",
           {"without \"turns\""}},
          {"a turn and a rotation",
           "/hands/0/script/2/move/rotation",
           R"({"axis": [0, 0, 1], "angle_deg": 1})",
           "/hands/0/script/2/move/rotation",
           {"turn"}},
          {"turned about nothing",
           "/hands/0/script/2/move/turn/axis",
           "[0, 0, 0]",
           "/hands/0/script/2/move/turn/axis",
           {"no length"}},
          {"turned from another frame",
           "/hands/0/script/1/move/frame",
           "\"hand\"",
           "/hands/0/script/2/move/turn",
           {"frame"}},
          {"too many turns",
           "/hands/0/script/2/move/turn/turns",
           "1e6",
           "/hands/0/script/2/move/turn/turns",
           {"10000"}},
      },
      [](const std::string& text) { return errorFor(text); });
}

}  // namespace
}  // namespace tenon::content::test::thread_scene_test
