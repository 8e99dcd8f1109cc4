// Errors of names, scripts, holes, parts and goals in a scene are reported with their JSON pointer and a
// remedy.
#include <gtest/gtest.h>

#include <vector>

#include "small_scene.h"
#include "tests/support/scene_mistakes.h"

namespace tenon::content::test {
namespace {

using tests::Mistake;

void expectEntryErrors(const std::vector<Mistake>& mistakes) {
  tests::expectErrors(smallScene(), "small.json", mistakes,
                      [](const std::string& text) { return errorFor(text); });
}

TEST(BadEntries, duplicateNamesAreReported) {
  expectEntryErrors({
      {"part", "/parts/1/name", "\"block\"", "/parts/1/name", {"twice"}},
      {"material", "/materials/1/name", "\"steel\"", "/materials/1/name", {"twice"}},
      {"parameter", "/parameters/1/name", "\"gap_um\"", "/parameters/1/name", {"twice"}},
      {"hole",
       "/parts/0/shape/holes/1/name",
       "\"left\"",
       "/parts/0/shape/holes/1",
       {"second hole named \"left\""}},
      {"feature",
       "/parts/1/features/1",
       R"({"name": "tip", "origin": [0,0,0], "direction": [1,0,0]})",
       "/parts/1/features/1/name",
       {"twice"}},
      {"hand", "/hands/1", R"({"name": "right", "position": [0,0,0]})", "/hands/1/name", {"twice"}},
      {"pair",
       "/material_pairs/1",
       R"({"materials": ["oak", "steel"]})",
       "/material_pairs/1/materials",
       {"twice"}},
      {"empty name", "/parts/1/name", "\"\"", "/parts/1/name", {"empty"}},
      {"control characters", "/parts/1/name", "\"a\\nb\"", "/parts/1/name", {"control"}},
  });
  const std::string twice = R"({"tenon": 1, "parts": [{"name": "a", "shape": {}, "name": "b"}]})";
  EXPECT_EQ(errorFor(twice).find("small.json: /parts/0/name: occurs twice"), 0u) << errorFor(twice);
}

TEST(BadEntries, unknownNamesAreReported) {
  expectEntryErrors({
      {"goal's part", "/goals/0/part", "\"pim\"", "/goals/0/part", {"no part", "did you mean \"pin\"?"}},
      {"goal's feature",
       "/goals/0/feature",
       "\"head\"",
       "/goals/0/feature",
       {"no feature of \"pin\"", "\"tip\""}},
      {"goal's target", "/goals/0/into", "\"blok\"", "/goals/0/into", {"\"block\""}},
      {"goal's target with hole",
       "/goals/0/into",
       "\"block/left\"",
       "/goals/0/into",
       {"names a part and its hole", R"(give "into": "block", "hole": "left")"}},
      {"goal's hole", "/goals/0/hole", "\"lef\"", "/goals/0/hole", {"no hole of \"block\"", "\"left\""}},
      {"hole in a pin", "/goals/0/into", "\"cart\"", "/goals/0/hole", {"no hole of \"cart\"", "none"}},
      {"into itself", "/goals/0/into", "\"pin\"", "/goals/0/into", {"itself"}},
      {"material", "/parts/1/material", "\"stel\"", "/parts/1/material", {"\"steel\""}},
      {"pair",
       "/material_pairs/0/materials/1",
       "\"brass\"",
       "/material_pairs/0/materials/1",
       {"no material"}},
      {"grab", "/hands/0/script/0/grab", "\"pan\"", "/hands/0/script/0/grab", {"\"pin\""}},
      {"grab what is fixed",
       "/hands/0/script/0/grab",
       "\"block\"",
       "/hands/0/script/0/grab",
       {"not dynamic", "\"dynamic\""}},
      {"grab what is driven",
       "/hands/0/script/0/grab",
       "\"cart\"",
       "/hands/0/script/0/grab",
       {"not dynamic"}},
  });
}

TEST(BadEntries, invalidScriptsAreReported) {
  expectEntryErrors({
      {"time runs back",
       "/hands/0/script/1/at_s",
       "0.1",
       "/hands/0/script/1/at_s",
       {"before", "at least 0.2"}},
      {"grab twice", "/hands/0/script/1/grab", "\"lump\"", "/hands/0/script/1/grab", {"\"release\""}},
      {"release nothing",
       "/hands/0/script/0",
       R"({"at_s": 0, "release": true})",
       "/hands/0/script/0/release",
       {"holds no part"}},
      {"grab and release",
       "/hands/0/script/2/grab",
       "\"pin\"",
       "/hands/0/script/2/release",
       {"together with \"grab\""}},
      {"move a part unheld",
       "/hands/0/script/0",
       R"({"at_s": 0, "move": {"frame": "part", "position": [0,0,0]}})",
       "/hands/0/script/0/move/frame",
       {"holds none"}},
  });
}

TEST(BadEntries, invalidDampingAndThrustersAreReported) {
  expectEntryErrors({
      {"negative", "/damping/linear_per_s", "-1", "/damping/linear_per_s", {"at least 0"}},
      {"of a spring", "/damping/ratio", "1", "/damping/ratio", {"\"linear_per_s\""}},
      {"a key with another use",
       "/parts/1/thrusters/0/key",
       "\"G\"",
       "/parts/1/thrusters/0/key",
       {"\"G\"", "A, D, E, I"}},
      {"two of a name", "/parts/1/thrusters/1/name", "\"up\"", "/parts/1/thrusters/1/name", {"twice"}},
      {"no force", "/parts/1/thrusters/0/force_n", nullptr, "/parts/1/thrusters/0/force_n", {"is missing"}},
      {"block without holes",
       "/parts/0/shape",
       R"({"kind": "block", "size": [10, 10, 10]})",
       "/parts/0/shape/holes",
       {"is missing", R"(or give it the "kind" "box")"}},
      {"axes", "/parts/1/thrusters/1/axes", "\"hand\"", "/parts/1/thrusters/1/axes", {"\"world\""}},
      {"on a fixed part",
       "/parts/0/thrusters",
       R"([{"name": "a", "key": "A", "force_n": [1, 0, 0]}])",
       "/parts/0/thrusters",
       {"not dynamic"}},
  });
}

TEST(BadEntries, holesThatDoNotFitAreReported) {
  expectEntryErrors({
      {"larger than the block",
       "/parts/0/shape/holes/1/diameter",
       "50",
       "/parts/0/shape/holes/1",
       {"\"right\"", "larger than its block", "60 mm", "40 mm", "smaller"}},
      {"leaves the block",
       "/parts/0/shape/holes/1/at/0",
       "26",
       "/parts/0/shape/holes/1",
       {"leaves its block"}},
      {"leaves it by the chamfer",
       "/parts/0/shape/holes/1/at/0",
       "24.6",
       "/parts/0/shape/holes/1",
       {"leaves its block"}},
      {"overlaps another",
       "/parts/0/shape/holes/1/at/0",
       "-6",
       "/parts/0/shape/holes/1",
       {"\"right\" overlaps hole \"left\"", "apart"}},
      {"deeper than the block",
       "/parts/0/shape/holes/1/depth",
       "20",
       "/parts/0/shape/holes/1/depth",
       {"20 mm", "\"through\""}},
      {"all chamfer",
       "/parts/0/shape/holes/0/chamfer/depth",
       "20",
       "/parts/0/shape/holes/0/chamfer",
       {"leaves no bore"}},
      {"through is false",
       "/parts/0/shape/holes/0/through",
       "false",
       "/parts/0/shape/holes/0/through",
       {"\"depth\""}},
      {"no holes", "/parts/0/shape/holes", "[]", "/parts/0/shape/holes", {"array of 0"}},
  });
}

TEST(BadEntries, invalidPartsAreReported) {
  expectEntryErrors({
      {"falling floor", "/parts/3/motion", "\"dynamic\"", "/parts/3/shape", {"half-space", "\"fixed\""}},
      {"falling floor by default", "/parts/3/motion", nullptr, "/parts/3/shape", {"half-space", "\"fixed\""}},
      {"floor in a compound",
       "/parts/4/shape/children/0/shape",
       R"({"kind": "half_space"})",
       "/parts/4/shape/children/0/shape",
       {"half-space"}},
      {"mass of a floor", "/parts/3/mass", R"({"mass_kg": 1})", "/parts/3/mass", {"half-space"}},
      {"fixed and fast",
       "/parts/0/velocity_m_per_s",
       "[1,0,0]",
       "/parts/0/velocity_m_per_s",
       {"fixed", "\"kinematic\""}},
      {"flat hull",
       "/parts/1/shape",
       R"({"kind": "hull", "vertices": [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]})",
       "/parts/1/shape/vertices",
       {"no solid"}},
      {"frustum of nothing",
       "/parts/1/shape",
       R"({"kind": "frustum", "bottom_diameter": 0, "top_diameter": 0, "length": 1})",
       "/parts/1/shape",
       {"without thickness"}},
  });
}

TEST(BadEntries, unreachableGoalsAreReported) {
  expectEntryErrors({
      {"deeper than its blind hole",
       "/goals/0",
       R"({"part": "pin", "feature": "tip", "into": "block", "hole": "right", "depth": 12.001,
           "depth_tolerance": 0.1, "tilt_tolerance_deg": 1})",
       "/goals/0/depth",
       {"is 12.001 mm", "blind hole \"right\" of 12 mm", "at most"}},
      {"limit after the end",
       "/goals/0/time_limit_s",
       "2.5",
       "/goals/0/time_limit_s",
       {"is 2.5 s", "end at 2 s", "\"duration_s\""}},
      {"listed twice",
       "/goals/1",
       R"({"part": "pin", "feature": "tip", "into": "block", "hole": "left", "depth": 5,
           "depth_tolerance": 0.1, "tilt_tolerance_deg": 1})",
       "/goals/1",
       {"same feature and hole as /goals/0", "keep one"}},
  });
  nlohmann::json unjointed = smallScene();  // a joint would complain first
  unjointed.erase("joints");
  unjointed["parts"][1]["motion"] = "fixed";
  unjointed["parts"][1].erase("thrusters");
  const std::string errorText = errorFor(unjointed.dump());
  EXPECT_EQ(errorText.find("small.json: /goals/0/part: "), 0u) << errorText;
  for (const char* word : {"\"pin\"", "fixed", "\"dynamic\""})
    EXPECT_NE(errorText.find(word), errorText.npos) << errorText;
  // The depth of the hole and the end of the scene are valid limits.
  nlohmann::json document = smallScene();
  document["goals"][0].update({{"hole", "right"}, {"depth", 12}, {"time_limit_s", 2}});
  EXPECT_EQ(errorFor(document.dump()), "");
}

}  // namespace
}  // namespace tenon::content::test
