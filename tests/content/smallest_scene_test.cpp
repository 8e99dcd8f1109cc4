// Defaults of scene files: a scene with the least that a person writes, and messages for what has no default.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <numbers>

#include "content/model/part_holes.h"
#include "small_scene.h"

namespace tenon::content::test {
namespace {

using nlohmann::json;

/// Two parts and a goal, with nothing that has a default.
json smallestScene() {
  return json::parse(R"({
    "tenon": 1, "unit": "mm",
    "parts": [
      {"name": "plate", "motion": "fixed",
       "shape": {"kind": "block", "size": [60, 60, 20], "holes": [{"diameter": 8.4, "through": true}]}},
      {"name": "screw", "standard": "ISO 4762 M8x30", "position": [60, 0, 40]}
    ],
    "goals": [{"part": "screw", "into": "plate", "depth": 30}]
  })");
}

TEST(SmallestScene, hasDefaults) {
  const Scene scene = parsed(smallestScene());
  EXPECT_EQ(scene.title, "small") << "the name of the file";
  EXPECT_EQ(scene.duration, 10);
  ASSERT_EQ(scene.goals.size(), 1u);
  const Goal& goal = scene.goals[0];
  EXPECT_EQ(goal.hole, "hole");
  EXPECT_EQ(scene.part(1).features[static_cast<std::size_t>(goal.feature)].name, "tip");
  EXPECT_DOUBLE_EQ(goal.depthTolerance, 1e-3) << "5 % of 30 mm are more";
  EXPECT_DOUBLE_EQ(goal.tiltTolerance, std::numbers::pi / 180);
  EXPECT_EQ(goal.timeLimit, scene.duration);
  const auto mouth = mouthOf(scene.part(0), "hole");
  ASSERT_TRUE(mouth);
  EXPECT_LT((mouth->X_PH.p - Vector3d(0, 0, 0.01)).norm(), 1e-12) << "in the middle of the upper face";
}

TEST(SmallestScene, hasTheMassOfSteel) {
  json given = smallestScene();
  given["materials"] = {{{"name", "steel"}, {"density_kg_per_m3", 7850}}};
  given["parts"][1]["material"] = "steel";
  EXPECT_EQ(parsed(smallestScene()).part(1).mass.mass, parsed(given).part(1).mass.mass);
  EXPECT_GT(parsed(given).part(1).mass.mass, 0.01);
}

TEST(SmallestScene, isTheExampleOfTheDocumentation) {
  std::ifstream in(std::string(TENON_SOURCE_DIR) + "/content/scene-format.md");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto begin = text.find("```json\n") + 8;
  const Scene scene = parsed(json::parse(text.substr(begin, text.find("```", begin) - begin)));
  ASSERT_EQ(scene.hands.size(), 1u);
  EXPECT_EQ(scene.hands[0].name, "right");
  EXPECT_LT((scene.hands[0].X_WH.p - Vector3d(0.06, 0, 0.105)).norm(), 1e-12);
  EXPECT_EQ(scene.goals.size(), 1u);
}

TEST(SmallestScene, handsWithoutNamesAreRightAndLeft) {
  json scene = smallestScene();
  scene["hands"] = json::array({json::object(), json::object()});
  const Scene two = parsed(scene);
  EXPECT_EQ(two.hands[0].name, "right");
  EXPECT_EQ(two.hands[1].name, "left");
  scene["hands"].push_back(json::object());
  EXPECT_NE(errorFor(scene.dump()).find("/hands/2/name: is missing; call this hand a fixture"),
            std::string::npos)
      << errorFor(scene.dump());
}

TEST(SmallestScene, lastsAsLongAsItsScriptsAndTimeLimits) {
  json scene = smallestScene();
  scene["goals"][0]["time_limit_s"] = 15;
  EXPECT_EQ(parsed(scene).duration, 15);
  scene["hands"] = {{{"script", {{{"take", "screw"}}, {{"wait_until_s", 20}}}}}};
  EXPECT_EQ(parsed(scene).duration, 21);
  EXPECT_EQ(parsed(scene).goals[0].timeLimit, 15);
}

TEST(SmallestScene, roundPartsHaveALowerEnd) {
  json scene = smallestScene();
  const auto endOf = [&](const char* shape) {
    scene["parts"][1] = {{"name", "screw"}, {"position", {60, 0, 40}}, {"shape", json::parse(shape)}};
    const Scene read = parsed(scene);
    EXPECT_EQ(read.part(1).features.size(), 1u);
    EXPECT_EQ(read.part(1).features[0].direction, Vector3d(0, 0, -1));
    return read.part(1).features[0].origin.z();
  };
  EXPECT_DOUBLE_EQ(endOf(R"({"kind": "cylinder", "diameter": 8, "length": 30})"), -0.015);
  EXPECT_DOUBLE_EQ(endOf(R"({"kind": "capsule", "diameter": 8, "length": 30})"), -0.015);
  EXPECT_DOUBLE_EQ(endOf(R"({"kind": "turned", "profile": [[-20, 0], [-20, 4], [5, 4], [5, 0]]})"), -0.02);
  scene["parts"][1]["shape"] = {{"kind", "box"}, {"size", {5, 5, 5}}};
  EXPECT_NE(errorFor(scene.dump()).find("/goals/0/feature: is missing; add \"features\" to \"screw\""),
            std::string::npos)
      << errorFor(scene.dump());
}

TEST(SmallestScene, severalHolesHaveNumbersAndNeedAName) {
  json scene = smallestScene();
  scene["parts"][0]["shape"]["holes"] = json::parse(
      R"([{"diameter": 8.4, "through": true, "at": [-15, 0]}, {"diameter": 6, "depth": 5, "at": [15, 0]}])");
  EXPECT_NE(errorFor(scene.dump())
                .find("/goals/0/hole: is missing; name one of the holes of \"plate\": "
                      "\"hole 1\", \"hole 2\""),
            std::string::npos)
      << errorFor(scene.dump());
}

TEST(SmallestScene, oneMessageNamesAllMissingFields) {
  const auto expectMissing = [](const char* at, const std::string& words) {
    json scene = smallestScene();
    scene["materials"] = json::array({{{"name", "steel"}, {"density_kg_per_m3", 7850}}});
    scene["parameters"] =
        json::parse(R"([{"name": "a", "unit": "mm", "default": 1, "minimum": 0, "maximum": 2}])");
    scene[json::json_pointer(at)] = json::object();
    const std::string error = errorFor(scene.dump());
    EXPECT_NE(error.find(words), std::string::npos) << at << ": " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  };
  expectMissing("", R"(small.json: lacks "tenon", "unit", "parts"; add them)");
  expectMissing("/goals/0", R"(/goals/0: lacks "part", "into", "depth"; add them)");
  expectMissing("/parts/1", R"(/parts/1: lacks "name", "shape"; add them)");
  expectMissing("/materials/0", R"(/materials/0: lacks "name", "density_kg_per_m3"; add them)");
  expectMissing("/parameters/0",
                R"(/parameters/0: lacks "name", "unit", "default", "minimum", "maximum"; add them)");
}

}  // namespace
}  // namespace tenon::content::test
