// What `tenon check` says of joints and of what bounces.
#include "runtime/assess/scene_survey.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "tests/runtime/goal_scene.h"

namespace tenon::runtime {
namespace {

using physics::JointKind;

/// The hand-made scene with its peg joined to the plate.
content::Scene joinedScene(JointKind kind) {
  content::Scene scene = tests::goalScene();
  content::Joint joint;
  joint.name = "thread";
  joint.kind = kind;
  joint.part = 1;
  joint.to = 0;
  scene.joints = {joint};
  return scene;
}

std::string lineOf(const content::Scene& scene, const std::string& start) {
  const std::string text = toText(surveyOf(scene));
  const std::size_t at = text.find("  " + start);
  return at == text.npos ? text : text.substr(at, text.find('\n', at) - at);
}

TEST(SceneSurvey, namesEveryKindOfJointAsSceneFilesDo) {
  const std::pair<JointKind, const char*> kinds[] = {{JointKind::fixed, "fixed"},
                                                     {JointKind::ball, "ball"},
                                                     {JointKind::hinge, "hinge"},
                                                     {JointKind::slider, "slider"},
                                                     {JointKind::cylindrical, "cylindrical"},
                                                     {JointKind::helical, "helical"}};
  for (const auto& [kind, name] : kinds) EXPECT_EQ(surveyOf(joinedScene(kind)).joints.at(0).kind, name);
}

TEST(SceneSurvey, tellsLimitsAndPitchInMillimetresAndDegrees) {
  content::Scene scene = joinedScene(JointKind::helical);
  scene.joints[0].pitch = -0.00125;
  scene.joints[0].travel = {-0.002, 0.005};
  scene.joints[0].collides = true;
  EXPECT_EQ(lineOf(scene, "thread"), "  thread  helical  peg  plate  -2.000 mm … 5.000 mm  -1.25 mm  yes");
  scene.joints[0].kind = JointKind::cylindrical;
  scene.joints[0].angle = {-0.5 * std::numbers::pi, 0};
  EXPECT_EQ(lineOf(scene, "thread"),
            "  thread  cylindrical  peg  plate  -90.000° … 0.000°, -2.000 mm … 5.000 mm  -      yes");
  scene.joints[0] = joinedScene(JointKind::ball).joints[0];
  scene.joints[0].to = -1;
  EXPECT_EQ(lineOf(scene, "thread"), "  thread  ball  peg  the world  -       -      no");
}

TEST(SceneSurvey, givesJointsInJsonInSiUnits) {
  content::Scene scene = joinedScene(JointKind::helical);
  scene.joints[0].pitch = 0.002;
  scene.joints[0].travel = {-0.002, 0.005};
  const auto json = nlohmann::json::parse(toJson(surveyOf(scene))).at("joints").at(0);
  EXPECT_EQ(json, nlohmann::json::parse(R"({"name": "thread", "kind": "helical", "part": "peg", "to": "plate",
                  "angle_rad": null, "travel_m": [-0.002, 0.005], "pitch_m": 0.002, "collides": false})"));
  scene.joints[0] = joinedScene(JointKind::hinge).joints[0];
  scene.joints[0].to = -1;
  scene.joints[0].angle = {-1, 0.5};
  const auto hinge = nlohmann::json::parse(toJson(surveyOf(scene))).at("joints").at(0);
  EXPECT_TRUE(hinge.at("to").is_null());
  EXPECT_TRUE(hinge.at("pitch_m").is_null());
  EXPECT_EQ(hinge.at("angle_rad"), (nlohmann::json{-1.0, 0.5}));
}

TEST(SceneSurvey, saysNothingOfJointsWhereThereAreNone) {
  const SceneSurvey survey = surveyOf(tests::goalScene());
  EXPECT_EQ(toText(survey).find("joint"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(toJson(survey)).at("joints"), nlohmann::json::array());
}

TEST(SceneSurvey, tellsRestitutionWhereAPairBounces) {
  content::Scene scene = tests::goalScene();
  EXPECT_EQ(toText(surveyOf(scene)).find("restitution"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(toJson(surveyOf(scene))).at("goals").at(0).at("restitution"), 0);
  scene.materials = {{"oak", 700}};
  for (content::Part& part : scene.parts) part.material = 0;
  scene.pairs = {{.a = 0, .b = 0, .friction = 0.3, .restitution = 0.25}};
  const std::string text = toText(surveyOf(scene));
  EXPECT_NE(text.find("friction  stiffness  restitution\n"), std::string::npos) << text;
  EXPECT_NE(text.find("0.3       rigid      0.25\n"), std::string::npos) << text;
  EXPECT_EQ(nlohmann::json::parse(toJson(surveyOf(scene))).at("goals").at(0).at("restitution"), 0.25);
}

}  // namespace
}  // namespace tenon::runtime
