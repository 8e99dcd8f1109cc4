// Friction of helical joints in scene files: that of the material pair, at the pitch diameter.
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
     "shape": {"kind": "box", "size": [60, 60, 50]}},
    {"name": "screw", "material": "brass", "standard": "ISO 4762 M8x20", "position": [10, 0, 50]},
    {"name": "pin", "material": "brass", "shape": {"kind": "cylinder", "diameter": 8, "length": 30}, "position": [-20, 0, 50]}],
  "joints": [{"name": "spindle", "kind": "helical", "part": "screw", "to": "plate", "pitch": 1.25}]
})";

physics::JointDescription jointOf(const json& document) {
  return buildWorld(parsed(document), {}).joint(physics::JointId{0});
}

TEST(ThreadFrictionScene, isThatOfTheTwoMaterialsAtThePitchDiameter) {
  json document = json::parse(kScene);
  const physics::JointDescription joint = jointOf(document);
  EXPECT_DOUBLE_EQ(joint.friction, 0.12);
  EXPECT_NEAR(joint.pitchDiameter, 7.188e-3, 1e-6);  // ISO 724, M8
  document["joints"][0]["diameter"] = 10;
  EXPECT_NEAR(jointOf(document).pitchDiameter, 9.188e-3, 1e-6);
}

TEST(ThreadFrictionScene, isThatOfThePartItselfInAThreadOfTheWorld) {
  json document = json::parse(kScene);
  document["joints"][0] =
      json::parse(R"({"name": "spindle", "kind": "helical", "part": "pin", "pitch": 2, "diameter": 8})");
  EXPECT_DOUBLE_EQ(jointOf(document).friction, 0.3);
  document["joints"][0].erase("diameter");
  EXPECT_EQ(jointOf(document).friction, 0);
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
      },
      [](const std::string& text) { return errorFor(text); });
}

}  // namespace
}  // namespace tenon::content::test
