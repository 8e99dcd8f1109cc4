// What check says of pairs before anything moves, and what run says of goals out of their order.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "content/reader/load_scene.h"
#include "runtime/assess/precedence.h"
#include "runtime/report/fit_warnings.h"
#include "runtime/report/scene_survey.h"

namespace tenon::runtime::fit_warnings_test {
namespace {

using Json = nlohmann::json;

/// An Ø 10 pin, 30 mm long, and two Ø 10 holes: a through one, and a blind one 20 mm deep.
Json pinScene() {
  return Json::parse(R"({"tenon": 1, "title": "pin", "unit": "mm", "duration_s": 1,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "parts": [
      {"name": "block", "material": "steel", "motion": "fixed", "position": [0, 0, -20],
       "library": {"kind": "plate", "size": [60, 40, 40], "holes": [
         {"name": "through", "diameter": 10, "chamfer": 0.5, "at": [-15, 0]},
         {"name": "blind", "diameter": 10, "depth": 20, "at": [15, 0]}]}},
      {"name": "pin", "material": "steel", "standard": "ISO 2338 10x30", "position": [0, 0, 40]}],
    "goals": [{"part": "pin", "feature": "tip", "into": "block", "hole": "through", "depth": 10,
               "depth_tolerance": 0.1, "tilt_tolerance_deg": 1}]})");
}

content::Scene read(const Json& document) {
  return content::parseScene(document.dump(), "pin.json");
}

TEST(FitWarnings, ANominalPairSuggestsAFit) {
  const auto warnings = fitWarnings(read(pinScene()));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0],
            "pin into block/through: Ø 10.000 pin in Ø 10.000 bore: zero clearance; give the goal \"fit\": "
            "\"H7/g6\" or {\"clearance_um\": 20}");
}

TEST(FitWarnings, AClearanceFitSaysNothing) {
  Json document = pinScene();
  document["goals"][0]["fit"] = "H7/g6";
  EXPECT_TRUE(fitWarnings(read(document)).empty());
}

TEST(FitWarnings, AFitWithoutLeastClearanceIsNamed) {
  Json document = pinScene();
  document["goals"][0]["fit"] = {{"class", "H7/h6"}, {"at", "min"}};
  const auto warnings = fitWarnings(read(document));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("zero clearance by its fit H7/h6, min"), std::string::npos) << warnings[0];
}

TEST(FitWarnings, RigidInterferenceIsNamedWithItsSize) {
  Json document = pinScene();
  document["parts"][0]["library"]["holes"][0]["diameter"] = 9.98;
  const auto warnings = fitWarnings(read(document));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("interference of 20 µm and rigid materials"), std::string::npos) << warnings[0];
  document["material_pairs"] = {{{"materials", {"steel", "steel"}}, {"stiffness_n_per_m", 5e8}}};
  EXPECT_TRUE(fitWarnings(read(document)).empty());
}

TEST(FitWarnings, AScrewInATapDrillsHoleLacksItsThread) {
  Json document = pinScene();
  document["parts"][1]["standard"] = "ISO 4762 M10x30";
  for (const double diameter : {8.5, 9.7}) {
    document["parts"][0]["library"]["holes"][0]["diameter"] = diameter;
    const auto warnings = fitWarnings(read(document));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("M10 in a plain hole"), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("\"holes\""), std::string::npos) << warnings[0];
  }
  document["parts"][0]["library"]["holes"][0]["diameter"] = 7;
  const auto warnings = fitWarnings(read(document));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("interference of"), std::string::npos) << warnings[0];
}

TEST(FitWarnings, AScrewInAnotherThreadDoesNotLackOne) {
  Json document = pinScene();
  document["parts"][1]["standard"] = "ISO 4762 M10x30";
  Json& hole = document["parts"][0]["library"]["holes"][0];
  hole.erase("diameter");
  hole["thread"] = {{"size", "M8"}};
  for (const std::string& warning : fitWarnings(read(document)))
    EXPECT_EQ(warning.find("plain hole"), std::string::npos) << warning;
}

TEST(FitWarnings, APegLongerThanItsBlindHoleGivesTheExcess) {
  Json document = pinScene();
  document["goals"][0]["hole"] = "blind";
  document["goals"][0]["fit"] = "H7/g6";
  // Far longer: it is meant to stand out.
  EXPECT_TRUE(fitWarnings(read(document)).empty());
  document["parts"][0]["library"]["holes"][1]["depth"] = 29.6;
  auto warnings = fitWarnings(read(document));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0],
            "pin into block/blind: peg 0.4 mm longer than the blind hole: it stands out by that much");
  // Of a screw, what is below its head.
  document["parts"][1]["standard"] = "ISO 4762 M10x30";
  document["parts"][0]["library"]["holes"][1] = {
      {"name", "blind"}, {"diameter", 10.5}, {"depth", 29}, {"at", {15, 0}}};
  document["goals"][0].erase("fit");
  warnings = fitWarnings(read(document));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("mm longer than the blind hole: its head cannot seat"), std::string::npos)
      << warnings[0];
}

TEST(SceneSurvey, SaysWhichFitWasLaidOnWhichDiameter) {
  Json document = pinScene();
  document["goals"][0]["fit"] = "H7/g6";
  const SceneSurvey survey = surveyOf(read(document));
  const std::string text = toText(survey);
  EXPECT_NE(text.find("H7/g6, mid on Ø10: 5 … 29 µm, clearance fit"), std::string::npos) << text;
  EXPECT_NE(text.find("ISO 2338 10x30"), std::string::npos) << text;
  EXPECT_NE(text.find("through, blind"), std::string::npos) << text;
  const Json json = Json::parse(toJson(survey));
  EXPECT_NEAR(json["goals"][0]["clearance_m"].get<double>(), 17e-6, 1e-12);
  EXPECT_NEAR(json["goals"][0]["laid_fit"]["nominal_diameter_m"].get<double>(), 0.01, 1e-15);
  EXPECT_EQ(json["goals"][0]["laid_fit"]["kind"], "clearance fit");
  EXPECT_TRUE(json["warnings"].empty());
  EXPECT_EQ(json["parts"][1]["features"], Json({"tip", "end"}));
}

TEST(SceneSurvey, ListsTheSizesOfAFitOfWalls) {
  Json document = pinScene();
  document["goals"][0] = Json::parse(R"({"part": "pin", "into": "block", "pose": {"position": [-15, 0, 10]},
      "along": [0, 0, -1], "depth": 10, "tolerance": 0.1, "fit": "H7/g6"})");
  const SceneSurvey survey = surveyOf(read(document));
  const std::string text = toText(survey);
  EXPECT_NE(text.find("walls Ø10: clearance 17 µm"), std::string::npos) << text;
  EXPECT_NE(text.find("H7/g6, mid on Ø10: 5 … 29 µm, clearance fit"), std::string::npos) << text;
  const Json goal = Json::parse(toJson(survey))["goals"][0];
  EXPECT_NEAR(goal["clearance_m"].get<double>(), 17e-6, 1e-12);
  ASSERT_EQ(goal["laid_fit"]["sizes"].size(), 1u);
  EXPECT_EQ(goal["laid_fit"]["sizes"][0]["kind"], "diameter");
  EXPECT_NEAR(goal["laid_fit"]["sizes"][0]["outer_deviation_m"].get<double>(), -9.5e-6, 1e-12);
  document["goals"][0]["fit"] = {{"class", "H7/h6"}, {"at", "min"}};
  const auto warnings = fitWarnings(read(document));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("walls without clearance by the fit H7/h6, min"), std::string::npos)
      << warnings[0];
}

/// Results of three goals, reached at these times (negative: not).
std::vector<GoalResult> resultsAt(const std::vector<double>& times) {
  std::vector<GoalResult> results(times.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    results[k].goal = static_cast<int>(k);
    results[k].verdict = times[k] < 0 ? Verdict::pending : Verdict::inserted;
    results[k].time = std::abs(times[k]);
  }
  return results;
}

TEST(Precedence, AGoalReachedTooEarlyIsReportedWithBothTimes) {
  content::Scene scene;
  scene.goals.resize(3);
  scene.goals[0].name = "pin";
  scene.goals[1].name = "cover";
  scene.goals[2].name = "screw";
  scene.goals[1].after = {0};
  scene.goals[2].after = {0, 1};
  EXPECT_TRUE(outOfOrder(scene, resultsAt({1, 2, 3})).empty());
  EXPECT_TRUE(outOfOrder(scene, resultsAt({1, 1, -3})).empty());
  const auto wrong = outOfOrder(scene, resultsAt({1, 3, 2}));
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(toText(wrong[0], scene), "out of order: screw was inserted at 2.000 s, before cover (3.000 s)");
  const auto never = outOfOrder(scene, resultsAt({-5, 3, 4}));
  ASSERT_EQ(never.size(), 2u);
  EXPECT_EQ(toText(never[0], scene), "out of order: cover was inserted at 3.000 s; pin was never inserted");
}

}  // namespace
}  // namespace tenon::runtime::fit_warnings_test
