// Every kind of error in a scene file is reported with its JSON pointer and a remedy, in one line.
#include <gtest/gtest.h>

#include <vector>

#include "small_scene.h"
#include "tests/support/scene_mistakes.h"

namespace tenon::content::test {
namespace {

using tests::Mistake;

void expectErrors(const std::vector<Mistake>& mistakes) {
  tests::expectErrors(smallScene(), "small.json", mistakes,
                      [](const std::string& text) { return errorFor(text); });
}

TEST(BadScene, theUnmodifiedSceneIsValid) {
  EXPECT_EQ(errorFor(smallScene().dump()), "");
}

TEST(BadScene, unknownFieldsGetTheClosestAllowedOne) {
  expectErrors({
      {"top", "/unt", R"("mm")", "/unt", {"not a field", "did you mean \"unit\"?"}},
      {"no likeness", "/zzzzzzzzz", "1", "/zzzzzzzzz", {"not a field", "choose one of", "\"damping\""}},
      {"without its unit", "/materials/0/density", "1", "/materials/0/density", {"density_kg_per_m3"}},
      {"part", "/parts/1/poistion", "[0,0,0]", "/parts/1/poistion", {"\"position\""}},
      {"shape", "/parts/1/shape/radius", "4", "/parts/1/shape/radius", {"not a field"}},
      {"hole", "/parts/0/shape/holes/0/dept", "4", "/parts/0/shape/holes/0/dept", {"\"depth\""}},
      {"chamfer",
       "/parts/0/shape/holes/0/chamfer/angle",
       "4",
       "/parts/0/shape/holes/0/chamfer/angle",
       {"\"angle_deg\""}},
      {"child", "/parts/4/shape/children/0/pos", "4", "/parts/4/shape/children/0/pos", {"\"position\""}},
      {"rotation",
       "/parts/4/shape/children/1/rotation/angle",
       "4",
       "/parts/4/shape/children/1/rotation/angle",
       {"\"angle_deg\""}},
      {"mass", "/parts/4/mass/mass", "4", "/parts/4/mass/mass", {"\"mass_kg\""}},
      {"feature", "/parts/1/features/0/axis", "4", "/parts/1/features/0/axis", {"not a field"}},
      {"hand", "/hands/0/stiffness", "4", "/hands/0/stiffness", {"\"stiffness_n_per_m\""}},
      {"waypoint", "/hands/0/script/0/time", "4", "/hands/0/script/0/time", {"not a field"}},
      {"move", "/hands/0/script/1/move/rotate", "4", "/hands/0/script/1/move/rotate", {"\"rotation\""}},
      {"goal", "/goals/0/tolerance", "4", "/goals/0/tolerance", {"\"depth_tolerance\""}},
      {"parameter", "/parameters/0/min", "4", "/parameters/0/min", {"\"minimum\""}},
      {"pair", "/material_pairs/0/mu", "4", "/material_pairs/0/mu", {"not a field"}},
      {"pointer escapes", "/a~1b~0c", "4", "/a~1b~0c", {"not a field"}},
  });
}

TEST(BadScene, missingFieldsAreReported) {
  expectErrors({
      {"version", "/tenon", nullptr, "/tenon", {"missing", "\"tenon\": 1"}},
      {"unit", "/unit", nullptr, "/unit", {"missing", "\"mm\"", "\"in\""}},
      {"parts", "/parts", nullptr, "/parts", {"missing"}},
      {"shape", "/parts/1/shape", nullptr, "/parts/1/shape", {"missing"}},
      {"kind", "/parts/1/shape/kind", nullptr, "/parts/1/shape/kind", {"missing"}},
      {"length", "/parts/1/shape/length", nullptr, "/parts/1/shape/length", {"missing"}},
      {"mass", "/parts/4/mass/mass_kg", nullptr, "/parts/4/mass/mass_kg", {"missing"}},
      {"hole's depth",
       "/parts/0/shape/holes/1/depth",
       nullptr,
       "/parts/0/shape/holes/1",
       {"\"depth\"", "\"through\""}},
      {"chamfer's depth",
       "/parts/0/shape/holes/0/chamfer/depth",
       nullptr,
       "/parts/0/shape/holes/0/chamfer",
       {"\"angle_deg\""}},
      {"one hole of two", "/goals/0/hole", nullptr, "/goals/0/hole", {"missing", "\"left\", \"right\""}},
      {"goal's depth", "/goals/0/depth", nullptr, "/goals/0/depth", {"missing", "20 mm, through"}},
      {"angle",
       "/parts/4/shape/children/1/rotation/angle_deg",
       nullptr,
       "/parts/4/shape/children/1/rotation/angle_deg",
       {"missing"}},
      {"density", "/materials/1/density_kg_per_m3", nullptr, "/materials/1/density_kg_per_m3", {"missing"}},
      {"range", "/parameters/0/minimum", nullptr, "/parameters/0/minimum", {"missing"}},
  });
}

TEST(BadScene, wrongTypesAreReported) {
  expectErrors({
      {"number", "/duration_s", "[1]", "/duration_s", {"an array of 1", "give a number"}},
      {"text as number", "/duration_s", "\"2\"", "/duration_s", {"the text \"2\"", "begins with ="}},
      {"truth as number", "/duration_s", "true", "/duration_s", {"is true"}},
      {"null", "/parts/1/shape/diameter", "null", "/parts/1/shape/diameter", {"is null"}},
      {"parts", "/parts", "{}", "/parts", {"an object", "array of 1 to 1000"}},
      {"part", "/parts/1", "7", "/parts/1", {"a number", "an object"}},
      {"name", "/parts/1/name", "7", "/parts/1/name", {"text in quotes"}},
      {"short vector", "/parts/1/position", "[1, 2]", "/parts/1/position", {"array of 2", "array of 3"}},
      {"vector's entry", "/parts/1/position/1", "\"x\"", "/parts/1/position/1", {"begins with ="}},
      {"flag", "/hands/0/carries_weight", "1", "/hands/0/carries_weight", {"true or false"}},
      {"unit", "/unit", "\"cm\"", "/unit", {"\"cm\"", "\"mm\", \"m\", \"in\""}},
      {"kind", "/parts/1/shape/kind", "\"torus\"", "/parts/1/shape/kind", {"\"torus\"", "\"cylinder\""}},
      {"motion", "/parts/1/motion", "\"static\"", "/parts/1/motion", {"\"fixed\""}},
      {"hand's name", "/hands/0/name", "\"third\"", "/hands/0/name", {"\"left\""}},
      {"fixture's number", "/hands/0/name", "\"fixture 0\"", "/hands/0/name", {"\"fixture 1\""}},
      {"fixtures", "/hands/0/name", "\"fixture 63\"", "/hands/0/name", {"\"fixture 62\""}},
      {"version", "/tenon", "2", "/tenon", {"version 2", "version 1"}},
      {"default by expression",
       "/parameters/0/default",
       "\"=1\"",
       "/parameters/0/default",
       {"give a number"}},
      {"inertia",
       "/parts/4/mass/inertia_kg_m2",
       "[[1,0,0],[0,1,0],2]",
       "/parts/4/mass/inertia_kg_m2/2",
       {"array of 3"}},
  });
}

TEST(BadScene, numbersOutOfBoundsAreReported) {
  expectErrors({
      {"density 0",
       "/materials/0/density_kg_per_m3",
       "0",
       "/materials/0/density_kg_per_m3",
       {"is 0", "above 0"}},
      {"density < 0",
       "/materials/0/density_kg_per_m3",
       "-1",
       "/materials/0/density_kg_per_m3",
       {"is -1", "above 0"}},
      {"mass 0", "/parts/4/mass/mass_kg", "0", "/parts/4/mass/mass_kg", {"is 0", "above 0", "kg"}},
      {"mass < 0", "/parts/4/mass/mass_kg", "-2", "/parts/4/mass/mass_kg", {"is -2", "above 0"}},
      {"size 0", "/parts/1/shape/diameter", "0", "/parts/1/shape/diameter", {"is 0", "at least 0.001", "mm"}},
      {"size < 0",
       "/parts/4/shape/children/0/shape/size/2",
       "-3",
       "/parts/4/shape/children/0/shape/size/2",
       {"is -3", "at least"}},
      {"size huge", "/parts/1/shape/length", "1e200", "/parts/1/shape/length", {"at most 1e+06 mm"}},
      {"place huge", "/parts/1/position/0", "1e9", "/parts/1/position/0", {"at most 1e+07 mm"}},
      {"hole 0", "/parts/0/shape/holes/1/diameter", "0", "/parts/0/shape/holes/1/diameter", {"is 0"}},
      {"moment 0", "/parts/4/mass/inertia_kg_m2/0", "0", "/parts/4/mass/inertia_kg_m2/0", {"above 0"}},
      {"moments against the triangle",
       "/parts/4/mass/inertia_kg_m2/0",
       "1",
       "/parts/4/mass/inertia_kg_m2",
       {"physically possible inertia", "sum of the other two"}},
      {"skewed inertia",
       "/parts/4/mass/inertia_kg_m2",
       "[[1,0.1,0],[0,1,0],[0,0,1]]",
       "/parts/4/mass/inertia_kg_m2",
       {"symmetric"}},
      {"friction", "/material_pairs/0/friction", "-0.1", "/material_pairs/0/friction", {"at least 0"}},
      {"stiffness",
       "/material_pairs/0/stiffness_n_per_m",
       "0",
       "/material_pairs/0/stiffness_n_per_m",
       {"at least 1"}},
      {"negative stiffness",
       "/material_pairs/0/stiffness_n_per_m",
       "-1e8",
       "/material_pairs/0/stiffness_n_per_m",
       {"at least 1"}},
      {"Young's modulus",
       "/materials/0/youngs_modulus_gpa",
       "0",
       "/materials/0/youngs_modulus_gpa",
       {"above 0", "GPa"}},
      {"Poisson's ratio alone",
       "/materials/0/poissons_ratio",
       "0.3",
       "/materials/0/poissons_ratio",
       {"without a \"youngs_modulus_gpa\""}},
      {"restitution", "/material_pairs/0/restitution", "1.1", "/material_pairs/0/restitution", {"at most 1"}},
      {"no axis",
       "/parts/4/shape/children/1/rotation/axis",
       "[0,0,0]",
       "/parts/4/shape/children/1/rotation/axis",
       {"no length", "[0, 0, 1]"}},
      {"no direction",
       "/parts/1/features/0/direction",
       "[0,0,0]",
       "/parts/1/features/0/direction",
       {"no length"}},
      {"angle",
       "/parts/4/shape/children/1/rotation/angle_deg",
       "400",
       "/parts/4/shape/children/1/rotation/angle_deg",
       {"360 degrees"}},
      {"duration", "/duration_s", "0", "/duration_s", {"above 0"}},
      {"rate", "/rate_hz", "0", "/rate_hz", {"at least 10"}},
      {"stiffness", "/hands/0/stiffness_n_per_m/1", "0", "/hands/0/stiffness_n_per_m/1", {"N/m"}},
      {"sectors", "/parts/0/shape/sectors", "66", "/parts/0/shape/sectors", {"multiple of 4"}},
      {"part of a sector", "/parts/0/shape/sectors", "64.5", "/parts/0/shape/sectors", {"whole number"}},
      {"many sectors", "/parts/0/shape/sectors", "1000000000", "/parts/0/shape/sectors", {"at most 1024"}},
      {"depth tolerance", "/goals/0/depth_tolerance", "0", "/goals/0/depth_tolerance", {"at least"}},
      {"time limit", "/goals/0/time_limit_s", "-1", "/goals/0/time_limit_s", {"above 0"}},
      {"default out of range", "/parameters/0/default", "501", "/parameters/0/default", {"at most 500"}},
      {"whole by half", "/parameters/0/whole", "1", "/parameters/0/whole", {"true or false"}},
      {"range upside down", "/parameters/0/maximum", "-1", "/parameters/0/maximum", {"at least 0"}},
      {"friction", "/material_pairs/0/friction", "10.1", "/material_pairs/0/friction", {"at most 10"}},
      {"restitution", "/material_pairs/0/restitution", "1.1", "/material_pairs/0/restitution", {"at most 1"}},
      {"less than one step",
       "/duration_s",
       "1e-300",
       "/duration_s",
       {"1e-300 s", "less than one step of 0.002 s"}},
      {"capsule too short",
       "/parts/4/shape/children/1/shape/length",
       "6",
       "/parts/4/shape/children/1/shape/length",
       {"sphere"}},
  });
}

TEST(BadScene, expressionsWithoutAFiniteValueAreReported) {
  expectErrors({
      {"nan", "/parts/1/position/0", "\"=0/0\"", "/parts/1/position/0", {"finite"}},
      {"inf", "/parts/1/position/0", "\"=1/0\"", "/parts/1/position/0", {"finite"}},
      {"unknown name", "/parts/1/position/0", "\"=gap\"", "/parts/1/position/0", {"gap", "\"parameters\""}},
      {"syntax", "/parts/1/position/0", "\"=1+\"", "/parts/1/position/0", {"cannot compute"}},
      {"empty", "/parts/1/position/0", "\"=\"", "/parts/1/position/0", {"cannot compute"}},
      {"two values", "/parts/1/position/0", "\"=1,2\"", "/parts/1/position/0", {"more than one"}},
      {"assignment", "/parts/1/position/0", "\"=gap_um=3\"", "/parts/1/position/0", {"cannot compute"}},
      {"out of bounds", "/parts/1/shape/diameter", "\"=gap_um - 50\"", "/parts/1/shape/diameter", {"is 0"}},
      {"name of a parameter", "/parameters/0/name", "\"Gap um\"", "/parameters/0/name", {"small letters"}},
      {"name of a function",
       "/parameters/1/name",
       "\"sin\"",
       "/parameters/1/name",
       {"function", "another name"}},
  });
  nlohmann::json document = smallScene();
  document["parts"][1]["position"][0] = "=" + std::string(1000, '1');
  EXPECT_NE(errorFor(document.dump()).find("too long"), std::string::npos);
}

TEST(BadScene, aParameterOutOfItsRangeIsReported) {
  EXPECT_EQ(errorFor(smallScene().dump(), {{"lift", 99}}),
            "small.json: /parameters/1 (lift): is set to 99; give at least 1 and at most 9 mm");
}

TEST(BadScene, invalidJsonIsReportedByLineAndColumn) {
  EXPECT_EQ(
      errorFor("{\n  \"tenon\": 1,\n  \"title\" 3}").find("small.json: line 3, column 11: not valid JSON"),
      0u)
      << errorFor("{\n  \"tenon\": 1,\n  \"title\" 3}");
  EXPECT_EQ(errorFor("{\"tenon\": 1e999}").find("small.json: line 1, column "), 0u);
  EXPECT_NE(errorFor("{\"tenon\": 1e999}").find("too large"), std::string::npos);
  EXPECT_NE(errorFor("{\"tenon\": NaN}").find("not valid JSON"), std::string::npos);
  EXPECT_NE(errorFor("").find("is empty"), std::string::npos);
  EXPECT_NE(errorFor(" \n\t ").find("is empty"), std::string::npos);
  EXPECT_NE(errorFor("[]").find("small.json: is an array of 0; give an object"), std::string::npos);
  EXPECT_NE(errorFor("{} {}").find("not valid JSON"), std::string::npos);
}

TEST(BadScene, deepNestingNeitherOverflowsNorHangs) {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string text;
    for (int k = 0; k < 100000; ++k) text += open;
    const std::string errorText = errorFor(text);
    EXPECT_NE(errorText.find("nested more than 64 deep"), errorText.npos) << errorText;
  }
}

TEST(BadScene, errorsAreShortAndOnOneLineForAnyFile) {
  nlohmann::json document = smallScene();
  document[std::string(100000, 'x') + "\n"] = 1;
  document["title"] = "ok";
  const std::string errorText = errorFor(document.dump());
  EXPECT_LT(errorText.size(), 5000u);
  EXPECT_EQ(errorText.find('\n'), errorText.npos);
}

TEST(BadScene, scenesBeyondTheLimitsAreRejected) {
  nlohmann::json document = smallScene();
  nlohmann::json& holes = document["parts"][0]["shape"]["holes"];
  document["parts"][0]["shape"]["size"] = {1000, 1000, 20};
  document["parts"][0]["shape"]["sectors"] = 1024;
  document["goals"].clear();
  for (int k = 0; k < 100; ++k) {
    holes.push_back({{"name", std::string("h").append(std::to_string(k))},
                     {"at", {-450 + 9 * k, 300}},
                     {"diameter", 4},
                     {"through", true}});
  }
  EXPECT_NE(errorFor(document.dump()).find("/parts/0/shape/holes: brings the scene above 20000"),
            std::string::npos)
      << errorFor(document.dump());
  document = smallScene();
  for (int k = 0; k < 1000; ++k) document["parts"].push_back(document["parts"][1]);
  EXPECT_NE(errorFor(document.dump()).find("/parts: is an array of 1006"), std::string::npos);
}

}  // namespace
}  // namespace tenon::content::test
