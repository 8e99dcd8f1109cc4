// What `tenon check` says of joints and of what bounces.
#include "runtime/report/scene_survey.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
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
  if (kind == JointKind::helical) joint.pitch = 0.001;
  scene.joints = {joint};
  scene.parts[1].mass.inertia = 1e-5 * physics::Matrix3d::Identity();
  return scene;
}

/// With the joint's frames on each other, as they are in a scene that was read.
SceneSurvey surveyOfRead(content::Scene scene) {
  content::Joint& joint = scene.joints[0];
  const physics::Pose X_WA = joint.to >= 0 ? scene.part(joint.to).X_WP : physics::Pose();
  joint.X_PA = X_WA.inverse() * scene.parts[1].X_WP * joint.X_PB;
  return surveyOf(scene);
}

std::string lineOf(const content::Scene& scene, const std::string& start) {
  const std::string text = toText(surveyOfRead(scene));
  const std::size_t at = text.find("  " + start);
  return at == text.npos ? text : text.substr(at, text.find('\n', at) - at);
}

/// What the line of the joint begins and ends with; between them its place and axis.
void expectLine(const content::Scene& scene, const std::string& begin, const std::string& end) {
  const std::string line = lineOf(scene, "thread");
  EXPECT_TRUE(line.starts_with(begin)) << line;
  EXPECT_TRUE(line.ends_with(end)) << line;
}

TEST(SceneSurvey, givesPositionAndAxisOfAJointInTheWorld) {
  content::Scene scene = joinedScene(JointKind::slider);
  scene.parts[1].X_WP = {physics::exponential(physics::Vector3d(0, 0.5 * std::numbers::pi, 0)),
                         {0.001, 0, 0.25}};
  scene.joints[0].X_PB.p = {0, 0, 0.01};
  EXPECT_NE(lineOf(scene, "thread").find("  11 0 250  1 0 0  "), std::string::npos)
      << lineOf(scene, "thread");
  scene.joints[0].kind = JointKind::fixed;
  EXPECT_NE(lineOf(scene, "thread").find("  11 0 250  -  "), std::string::npos) << lineOf(scene, "thread");
}

TEST(SceneSurvey, namesEveryKindOfJointAsSceneFilesDo) {
  const std::pair<JointKind, const char*> kinds[] = {{JointKind::fixed, "fixed"},
                                                     {JointKind::ball, "ball"},
                                                     {JointKind::hinge, "hinge"},
                                                     {JointKind::slider, "slider"},
                                                     {JointKind::cylindrical, "cylindrical"},
                                                     {JointKind::helical, "helical"}};
  for (const auto& [kind, name] : kinds) EXPECT_EQ(surveyOfRead(joinedScene(kind)).joints.at(0).kind, name);
}

TEST(SceneSurvey, givesLimitsAndPitchInMillimetresAndDegrees) {
  content::Scene scene = joinedScene(JointKind::helical);
  scene.joints[0].pitch = -0.00125;
  scene.joints[0].travel = {-0.002, 0.005};
  scene.joints[0].collides = true;
  expectLine(scene, "  thread  helical  peg  plate  ", "  -2.000 mm … 5.000 mm  -1.25 mm  0         yes");
  scene.joints[0].kind = JointKind::cylindrical;
  scene.joints[0].angle = {-0.5 * std::numbers::pi, 0};
  expectLine(scene, "  thread  cylindrical  peg  plate  ",
             "  -90.000° … 0.000°, -2.000 mm … 5.000 mm  -      -         yes");
  scene.joints[0] = joinedScene(JointKind::ball).joints[0];
  scene.joints[0].to = -1;
  expectLine(scene, "  thread  ball  peg  the world  ", "  -     -       -      -         no");
}

TEST(SceneSurvey, countsTheDegreesOfFreedomOfJointedParts) {
  content::Scene scene = joinedScene(JointKind::hinge);
  EXPECT_NE(toText(surveyOfRead(scene)).find("\"peg\"          1       1                   -\n"),
            std::string::npos)
      << toText(surveyOfRead(scene));
  scene.joints[0].kind = JointKind::fixed;
  EXPECT_NE(toText(surveyOfRead(scene)).find("\"peg\"          1       0                   -\n"),
            std::string::npos)
      << toText(surveyOfRead(scene));
  const auto json = nlohmann::json::parse(toJson(surveyOfRead(scene))).at("mechanisms");
  EXPECT_EQ(json,
            nlohmann::json::parse(R"([{"parts": ["peg"], "joints": 1, "freedom": 0, "redundant": 0}])"));
}

TEST(SceneSurvey, givesJointsInJsonInSiUnits) {
  content::Scene scene = joinedScene(JointKind::helical);
  scene.joints[0].pitch = 0.002;
  scene.joints[0].travel = {-0.002, 0.005};
  auto json = nlohmann::json::parse(toJson(surveyOfRead(scene))).at("joints").at(0);
  EXPECT_EQ(json.at("axis"), (nlohmann::json{0.0, 0.0, 1.0}));
  EXPECT_EQ(json.at("position_m").size(), 3u);
  json.erase("axis");
  json.erase("position_m");
  EXPECT_EQ(json, nlohmann::json::parse(R"({"name": "thread", "kind": "helical", "part": "peg", "to": "plate",
                  "angle_rad": null, "travel_m": [-0.002, 0.005], "pitch_m": 0.002, "diameter_m": null, "friction": 0, "collides": false})"));
  scene.joints[0].diameter = 0.008;
  scene.joints[0].travel.low = -std::numeric_limits<double>::infinity();
  json = nlohmann::json::parse(toJson(surveyOfRead(scene))).at("joints").at(0);
  EXPECT_EQ(json.at("diameter_m"), 0.008);
  EXPECT_TRUE(json.at("travel_m").at(0).is_null());
  EXPECT_NE(toText(surveyOfRead(scene)).find("… 5.000 mm"), std::string::npos) << toText(surveyOfRead(scene));
  EXPECT_EQ(toText(surveyOfRead(scene)).find("inf"), std::string::npos) << toText(surveyOfRead(scene));
  scene.joints[0] = joinedScene(JointKind::hinge).joints[0];
  scene.joints[0].to = -1;
  scene.joints[0].angle = {-1, 0.5};
  const auto hinge = nlohmann::json::parse(toJson(surveyOfRead(scene))).at("joints").at(0);
  EXPECT_TRUE(hinge.at("to").is_null());
  EXPECT_TRUE(hinge.at("pitch_m").is_null());
  EXPECT_EQ(hinge.at("angle_rad"), (nlohmann::json{-1.0, 0.5}));
}

TEST(SceneSurvey, omitsJointsWhereThereAreNone) {
  const SceneSurvey survey = surveyOf(tests::goalScene());
  EXPECT_EQ(toText(survey).find("joint"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(toJson(survey)).at("joints"), nlohmann::json::array());
}

TEST(SceneSurvey, givesRestitutionWhereAPairBounces) {
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
