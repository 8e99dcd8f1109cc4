// Screw joints that are entered later, in scene files; and hands that rotate.
#include <gtest/gtest.h>

#include <numbers>

#include "content/model/build_world.h"
#include "small_scene.h"
#include "tests/support/scene_mistakes.h"

namespace tenon::content::test::thread_scene_test {
namespace {

using nlohmann::json;

/// A plate with a blind hole in its upper face, 20 mm deep at (10, 0, 5) mm, and a screw beside it.
const char* const kScene = R"({
  "tenon": 1, "title": "screw", "unit": "mm", "duration_s": 1,
  "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
  "parts": [
    {"name": "plate", "motion": "fixed", "position": [0, 0, -20],
     "shape": {"kind": "block", "size": [60, 60, 50], "holes": [{"name": "M8", "at": [10, 0], "diameter": 8.4, "depth": 20}]}},
    {"name": "screw", "material": "steel", "standard": "ISO 4762 M8x20", "position": [10, 0, 50]}],
  "joints": [{"name": "thread", "kind": "helical", "part": "screw", "to": "plate", "pitch": 1.25,
    "thread": {"hole": "M8", "feature": "tip", "begins": 2, "length": 15, "reach": 0.4, "tilt_deg": 3, "tightening_nm": 8}}],
  "hands": [{"name": "right", "position": [10, 0, 60], "script": [
    {"at_s": 0.1, "grab": "screw"},
    {"at_s": 0.2, "move": {"frame": "part", "position": [10, 0, 26]}},
    {"at_s": 0.5, "move": {"frame": "part", "position": [10, 0, 25], "turn": {"axis": [0, 0, -2], "turns": 3.25}}}]}]
})";

TEST(ThreadScene, isReadWithItsFramesInHoleAndScrew) {
  const Scene scene = parsed(json::parse(kScene));
  const Joint& joint = scene.joints.at(0);
  ASSERT_TRUE(joint.screwEntry);
  EXPECT_TRUE(joint.collides);
  EXPECT_DOUBLE_EQ(joint.screwEntry->captureRadius, 0.4e-3);
  EXPECT_DOUBLE_EQ(joint.screwEntry->captureAngle, 3 * std::numbers::pi / 180);
  EXPECT_DOUBLE_EQ(joint.screwEntry->tightening, 8);
  EXPECT_DOUBLE_EQ(joint.travel.high, 15e-3);
  EXPECT_LT((joint.X_PA * physics::Vector3d::Zero() - physics::Vector3d(10e-3, 0, 25e-3 - 2e-3)).norm(),
            1e-15);
  EXPECT_LT((joint.X_PA.q * physics::Vector3d::UnitZ() + physics::Vector3d::UnitZ()).norm(), 1e-15);
  EXPECT_LT((joint.X_PB * physics::Vector3d::Zero() - physics::Vector3d(0, 0, -20e-3)).norm(), 1e-15);
  EXPECT_LT((joint.X_PB.q * physics::Vector3d::UnitZ() + physics::Vector3d::UnitZ()).norm(), 1e-15);
  const physics::World world = buildWorld(scene, {});
  EXPECT_EQ(world.stepResult().joints.at(0).phase, physics::JointPhase::apart);
}

TEST(ThreadScene, defaultsAreHalfAPitchFiveDegreesAndNoTightening) {
  json document = json::parse(kScene);
  for (const char* field : {"reach", "tilt_deg", "tightening_nm", "begins"})
    document["joints"][0]["thread"].erase(field);
  const Joint joint = parsed(document).joints.at(0);
  EXPECT_DOUBLE_EQ(joint.screwEntry->captureRadius, 0.625e-3);
  EXPECT_DOUBLE_EQ(joint.screwEntry->captureAngle, 5 * std::numbers::pi / 180);
  EXPECT_TRUE(std::isinf(joint.screwEntry->tightening));
}

TEST(ThreadScene, aTurnStartsFromThePreviousPose) {
  const Waypoint last = parsed(json::parse(kScene)).hands.at(0).script.at(2);
  EXPECT_LT((last.rotationVector - physics::Vector3d(0, 0, -3.25 * 2 * std::numbers::pi)).norm(), 1e-12);
  const Eigen::AngleAxisd quarter(-std::numbers::pi / 2, physics::Vector3d::UnitZ());
  EXPECT_LT(last.X_W->q.angularDistance(physics::Quaterniond(quarter)), 1e-14);
}

TEST(ThreadScene, errorsAreReportedWithTheirPointer) {
  tests::expectErrors(
      json::parse(kScene), "small.json",
      {
          {"a hinge with a thread",
           "/joints/0",
           R"({"name": "t", "kind": "hinge", "part": "screw", "to": "plate",
            "thread": {"hole": "M8", "feature": "tip", "length": 15}})",
           "/joints/0/thread",
           {"helical"}},
          {"in the air",
           "/joints/0",
           R"({"name": "t", "kind": "helical", "pitch": 1, "part": "screw",
            "thread": {"hole": "M8", "feature": "tip", "length": 15}})",
           "/joints/0/thread",
           {"\"to\""}},
          {"two places", "/joints/0/position", "[0, 0, 1]", "/joints/0/position", {"thread"}},
          {"no such hole", "/joints/0/thread/hole", "\"M6\"", "/joints/0/thread/hole", {"M8"}},
          {"no such tip", "/joints/0/thread/feature", "\"end\"", "/joints/0/thread/feature", {"tip"}},
          {"through the bottom", "/joints/0/thread/length", "18.5", "/joints/0/thread", {"blind", "20"}},
          {"no length", "/joints/0/thread/length", "0", "/joints/0/thread/length", {"0"}},
          {"lying screws", "/joints/0/thread/tilt_deg", "60", "/joints/0/thread/tilt_deg", {"40"}},
          {"no torque", "/joints/0/thread/tightening_nm", "0", "/joints/0/thread/tightening_nm", {"0"}},
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
