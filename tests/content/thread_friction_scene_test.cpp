// Friction of screw joints in scene files: that of the material pair, at the pitch diameter.
#include <gtest/gtest.h>

#include "content/model/build_world.h"
#include "small_scene.h"
#include "tests/support/scene_mistakes.h"

namespace tenon::content::test {
namespace {

using nlohmann::json;

const char* const kScene = R"({
  "tenon": 1, "title": "screw", "unit": "mm", "duration_s": 1,
  "materials": [{"name": "steel", "density_kg_per_m3": 7850}, {"name": "brass", "density_kg_per_m3": 8500}],
  "material_pairs": [{"materials": ["steel", "brass"], "friction": 0.12}, {"materials": ["brass", "brass"], "friction": 0.3}],
  "parts": [
    {"name": "plate", "material": "steel", "motion": "fixed", "position": [0, 0, -20],
     "shape": {"kind": "block", "size": [60, 60, 50], "holes": [{"name": "M8", "at": [10, 0], "diameter": 8.4, "depth": 20}]}},
    {"name": "screw", "material": "brass", "standard": "ISO 4762 M8x20", "position": [10, 0, 50]},
    {"name": "pin", "material": "brass", "shape": {"kind": "cylinder", "diameter": 8, "length": 30}, "position": [-20, 0, 50],
     "features": [{"name": "tip", "origin": [0, 0, -15], "direction": [0, 0, -1]}]}],
  "joints": [{"name": "thread", "kind": "helical", "part": "screw", "to": "plate", "pitch": 1.25,
    "thread": {"hole": "M8", "feature": "tip", "length": 15, "tightening_nm": 8}}],
  "goals": [{"part": "screw", "feature": "tip", "into": "plate", "hole": "M8", "depth": 15, "depth_tolerance": 0.1,
    "tilt_tolerance_deg": 1, "tight": true}]
})";

physics::JointDescription jointOf(const json& document) {
  return buildWorld(parsed(document), {}).joint(physics::JointId{0});
}

TEST(ThreadFrictionScene, isThatOfTheTwoMaterialsAtThePitchDiameter) {
  const physics::JointDescription joint = jointOf(json::parse(kScene));
  EXPECT_DOUBLE_EQ(joint.friction, 0.12);
  EXPECT_NEAR(joint.pitchDiameter, 7.188e-3, 1e-6);  // ISO 724, M8
}

TEST(ThreadFrictionScene, usesTheHolesDiameterWithoutAStandardPart) {
  json document = json::parse(kScene);
  document["joints"][0]["part"] = "pin";
  document["goals"].clear();
  EXPECT_NEAR(jointOf(document).pitchDiameter, 7.588e-3, 1e-6);
  document["joints"][0]["diameter"] = 8;
  EXPECT_NEAR(jointOf(document).pitchDiameter, 7.188e-3, 1e-6);
}

TEST(ThreadFrictionScene, isThatOfThePartItselfInAThreadOfTheWorld) {
  json document = json::parse(kScene);
  document["goals"].clear();
  document["joints"][0] =
      json::parse(R"({"name": "spindle", "kind": "helical", "part": "pin", "pitch": 2, "diameter": 8})");
  EXPECT_DOUBLE_EQ(jointOf(document).friction, 0.3);
  document["joints"][0].erase("diameter");
  EXPECT_EQ(jointOf(document).friction, 0);
}

TEST(ThreadFrictionScene, aTightGoalHasItsScrewJoint) {
  json document = json::parse(kScene);
  EXPECT_EQ(parsed(document).goals.at(0).screwJoint, 0);
  document["goals"][0]["tight"] = false;
  EXPECT_EQ(parsed(document).goals.at(0).screwJoint, -1);
}

TEST(ThreadFrictionScene, errorsAreReportedWithTheirPointer) {
  tests::expectErrors(
      json::parse(kScene), "small.json",
      {
          {"too steep", "/joints/0/diameter", "1.5", "/joints/0/diameter", {"1.25", "nominal"}},
          {"a hinge",
           "/joints/0",
           R"({"name": "t", "kind": "hinge", "part": "pin", "diameter": 8})",
           "/joints/0/diameter",
           {"helical"}},
          {"no torque",
           "/joints/0/thread",
           R"({"hole": "M8", "feature": "tip", "length": 15})",
           "/goals/0/tight",
           {"tightening_nm", "thread"}},
          {"no thread", "/goals/0/part", "\"pin\"", "/goals/0/tight", {"\"pin\"", "\"M8\""}},
      },
      [](const std::string& text) { return errorFor(text); });
}

}  // namespace
}  // namespace tenon::content::test
