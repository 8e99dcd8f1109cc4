// Verdicts as a person meets them: in the table of a run, its JSON, the record and what is exported from it.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "content/model/build_world.h"
#include "content/reader/load_scene.h"
#include "runtime/record/read_operations.h"
#include "runtime/record/session_reader.h"
#include "tests/runtime/goal_scenes.h"
#include "tests/support/program_run.h"

namespace tenon::runtime {
namespace {

using tests::addGoal;
using tests::addHand;
using tests::dowelAt;
using Json = nlohmann::json;
using tests::Outcome;
using tests::plateScene;
using tests::runTenon;
using tests::screwAt;
using tests::TemporaryFolder;
using tests::writtenTo;

std::string contentOf(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

Json goalOf(const std::string& scene) {
  return Json::parse(runTenon({"run", scene, "--json"}).out).at("goals").at(0);
}

class GoalScenes : public testing::Test {
 protected:
  TemporaryFolder folder_;

  std::string write(const Json& scene) { return writtenTo(folder_ / "scene.json", scene); }
  Json droppedDowel() {
    Json scene = plateScene(0.5);
    addGoal(scene, dowelAt(0, 1), "left", 12, 0.1);
    return scene;
  }
};

TEST_F(GoalScenes, ADowelThatFallsThroughIsTooDeepInEveryResult) {
  const std::string scene = write(droppedDowel());
  const Outcome run =
      runTenon({"run", scene, "--record", folder_ / "s.tenon", "--report", folder_ / "report.md"});
  EXPECT_EQ(run.exitCode, 1);
  EXPECT_NE(run.out.find("too-deep  26.000 mm of 12.000 mm"), std::string::npos) << run.out;
  EXPECT_NE(
      run.out.find("too deep: the tip is 26.00 mm deep, 14.00 mm deeper than the goal's 12.00 mm ± 0.10 mm"),
      std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("goal not reached"), std::string::npos);
  EXPECT_NE(contentOf(folder_ / "report.md").find("too-deep"), std::string::npos);
  const Json goal = goalOf(scene);
  EXPECT_EQ(goal.at("verdict"), "too-deep");
  EXPECT_NEAR(goal.at("depth_m").get<double>(), 0.026, 1e-8);
  EXPECT_EQ(runTenon({"run", scene, "--json"}).exitCode, 1);

  const Outcome shown = runTenon({"replay", folder_ / "s.tenon", "--text"});
  EXPECT_NE(shown.out.find("too-deep"), std::string::npos) << shown.out;
  EXPECT_EQ(runTenon({"replay", folder_ / "s.tenon", "--verify"}).exitCode, 0);
  ASSERT_EQ(
      runTenon({"export", folder_ / "s.tenon", "--format", "json", "--out", folder_ / "s.json"}).exitCode, 0);
  const Json exported = Json::parse(contentOf(folder_ / "s.json"));
  EXPECT_EQ(exported.at("operations").at(0).at("verdict"), "too-deep");
  EXPECT_NEAR(exported.at("operations").at(0).at("depth_error_m").get<double>(), 0.014, 1e-8);
  int reported = 0;
  for (const Json& event : exported.at("events")) {
    EXPECT_NE(event.at("kind"), "seated") << "it was never in place";
    reported += event.at("kind") == "verdict" && event.at("text") == "too-deep" ? 1 : 0;
  }
  EXPECT_EQ(reported, 1);
  ASSERT_EQ(
      runTenon({"export", folder_ / "s.tenon", "--format", "html", "--out", folder_ / "s.html"}).exitCode, 0);
  const std::string page = contentOf(folder_ / "s.html");
  EXPECT_NE(page.find("class='bad'>too-deep"), std::string::npos);
  EXPECT_EQ(page.find("Seated, "), std::string::npos);
}

TEST_F(GoalScenes, APinOnTheBenchHasNoDepthInAHole) {
  Json scene = plateScene(0.2);
  addGoal(scene, dowelAt(165, -26), "right", 12, 0.1);
  const std::string file = write(scene);
  const Json goal = goalOf(file);
  EXPECT_EQ(goal.at("verdict"), "pending");
  EXPECT_EQ(goal.at("depth_m"), 0);
  EXPECT_FALSE(goal.at("diagnosis").at("at_hole"));
  EXPECT_NE(goal.at("explanation").get<std::string>().find("beside the hole, 125.00 mm off its axis"),
            std::string::npos)
      << goal.at("explanation");
}

TEST_F(GoalScenes, ACurveBeginsWithinTheMouthsCatch) {
  // The hand carries the screw past the plate's side, with its tip below the mouth, before it goes in.
  Json scene = plateScene(3, -40);
  addGoal(scene, screwAt(0, 31), "left", 30, 0.05);
  addHand(scene, 0, 31, -0.2, 0, true);
  Json& script = scene["hands"][0]["script"];
  const auto to = [](double x, double z) { return Json{{"frame", "part"}, {"position", {x, 0, z}}}; };
  const Json waypoints = {{{"at_s", 0.1}, {"move", to(130, 31)}},
                          {{"at_s", 0.2}, {"move", to(130, 10)}},
                          {{"at_s", 0.3}, {"move", to(130, 31)}}};
  script.insert(script.begin() + 1, waypoints.begin(), waypoints.end());
  const std::string file = write(scene);
  ASSERT_EQ(runTenon({"run", file, "--record", folder_ / "s.tenon"}).exitCode, 0);
  SessionReader session(folder_ / "s.tenon");
  const content::Scene read = content::loadScene(file);
  const Operation operation =
      operationsOf(session, read, content::buildWorld(read, {}), [](const Keyframe&) {}).at(0);
  EXPECT_EQ(operation.verdict, "inserted");
  ASSERT_GT(operation.curve.size(), 20U);
  EXPECT_GT(operation.curve.front().time, 0.3);
  EXPECT_LT(operation.curve.front().depth, 0);
  EXPECT_NEAR(operation.depthError, 0, 5e-5);
}

TEST_F(GoalScenes, AScrewThatAHandLeansIsNotJammedAndInsertedOnRelease) {
  int number = 0;
  for (const double tilt : {1.0, 2.0, 4.0})
    for (const double push : {-2.0, -0.5}) {  // the hand's target is so far below the seat [mm]
      Json scene = plateScene(2.4, -40);
      addGoal(scene, screwAt(0, 2), "left", 30, 0.05);
      addHand(scene, 0, 1, push, tilt, true);
      const Json held = goalOf(write(scene));
      SCOPED_TRACE(testing::Message() << tilt << "° " << push << " mm: " << held.at("explanation"));
      EXPECT_EQ(held.at("verdict"), "pending");
      EXPECT_GT(held.at("max_push_n"), 0.2);
      EXPECT_LT(held.at("depth_m"), 0.03);
      scene["duration_s"] = 3;
      const std::string record = folder_ / (std::to_string(++number) + ".tenon");
      const Outcome run = runTenon({"run", write(scene), "--record", record});
      EXPECT_EQ(run.exitCode, 0) << run.out;
      ASSERT_EQ(runTenon({"export", record, "--format", "json", "--out", record + ".json"}).exitCode, 0);
      EXPECT_EQ(Json::parse(contentOf(record + ".json")).at("operations").at(0).at("jams"), 0);
    }
}

TEST_F(GoalScenes, AScrewThatAHandTwistsTightAboveItsSeatIsJammed) {
  // The hand turns it by 8° and its target is 0.3 mm above the seat: two points and friction hold it 0.7 mm
  // above.
  Json scene = plateScene(2.5, -40);
  addGoal(scene, screwAt(0, 2), "left", 30, 0.05);
  addHand(scene, 0, 1, 0.3, 8, false);
  const Json goal = goalOf(write(scene));
  EXPECT_EQ(goal.at("verdict"), "jammed") << goal.at("explanation");
  EXPECT_EQ(goal.at("diagnosis").at("cause"), "jammed");
  EXPECT_FALSE(goal.at("diagnosis").at("leans"));
}

TEST_F(GoalScenes, AScrewInTheWrongHoleNamesTheRightOne) {
  Json scene = plateScene(2.5, -40);
  addGoal(scene, screwAt(40, 31), "left", 30, 0.05);
  addHand(scene, 40, 1, -0.5, 0, false);
  const Json goal = goalOf(write(scene));
  EXPECT_EQ(goal.at("verdict"), "blocked");
  EXPECT_EQ(goal.at("depth_m"), 0);
  EXPECT_EQ(goal.at("explanation"),
            "blocked: the part is in the hole plate/right, 40.00 mm beside the axis of its own, left; its "
            "head rests on the mouth face");
}

}  // namespace
}  // namespace tenon::runtime
