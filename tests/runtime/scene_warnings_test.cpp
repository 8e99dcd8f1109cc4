// Scenes that are valid and hopeless: `tenon check` and `tenon run` say so, and say nothing of good ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "content/reader/load_scene.h"
#include "runtime/report/scene_warnings.h"
#include "tests/support/program_run.h"

namespace tenon::tests::scene_warnings_test {
namespace {

using Json = nlohmann::json;
using runtime::sceneWarnings;

/// A hand takes an Ø 10 pin, 30 mm long, from a block to a hole of Ø 10.1 in it, 20 mm deep, in 3.5 s of 4.
Json pinScene() {
  return Json::parse(R"({"tenon": 1, "title": "pin", "unit": "mm", "duration_s": 4,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "material_pairs": [{"materials": ["steel", "steel"], "friction": 0.1}],
    "parts": [
      {"name": "block", "material": "steel", "motion": "fixed", "position": [0, 0, -20],
       "shape": {"kind": "block", "size": [100, 100, 40], "holes": [
         {"name": "hole", "diameter": 10.1, "chamfer": {"width": 1.5, "angle_deg": 45}, "at": [0, 0],
          "depth": 30}]}},
      {"name": "pin", "material": "steel", "position": [30, 0, 0],
       "shape": {"kind": "turned", "profile": [[0, 0], [0, 4.5], [0.5, 5], [30, 5], [30, 0]]},
       "features": [{"name": "tip", "origin": [0, 0, 0], "direction": [0, 0, -1]}]}],
    "hands": [{"name": "right", "position": [30, 0, 20], "script": [
      {"at_s": 0.5, "grab": "pin"},
      {"at_s": 1, "move": {"frame": "part", "position": [30, 0, 5]}},
      {"at_s": 2, "move": {"frame": "part", "position": [0, 0, 5]}},
      {"at_s": 3, "move": {"frame": "part", "position": [0, 0, -20.1]}},
      {"at_s": 3.5, "release": true}]}],
    "goals": [{"part": "pin", "feature": "tip", "into": "block", "hole": "hole", "depth": 20,
               "depth_tolerance": 0.5, "tilt_tolerance_deg": 1}]})");
}

content::Scene read(const Json& document) {
  return content::parseScene(document.dump(), "pin.json");
}

std::string only(const std::vector<std::string>& warnings) {
  EXPECT_EQ(warnings.size(), 1u);
  return warnings.empty() ? "" : warnings[0];
}

void expectOnly(const Json& document, const std::string& words) {
  const std::string warning = only(sceneWarnings(read(document)));
  EXPECT_NE(warning.find(words), std::string::npos) << warning;
}

Json& holeOf(Json& document) {
  return document["parts"][0]["shape"]["holes"][0];
}

TEST(SceneWarnings, AGoodSceneHasNone) {
  EXPECT_TRUE(sceneWarnings(read(pinScene())).empty());
}

TEST(SceneWarnings, ShippedScenesHaveNone) {
  std::set<std::filesystem::path> scenes;
  for (const auto& entry : std::filesystem::directory_iterator(TENON_SOURCE_DIR "/content/scenes"))
    if (entry.path().extension() == ".json") scenes.insert(entry.path());
  ASSERT_GE(scenes.size(), 20u);
  for (const auto& scene : scenes)
    for (const std::string& warning : sceneWarnings(content::loadScene(scene.string())))
      ADD_FAILURE() << scene << ": " << warning;
}

TEST(SceneWarnings, APinFarWiderThanItsHoleIsNoPressFit) {
  Json document = pinScene();
  document["material_pairs"][0]["stiffness_n_per_m"] = 5e8;
  EXPECT_TRUE(sceneWarnings(read(document)).empty()) << "clearance";
  holeOf(document)["diameter"] = 9.99;
  document["hands"][0]["max_force_n"] = 1000;
  EXPECT_TRUE(sceneWarnings(read(document)).empty()) << "10 µm, which takes 250 N";
  holeOf(document)["diameter"] = 8;
  expectOnly(document, "interference of 2 mm, 25 % of the diameter");
}

TEST(SceneWarnings, APressFitThatTheHandCannotPushInIsNamedWithBothForces) {
  Json document = pinScene();
  document["material_pairs"][0]["stiffness_n_per_m"] = 5e8;
  holeOf(document)["diameter"] = 9.98;
  expectOnly(document, "pushing it in takes 500 N or more, the hands have 150 N");
}

TEST(SceneWarnings, APressFitWithoutALeadInIsNamed) {
  Json document = pinScene();
  document["material_pairs"][0]["stiffness_n_per_m"] = 1e6;
  document["parts"][1]["shape"]["profile"] = Json::parse("[[0, 0], [0, 5], [30, 5], [30, 0]]");
  holeOf(document)["diameter"] = 9.99;
  EXPECT_TRUE(sceneWarnings(read(document)).empty()) << "the hole has a chamfer";
  holeOf(document).erase("chamfer");
  expectOnly(document, "without a lead-in: the end of Ø 10.000 rests on the mouth of Ø 9.990");
}

TEST(SceneWarnings, ADepthBeyondThePartsLengthIsNamed) {
  Json document = pinScene();
  holeOf(document)["depth"] = 38;
  document["goals"][0]["depth"] = 30.4;
  EXPECT_TRUE(sceneWarnings(read(document)).empty()) << "within the tolerance";
  document["goals"][0]["depth"] = 38;
  expectOnly(document, "the depth of 38 mm is more than pin can go in: it is 30 mm long");
}

TEST(SceneWarnings, AScriptBeyondTheEndIsNamedWithItsFirstLateEntry) {
  Json document = pinScene();
  document["duration_s"] = 2.5;
  expectOnly(
      document,
      "/hands/0/script/3: the right hand's script goes on until 3.5 s, after the end at 2.5 s: its last "
      "2 entries are not carried out");
  EXPECT_TRUE(sceneWarnings(read(document), 4).empty()) << "a longer run";
  document["duration_s"] = 3.5;
  EXPECT_TRUE(sceneWarnings(read(document)).empty());
}

TEST(SceneWarnings, ATimeLimitBeforeTheGrabIsNamed) {
  Json document = pinScene();
  document["goals"][0]["time_limit_s"] = 0.4;
  expectOnly(document, "/goals/0: the time limit of 0.4 s is over before a hand grabs pin, at 0.5 s");
}

TEST(SceneWarnings, APartTooHeavyForItsHandIsNamed) {
  Json document = pinScene();
  document["parts"][1]["mass"] = {{"mass_kg", 20}};
  EXPECT_TRUE(sceneWarnings(read(document)).empty()) << "the hand carries the weight";
  document["hands"][0]["carries_weight"] = false;
  expectOnly(document,
             "/hands/0/script/0: pin weighs 196 N, more than the right hand's max_force_n of 150 N");
}

TEST(SceneWarnings, AGrabFromBeyondTheReachIsNamedWithItsDistance) {
  Json document = pinScene();
  document["hands"][0]["position"] = {-375, 0, 20};
  expectOnly(document,
             "/hands/0/script/0: the right hand grabs pin from 400 mm away, beyond its reach of 50 mm");
  document["hands"][0]["position"] = {-24.9, 0, 20};
  EXPECT_TRUE(sceneWarnings(read(document)).empty()) << "49.9 mm from the pin's side";
}

TEST(SceneWarnings, TheReachOfAHandIsASetting) {
  Json document = pinScene();
  document["hands"][0]["position"] = {50, 0, 20};
  document["hands"][0]["reach"] = 14;
  expectOnly(document, "grabs pin from 15 mm away, beyond its reach of 14 mm");
  document["hands"][0]["reach"] = 15;
  EXPECT_TRUE(sceneWarnings(read(document)).empty());
  document["hands"][0]["reach"] = 0;
  EXPECT_THROW(read(document), content::InputError);
}

TEST(SceneWarnings, APartThatFallsBeforeItIsGrabbedIsLeftToTheRun) {
  Json document = pinScene();
  document["parts"][1]["position"] = {30, 0, 400};
  EXPECT_TRUE(sceneWarnings(read(document)).empty());
  document["gravity_m_per_s2"] = {0, 0, 0};
  expectOnly(document, "the right hand grabs pin from 380 mm away");
}

TEST(SceneWarnings, ASceneInMetresThatMeantMillimetresIsDoubted) {
  Json document = Json::parse(R"({"tenon": 1, "title": "box", "unit": "m", "duration_s": 1,
    "gravity_m_per_s2": [0, 0, 0],
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "parts": [{"name": "cube", "material": "steel", "shape": {"kind": "box", "size": [10, 10, 10]}}]})");
  expectOnly(document, "cube: it is 10 m long and weighs 7850 t");
  document["unit"] = "mm";
  EXPECT_TRUE(sceneWarnings(read(document)).empty());
}

TEST(SceneWarnings, AMeshReadInMetresIsDoubted) {
  const TemporaryFolder folder;
  std::ofstream(folder / "cube.obj")
      << "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 10 10 0\nv 0 0 10\nv 10 0 10\nv 0 10 10\n"
         "v 10 10 10\nf 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\n"
         "f 2 4 8 6\n";
  Json document = Json::parse(R"({"tenon": 1, "title": "cube", "unit": "mm", "duration_s": 1,
    "gravity_m_per_s2": [0, 0, 0],
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "parts": [{"name": "cube", "material": "steel",
               "shape": {"kind": "mesh", "file": "cube.obj", "unit": "m"}}]})");
  const auto warnings = [&] {
    return sceneWarnings(content::parseScene(document.dump(), folder / "cube.json"));
  };
  EXPECT_NE(only(warnings()).find("cube: cube.obj: unit looks like millimeters"), std::string::npos);
  document["parts"][0]["shape"]["unit"] = "mm";
  EXPECT_TRUE(warnings().empty());
}

/// Runs a command of the program on the scene, written to a file.
Outcome outcomeOf(const std::string& command, const Json& document,
                  const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  std::ofstream(folder / "pin.json") << document.dump();
  std::vector<std::string> arguments{command, folder / "pin.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return runTenon(arguments);
}

TEST(SceneWarnings, CheckListsThemAndDoesNotCallTheSceneValid) {
  EXPECT_NE(outcomeOf("check", pinScene()).out.find("\nValid: 2 parts"), std::string::npos);
  Json document = pinScene();
  document["duration_s"] = 2.5;
  const Outcome outcome = outcomeOf("check", document);
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("  warning: /hands/0/script/3: "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\n1 warning: 2 parts"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("sound"), std::string::npos) << outcome.out;
}

TEST(SceneWarnings, RunRepeatsThemOncePerLineAndInJson) {
  Json document = pinScene();
  document["duration_s"] = 2.5;
  document["hands"][0]["position"] = {-375, 0, 20};
  const Outcome outcome = outcomeOf("run", document, {"--json"});
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 2) << outcome.err;
  EXPECT_EQ(outcome.err.rfind("tenon: warning: /hands/0/script/3: ", 0), 0u) << outcome.err;
  const std::vector<std::string> warnings = Json::parse(outcome.out).at("warnings");
  EXPECT_EQ(warnings, sceneWarnings(read(document)));
  EXPECT_EQ(Json::parse(outcomeOf("run", pinScene(), {"--json"}).out).at("warnings"), Json::array());
}

TEST(SceneWarnings, RunFindsGrabsThatOnlyTheMotionPutsOutOfReach) {
  Json document = pinScene();
  document["duration_s"] = 6;
  // The pin is released in the air, and grabbed again where it was before it fell.
  document["hands"][0]["script"] = Json::parse(R"([
    {"at_s": 0.5, "grab": "pin"},
    {"at_s": 1.5, "move": {"frame": "part", "position": [30, 0, 300]}},
    {"at_s": 1.6, "release": true},
    {"at_s": 2, "move": {"frame": "hand", "position": [30, 0, 320]}},
    {"at_s": 3, "grab": "pin"}])");
  EXPECT_TRUE(sceneWarnings(read(document)).empty());
  const Outcome outcome = outcomeOf("run", document, {"--json"});
  const std::string warning = only(Json::parse(outcome.out).at("warnings"));
  EXPECT_EQ(warning.rfind("/hands/0/script/4: the right hand grabs pin from ", 0), 0u) << warning;
  EXPECT_EQ(outcome.err, "tenon: warning: " + warning + "\n");
}

}  // namespace
}  // namespace tenon::tests::scene_warnings_test
