// Steps of a hand's script: where they lead, how long they take, and what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "small_scene.h"

namespace tenon::content::test {
namespace {

using nlohmann::json;

/// A pin beside a plate with two holes, one of them on its side.
json sceneWith(const json& script) {
  json scene = json::parse(R"({
    "tenon": 1, "title": "steps", "unit": "m", "duration_s": 5,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "parts": [
      {"name": "plate", "material": "steel", "motion": "fixed", "position": [0, 0, -0.01],
       "shape": {"kind": "block", "size": [0.06, 0.06, 0.02],
                 "holes": [{"name": "a/b", "at": [0, 0], "diameter": 0.009, "through": true}]}},
      {"name": "post", "material": "steel", "motion": "fixed", "position": [0, 0.2, 0],
       "shape": {"kind": "block", "size": [0.06, 0.06, 0.06],
                 "holes": [{"name": "side", "face": "+x", "at": [0, 0], "diameter": 0.009, "depth": 0.02}]}},
      {"name": "pin", "material": "steel", "position": [0.1, 0, 0.01],
       "shape": {"kind": "cylinder", "diameter": 0.008, "length": 0.02},
       "features": [{"name": "tip", "origin": [0, 0, -0.01], "direction": [0, 0, -1]},
                    {"name": "top", "origin": [0, 0, 0.01], "direction": [0, 0, 1]}]},
      {"name": "cube", "material": "steel", "position": [0.2, 0, 0.01],
       "shape": {"kind": "box", "size": [0.01, 0.01, 0.01]}}],
    "goals": [{"part": "pin", "feature": "tip", "into": "plate", "hole": "a/b", "depth": 0.015,
               "depth_tolerance": 0.001, "tilt_tolerance_deg": 1}],
    "hands": [{"name": "right", "position": [0.1, 0, 0.11]}]
  })");
  scene["hands"][0]["script"] = script;
  return scene;
}

std::vector<Waypoint> waypointsOf(const json& script) {
  return parsed(sceneWith(script)).hands[0].script;
}

void expectAt(const Waypoint& waypoint, double time, const Vector3d& p, WaypointFrame frame) {
  EXPECT_NEAR(waypoint.time, time, 1e-12);
  ASSERT_TRUE(waypoint.X_W.has_value());
  EXPECT_LT((waypoint.X_W->p - p).norm(), 1e-12) << waypoint.X_W->p.transpose();
  EXPECT_EQ(waypoint.frame, frame);
}

TEST(ScriptSteps, APartIsTakenCarriedAndInserted) {
  const std::vector<Waypoint> way = waypointsOf(json::parse(R"([
    {"take": "pin"},
    {"insert": "pin", "into": "plate/a/b", "approach_mm": 5, "speed_mm_per_s": 10},
    {"wait_s": 0.25},
    {"release": true},
    {"lift_mm": 30, "speed_mm_per_s": 60}])"));
  ASSERT_EQ(way.size(), 8u);
  // 100 mm at 250 mm/s.
  expectAt(way[0], 0.4, {0.1, 0, 0.01}, WaypointFrame::hand);
  EXPECT_EQ(way[0].grab, 2);
  // Up to 50 mm above the higher end, which is the approach: the part's origin is 15 mm above the mouth
  // there.
  expectAt(way[1], 0.4 + 0.055 / 0.25, {0.1, 0, 0.065}, WaypointFrame::part);
  expectAt(way[2], way[1].time + 0.1 / 0.25, {0, 0, 0.065}, WaypointFrame::part);
  expectAt(way[3], way[2].time + 0.05 / 0.25, {0, 0, 0.015}, WaypointFrame::part);
  // The tip 15 mm deep, as the goal requires: 20 mm at 10 mm/s.
  expectAt(way[4], way[3].time + 2, {0, 0, -0.005}, WaypointFrame::part);
  EXPECT_NEAR(way[5].time, way[4].time + 0.25, 1e-12);
  EXPECT_FALSE(way[5].X_W.has_value());
  EXPECT_TRUE(way[6].release);
  expectAt(way[7], way[5].time + 0.5, {0, 0, 0.025}, WaypointFrame::hand);
  EXPECT_EQ(way[0].entry, 0);
  EXPECT_EQ(way[4].entry, 1);
  EXPECT_EQ(way[7].entry, 4);
}

/// The end of the part points into the hole, turned no further than that needs.
TEST(ScriptSteps, AnEndIsTurnedIntoItsHole) {
  const std::vector<Waypoint> way = waypointsOf(json::parse(R"([
    {"take": "pin", "at": [0, 0, 0.01]},
    {"lift_mm": 100},
    {"above": "post/side", "feature": "top", "height_mm": 20, "offset_mm": [1, 2]},
    {"insert": "pin", "into": "post/side", "feature": "top", "depth_mm": 12}])"));
  ASSERT_EQ(way.size(), 5u);
  const auto end = [&](const Waypoint& waypoint) { return Vector3d(*waypoint.X_W * Vector3d(0, 0, 0.01)); };
  const auto direction = [&](const Waypoint& waypoint) {
    return Vector3d(waypoint.X_W->q * Vector3d::UnitZ());
  };
  EXPECT_NEAR(end(way[2]).x(), 0.03 + 0.02, 1e-12);
  EXPECT_NEAR(std::hypot(end(way[2]).y() - 0.2, end(way[2]).z()), std::hypot(0.001, 0.002), 1e-12);
  EXPECT_LT((direction(way[2]) - Vector3d(-1, 0, 0)).norm(), 1e-12);
  EXPECT_LT((end(way[3]) - Vector3d(0.04, 0.2, 0)).norm(), 1e-12) << "the approach, without a lift";
  EXPECT_LT((end(way[4]) - Vector3d(0.03 - 0.012, 0.2, 0)).norm(), 1e-12);
}

TEST(ScriptSteps, ATurnGoesAboutTheAxisAndAdvances) {
  const std::vector<Waypoint> way = waypointsOf(json::parse(R"([
    {"take": "pin"},
    {"insert": "pin", "into": "plate/a/b", "depth_mm": 2},
    {"turns": 4.25, "advance_mm": 5, "turns_per_s": 2}])"));
  const Waypoint &before = way[way.size() - 2], &last = way.back();
  EXPECT_NEAR(last.time - before.time, 4.25 / 2, 1e-12);
  EXPECT_LT((last.rotationVector - 2 * std::numbers::pi * 4.25 * Vector3d(0, 0, -1)).norm(), 1e-12);
  EXPECT_NEAR(last.X_W->p.z(), before.X_W->p.z() - 0.005, 1e-12);
}

TEST(ScriptSteps, WaitsUntilATimeAndMixesWithTimes) {
  const std::vector<Waypoint> way = waypointsOf(json::parse(R"([
    {"wait_until_s": 1}, {"wait_until_s": 0.5}, {"take": "pin"},
    {"move": {"frame": "part", "position": [0.1, 0, 0.06]}, "speed_mm_per_s": 100},
    {"at_s": 3, "release": true}, {"wait_s": 1}])"));
  EXPECT_EQ(way[0].time, 1);
  EXPECT_EQ(way[1].time, 1);
  EXPECT_NEAR(way[3].time, way[2].time + 0.5, 1e-12);
  EXPECT_EQ(way[5].time, 4);
}

TEST(ScriptSteps, MistakesAreNamedWithTheirPlaceAndRemedy) {
  struct Case {
    const char* script;
    const char* says;
  };
  for (const Case& c : std::vector<Case>{
           {R"([{}])", "/hands/0/script/0/at_s: is missing; give \"at_s\", or a step: take, insert"},
           {R"([{"take": "pn"}])", "did you mean \"pin\"?"},
           {R"([{"take": "plate"}])", "/hands/0/script/0/take: grabs \"plate\", which is not dynamic"},
           {R"([{"take": "pin"}, {"take": "cube"}])",
            "/hands/0/script/1/take: grabs while the hand holds a part"},
           {R"([{"insert": "pin", "into": "plate/a/b"}])", "add {\"take\": \"pin\"} before it"},
           {R"([{"take": "cube"}, {"insert": "pin", "into": "plate/a/b"}])", "which the hand does not hold"},
           {R"([{"take": "pin"}, {"insert": "pin", "into": "plate/ab"}])", "did you mean \"plate/a/b\"?"},
           {R"([{"take": "pin"}, {"insert": "pin", "into": "post/side", "depth_mm": 1}])",
            "add \"feature\": one of"},
           {R"([{"take": "pin"}, {"insert": "pin", "into": "post/side", "feature": "tip"}])",
            "add \"depth_mm\""},
           {R"([{"take": "cube"}, {"insert": "cube", "into": "plate/a/b"}])", "give the part a \"feature\""},
           {R"([{"above": "plate/a/b"}])", "has \"above\" while the hand holds no part"},
           {R"([{"take": "pin"}, {"turns": 1}])", "/hands/0/script/1/turns: has no axis"},
           {R"([{"take": "pin", "speed_mm_per_s": 0}])", "/hands/0/script/0/speed_mm_per_s"},
           {R"([{"take": "pin", "speed": 3}])", "/hands/0/script/0/speed"},
           {R"([{"wait_s": -1}])", "/hands/0/script/0/wait_s"},
           {R"([{"wait_s": 1, "wait_until_s": 2}])", "keep one of the two"},
           {R"([{"wait_s": 2}, {"at_s": 1, "grab": "pin"}])", "give at least 2 s"},
           {R"([{"at_s": 1, "speed_mm_per_s": 5, "move": {"position": [0, 0, 1]}}])",
            "keep one of the two"}}) {
    const std::string error = errorFor(sceneWith(json::parse(c.script)).dump());
    EXPECT_NE(error.find(c.says), std::string::npos) << c.script << ": " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace tenon::content::test
