// Results of a run as text and JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numbers>

#include "runtime/report/run_result.h"
#include "runtime/report/text_table.h"
#include "runtime/report/units_text.h"
#include "tests/runtime/goal_scene.h"

namespace tenon::runtime {
namespace {

TEST(UnitsText, PicksTheUnitThatReads) {
  EXPECT_EQ(smallLengthText(0), "0");
  EXPECT_EQ(smallLengthText(4.2e-10), "0.42 nm");
  EXPECT_EQ(smallLengthText(12.34e-6), "12.3 µm");
  EXPECT_EQ(smallLengthText(0.4e-3), "400 µm");
  EXPECT_EQ(smallLengthText(9.9999e-7), "1 µm");
  EXPECT_EQ(smallLengthText(-0.0025), "-2.5 mm");
  EXPECT_EQ(millimetersText(0.03), "30.000 mm");
  EXPECT_EQ(degreesText(std::numbers::pi / 180), "1.000°");
  EXPECT_EQ(smallLengthText(1e-3), "1 mm");
  EXPECT_EQ(stiffnessText(5e8), "500 N/µm");
  EXPECT_EQ(stiffnessText(1e10), "10000 N/µm");
  EXPECT_EQ(countText(1, "step"), "1 step");
  EXPECT_EQ(countText(0, "goal"), "0 goals");
  EXPECT_EQ(forceText(12.345), "12.3 N");
  EXPECT_EQ(forceText(1234.5), "1234 N");
  EXPECT_EQ(massText(0.0234), "23.4 g");
  EXPECT_EQ(massText(2.5), "2.5 kg");
}

TEST(TextTable, AlignsByWhatIsSeen) {
  TextTable table({"a", "b"});
  table.add({"µm", "x"});
  table.add({"long", "y|z"});
  table.paint(0, Color::green);
  EXPECT_EQ(table.text(2), "  a     b\n  µm    x\n  \x1b[32mlong\x1b[0m  y|z\n");
  EXPECT_NE(table.markdown().find("y\\|z"), std::string::npos);
}

TEST(RunResult, ReportsOutcomesHonestly) {
  const content::Scene scene = tests::goalScene();
  RunResult result;
  result.scene = &scene;
  result.solver = "auto";
  result.rate = 1000;
  result.goals = {
      {.goal = 0, .verdict = Verdict::jammed, .depth = 0.0123, .time = 2, .tilt = 0.01, .maxPush = 33}};
  result.summary.stepsBySolver = {{"fischer-newton", 3}, {"lemke-fixpoint", 7}};
  result.summary.notConvergedSteps = 5;
  const std::string text = toText(result, false, Detail::all);
  for (const char* expected : {"peg into plate/h", "jammed", "12.300 mm of 20.000 mm", "0.573°", "33 N",
                               "lemke-fixpoint (selected by auto)", "5 steps, left out", "goal not reached"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << " in\n" << text;
  EXPECT_EQ(text.find("\x1b"), std::string::npos);
  EXPECT_NE(toText(result, true).find("\x1b[31mjammed"), std::string::npos);
  EXPECT_EQ(text.find("inserted"), std::string::npos);

  result.summary.notConvergedSteps = 1;
  EXPECT_NE(toText(result, false).find("1 step, left out"), std::string::npos);

  result.goals[0].verdict = Verdict::inserted;
  EXPECT_EQ(outcomeText(result), "inserted");
  result.interrupted = true;
  EXPECT_NE(outcomeText(result).find("stopped at"), std::string::npos);
}

TEST(RunResult, GivesTheReasonOfEachGoalInTextReportAndJson) {
  const content::Scene scene = tests::goalScene();
  RunResult result;
  result.scene = &scene;
  result.goals = {{.goal = 0, .verdict = Verdict::released, .depth = 0.0123}};
  const std::string why = "released before it was inserted; at the end the tip is 12.30 mm deep";
  EXPECT_NE(toText(result, false).find("  " + why + "\n"), std::string::npos) << toText(result, false);
  EXPECT_NE(toReport(result).find("- " + why + "\n"), std::string::npos);
  const auto goal = nlohmann::json::parse(toJson(result))["goals"][0];
  EXPECT_EQ(goal["explanation"], why);
  EXPECT_EQ(goal["contact_state"], "none");
  EXPECT_EQ(goal["diagnosis"]["cause"], "none");
  EXPECT_TRUE(goal["diagnosis"]["wedging"].is_null());
}

TEST(RunResult, JsonSurvivesNamesThatAreNotUtf8AndNumbersThatAreNotFinite) {
  content::Scene scene = tests::goalScene();
  scene.name = "bad\xff";
  RunResult result;
  result.scene = &scene;
  result.summary.maxResidual = std::numeric_limits<double>::quiet_NaN();
  const auto json = nlohmann::json::parse(toJson(result));
  EXPECT_TRUE(json["max_residual_n"].is_null());
}

}  // namespace
}  // namespace tenon::runtime
