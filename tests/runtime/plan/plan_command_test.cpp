// tenon plan, and tenon run --plan: plans of shipped scenes are carried out, and bad input is one line.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program_run.h"
#include "tests/support/step_file.h"

namespace tenon::tests {
namespace {

using nlohmann::json;

void writeText(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

/// Names of the parts, step by step.
std::vector<std::string> orderOfParts(const json& plan) {
  std::vector<std::string> names;
  for (const json& step : plan.at("steps"))
    for (const json& part : step.at("parts")) names.push_back(part);
  return names;
}

class PlanOfScene : public testing::TestWithParam<const char*> {};

/// The plan of a shipped scene, carried out by hands with friction and forces, reaches every goal.
TEST_P(PlanOfScene, isCarriedOut) {
  const TemporaryFolder folder;
  const std::string plan = folder / "plan.json";
  const Outcome planned = runTenon({"plan", scenePath(GetParam()), "--out", plan});
  ASSERT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  const Outcome run = runTenon({"run", scenePath(GetParam()), "--plan", plan, "--json"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  const json result = json::parse(run.out);
  EXPECT_FALSE(result.at("goals").empty());
  for (const json& goal : result.at("goals"))
    EXPECT_TRUE(goal.at("verdict") == "inserted" || goal.at("verdict") == "started") << goal.dump();
  EXPECT_LT(result.at("max_penetration_m").get<double>(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Shipped, PlanOfScene,
                         testing::Values("bolt-in-plate", "four-bolts", "hinge", "bearing", "nut-on-bolt"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

/// A peg that starts in its hole, without goals: the plan lays it out, adds goals and brings it back.
constexpr const char* kAssembled = R"({"tenon": 1, "title": "peg in a block", "unit": "mm", "duration_s": 1,
  "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
  "material_pairs": [{"materials": ["steel", "steel"], "friction": 0.1}],
  "parts": [
    {"name": "block", "material": "steel",
     "shape": {"kind": "block", "size": [40, 40, 20],
               "holes": [{"name": "hole", "at": [0, 0], "diameter": 10.05, "depth": 15, "chamfer": {"width": 0.5, "angle_deg": 45}}]}},
    {"name": "peg", "material": "steel", "shape": {"kind": "turned", "profile": [[0, 0], [0, 4.5], [0.5, 5], [30, 5], [30, 0]]},
     "position": [0, 0, -5]}
  ]})";

TEST(PlanCommand, laysOutWhatStartsAssembled) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json", plan = folder / "plan.json", page = folder / "plan.html";
  writeText(scene, kAssembled);
  const Outcome planned = runTenon({"plan", scene, "--out", plan, "--report", page});
  ASSERT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  const json made = json::parse(fileText(plan));
  EXPECT_EQ(orderOfParts(made), std::vector<std::string>{"peg"});
  EXPECT_EQ(made.at("fixed"), json({"block"}));
  EXPECT_NEAR(made.at("steps")[0].at("direction")[2].get<double>(), -1, 1e-9);
  // 15 mm in the hole; the removal ends outside the bounds.
  EXPECT_NEAR(made.at("steps")[0].at("travel").get<double>(), 15 + 1, 0.1);
  EXPECT_NE(fileText(page).find("id='steps'"), std::string::npos);
  const Outcome run = runTenon({"run", scene, "--plan", plan, "--json", "--record", folder / "s.tenon"});
  EXPECT_EQ(run.exitCode, 0) << run.err << run.out;
  EXPECT_EQ(json::parse(run.out).at("goals")[0].at("verdict"), "inserted");
  // The record contains the merged scene.
  EXPECT_EQ(runTenon({"replay", folder / "s.tenon", "--verify"}).exitCode, 0);
}

/// The screws' goals ask for 6 turns of 1.25 mm; home, 12 of their 20 mm are below the cover.
TEST(PlanCommand, unscrewsThreadsUntilTheyAreApart) {
  const TemporaryFolder folder;
  const std::string plan = folder / "plan.json";
  const Outcome planned = runTenon({"plan", scenePath("screwdriving"), "--out", plan});
  ASSERT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  const json steps = json::parse(fileText(plan)).at("steps");
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].at("parts"), json({"cover"}));
  EXPECT_FALSE(steps[0].contains("pitch"));
  for (std::size_t k = 1; k < 3; ++k) {
    EXPECT_NEAR(steps[k].at("pitch").get<double>(), 1.25, 1e-12);
    EXPECT_NEAR(steps[k].at("turns").get<double>(), 12 / 1.25, 1e-3);
    EXPECT_NEAR(steps[k].at("direction")[2].get<double>(), -1, 1e-9);
  }
}

/// A shelf beside a wall that only a horizontal peg through both holds, with a head outside.
constexpr const char* kShelf = R"({"tenon": 1, "title": "shelf", "unit": "mm", "duration_s": 1,
  "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
  "material_pairs": [{"materials": ["steel", "steel"], "friction": 0.1}],
  "parts": [
    {"name": "wall", "material": "steel", "motion": "fixed", "position": [0, 10, 100],
     "shape": {"kind": "block", "size": [60, 20, 60],
               "holes": [{"name": "hole", "face": "-y", "at": [0, 0], "diameter": 10.1, "depth": 18,
                          "chamfer": {"width": 0.5, "angle_deg": 45}}]}},
    {"name": "shelf", "material": "steel", "position": [0, -15, 100],
     "shape": {"kind": "block", "size": [30, 30, 30],
               "holes": [{"name": "hole", "face": "-y", "at": [0, 0], "diameter": 10.1, "through": true,
                          "chamfer": {"width": 0.5, "angle_deg": 45}}]}},
    {"name": "peg", "material": "steel", "position": [0, -23, 100], "rotation": {"axis": [1, 0, 0], "angle_deg": 90},
     "shape": {"kind": "turned", "profile": [[-40, 0], [-40, 4.5], [-39.5, 5], [20, 5], [20, 9], [25, 9], [25, 0]]}}
  ]})";

TEST(PlanCommand, holdsWhatDoesNotStand) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json", plan = folder / "plan.json";
  writeText(scene, kShelf);
  ASSERT_EQ(runTenon({"plan", scene, "--out", plan}).exitCode, 0);
  const json steps = json::parse(fileText(plan)).at("steps");
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].at("parts"), json({"shelf"}));
  EXPECT_FALSE(steps[0].at("stands").get<bool>());
  EXPECT_EQ(steps[0].at("hold"), json({"shelf"}));
  EXPECT_TRUE(steps[1].at("stands").get<bool>());
  EXPECT_NE(steps[0].at("hand"), steps[1].at("hand"));
  // One hand holds the shelf while the other one brings the peg.
  const Outcome run = runTenon({"run", scene, "--plan", plan, "--json"});
  EXPECT_EQ(run.exitCode, 0) << run.err << run.out;
}

TEST(PlanCommand, plansAnAssemblyOfAStepFile) {
  if (const std::string missing = stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  const TemporaryFolder folder;
  const std::string scene = folder / "bench.json", plan = folder / "plan.json";
  ASSERT_TRUE(makeStep("assembly", folder / "bench.step", {0}));
  // Its pin touches nothing.
  const Outcome floating = runTenon({"plan", folder / "bench.step"});
  EXPECT_EQ(floating.exitCode, 2) << floating.out;
  EXPECT_NE(floating.err.find("bench.step: /parts/3: part \"pin\" floats"), std::string::npos)
      << floating.err;
  // Now it stands on the plate.
  ASSERT_TRUE(makeStep("assembly", folder / "bench.step", {0, 0, 9, 1}));
  const Outcome planned = runTenon({"plan", folder / "bench.step", "--scene-out", scene, "--out", plan});
  ASSERT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  EXPECT_EQ(json::parse(fileText(plan)).at("steps").size(), 3u);
  const Outcome run = runTenon({"run", scene, "--plan", plan});
  EXPECT_EQ(run.exitCode, 0) << run.err << run.out;
}

TEST(PlanCommand, reportsTheCauseOfAFailedStep) {
  const TemporaryFolder folder;
  const std::string plan = folder / "plan.json";
  ASSERT_EQ(runTenon({"plan", scenePath("insertion-benchmark"), "--out", plan}).exitCode, 0);
  // The plan is for a clearance; with an interference the peg stays above the bore.
  const Outcome run =
      runTenon({"run", scenePath("insertion-benchmark"), "--plan", plan, "--set", "clearance_um=-50"});
  EXPECT_EQ(run.exitCode, 1) << run.err;
  EXPECT_NE(run.err.find("plan step 1, peg: "), std::string::npos) << run.err;
  // The verdict is said once.
  for (const char* verdict : {"blocked", "jammed", "released", "too-deep"})
    EXPECT_EQ(run.err.find(std::string(verdict) + ": " + verdict), std::string::npos) << run.err;
}

struct Mistake {
  std::string text;  ///< of the scene
  std::string message;
};

std::string blocksScene(const std::string& parts) {
  return R"({"tenon": 1, "title": "t", "unit": "mm", "duration_s": 1,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}], "parts": [)" +
         parts + "]}";
}

TEST(PlanCommand, explainsBadInputInOneLine) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json";
  const std::string base =
      R"({"name": "base", "material": "steel", "shape": {"kind": "box", "size": [40, 40, 10]}})";
  const std::vector<Mistake> mistakes{
      {blocksScene(base), "has one part to assemble"},
      {blocksScene(base +
                   R"(, {"name": "cube", "material": "steel", "shape": {"kind": "box", "size": [10, 10, 10]},
        "position": [0, 0, 15]})"),
       "part \"cube\" floats"},
      {blocksScene(base +
                   R"(, {"name": "cube", "material": "steel", "shape": {"kind": "box", "size": [10, 10, 10]},
        "position": [0, 0, 9.9]})"),
       "parts \"base\" and \"cube\" overlap by 100 µm at the start"}};
  for (const Mistake& mistake : mistakes) {
    writeText(scene, mistake.text);
    const Outcome planned = runTenon({"plan", scene});
    EXPECT_EQ(planned.exitCode, 2) << planned.out;
    EXPECT_NE(planned.err.find(mistake.message), std::string::npos) << planned.err;
    EXPECT_EQ(std::count(planned.err.begin(), planned.err.end(), '\n'), 1) << planned.err;
  }
}

TEST(PlanCommand, namesPartsThatOverlapAtTheirGoals) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json";
  // A peg of 10 mm is to be 15 mm deep in a hole of 9 mm.
  json text = json::parse(kAssembled);
  text["parts"][0]["motion"] = "fixed";
  text["parts"][0]["shape"]["holes"][0]["diameter"] = 9;
  text["parts"][1]["position"] = {0, 0, 30};
  text["parts"][1]["features"] = {{{"name", "tip"}, {"origin", {0, 0, 0}}, {"direction", {0, 0, -1}}}};
  text["goals"] = {{{"part", "peg"},
                    {"feature", "tip"},
                    {"into", "block"},
                    {"hole", "hole"},
                    {"depth", 15},
                    {"depth_tolerance", 0.1},
                    {"tilt_tolerance_deg", 1}}};
  writeText(scene, text.dump());
  const Outcome planned = runTenon({"plan", scene});
  EXPECT_EQ(planned.exitCode, 2) << planned.out;
  EXPECT_NE(planned.err.find("parts \"block\" and \"peg\" overlap by 500 µm in the assembled state"),
            std::string::npos)
      << planned.err;
}

TEST(PlanCommand, rejectsAPlanOfAnotherScene) {
  const TemporaryFolder folder;
  const std::string plan = folder / "plan.json";
  ASSERT_EQ(runTenon({"plan", scenePath("hinge"), "--out", plan}).exitCode, 0);
  const Outcome run = runTenon({"run", scenePath("bolt-in-plate"), "--plan", plan});
  EXPECT_EQ(run.exitCode, 2);
  EXPECT_NE(run.err.find("which is no part of the scene"), std::string::npos) << run.err;
  writeText(plan, "{}");
  EXPECT_EQ(runTenon({"run", scenePath("hinge"), "--plan", plan}).exitCode, 2);
  const std::string empty = folder / "empty.json";
  writeText(empty, "{}");
  writeText(plan, R"({"tenon_plan": 1, "duration_s": 1})");
  const Outcome both = runTenon({"run", empty, "--plan", plan});
  EXPECT_EQ(both.exitCode, 2);
  EXPECT_EQ(std::count(both.err.begin(), both.err.end(), '\n'), 1) << both.err;
  EXPECT_EQ(runTenon({"plan", scenePath("hinge"), "--out", plan}).exitCode, 2);  // exists, without --force
}

TEST(PlanCommand, blamesADamagedPlanOnThePlan) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json", plan = folder / "plan.json";
  writeText(scene, kAssembled);
  ASSERT_EQ(runTenon({"plan", scene, "--out", plan}).exitCode, 0);
  const json good = json::parse(fileText(plan));
  const auto messageOf = [&](const json& damaged) {
    writeText(plan, damaged.dump());
    const Outcome run = runTenon({"run", scene, "--plan", plan});
    EXPECT_EQ(run.exitCode, 2) << run.out;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    return run.err;
  };
  json late = good;
  late["hands"][0]["script"][4]["at_s"] = 0;
  EXPECT_NE(messageOf(late).find("plan.json: /hands/0/script/4/at_s: is 0 s, before the previous waypoint"),
            std::string::npos);
  json low = good;  // the bench holds the part before the start
  low["start"][0]["position"][2] = -12;
  EXPECT_NE(messageOf(low).find("plan.json: /"), std::string::npos) << messageOf(low);
  json goal = good;
  goal["goals"][0]["depth"] = "deep";
  EXPECT_NE(messageOf(goal).find("plan.json: /goals/0/depth: "), std::string::npos) << messageOf(goal);
  json duration = good;
  duration["duration_s"] = -1;
  EXPECT_NE(messageOf(duration).find("plan.json: /duration_s: "), std::string::npos) << messageOf(duration);
  // What is wrong with the scene remains its own.
  json damaged = json::parse(kAssembled);
  damaged["parts"][1]["shape"]["kind"] = "cloud";
  writeText(scene, damaged.dump());
  EXPECT_NE(messageOf(good).find("scene.json: /parts/1/shape/kind: "), std::string::npos) << messageOf(good);
}

TEST(PlanCommand, readsScriptsOfManyParts) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json";
  json text = json::parse(kAssembled);
  json script = json::array();
  for (int k = 0; k < 15000; ++k)
    script.push_back({{"at_s", 1e-3 * k}, {"move", {{"frame", "hand"}, {"position", {0, 0, 100 + k % 2}}}}});
  text["hands"] = {{{"name", "right"}, {"position", {0, 0, 100}}, {"script", script}}};
  writeText(scene, text.dump());
  const Outcome checked = runTenon({"check", scene});
  EXPECT_EQ(checked.exitCode, 0) << checked.err;
}

TEST(PlanCommand, namesTheOptionOfASceneInAnotherFolder) {
  if (const std::string missing = stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  const TemporaryFolder folder, other;
  ASSERT_TRUE(makeStep("assembly", folder / "bench.step", {0, 0, 9, 1}));
  const Outcome planned = runTenon({"plan", folder / "bench.step", "--scene-out", other / "bench.json"});
  EXPECT_EQ(planned.exitCode, 2) << planned.out;
  EXPECT_NE(planned.err.find("--scene-out: "), std::string::npos) << planned.err;
}

/// A long peg in a hole that opens to +x, and a cube on the block.
constexpr const char* kSideways = R"({"tenon": 1, "title": "sideways", "unit": "mm", "duration_s": 1,
  "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
  "material_pairs": [{"materials": ["steel", "steel"], "friction": 0.1}],
  "parts": [
    {"name": "block", "material": "steel", "motion": "fixed",
     "shape": {"kind": "block", "size": [100, 40, 40],
               "holes": [{"name": "hole", "face": "+x", "at": [0, 0], "diameter": 10.1, "depth": 95,
                          "chamfer": {"width": 0.5, "angle_deg": 45}}]}},
    {"name": "cube", "material": "steel", "shape": {"kind": "box", "size": [30, 30, 38]}, "position": [0, 0, 39]},
    {"name": "peg", "material": "steel", "position": [-44, 0, 0], "rotation": {"axis": [0, 1, 0], "angle_deg": 90},
     "shape": {"kind": "turned", "profile": [[0, 0], [0, 4.5], [0.5, 5], [92, 5], [92, 0]]}}
  ]})";

TEST(PlanCommand, laysOutPartsBesideThePathsOfInsertions) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json", plan = folder / "plan.json";
  writeText(scene, kSideways);
  ASSERT_EQ(runTenon({"plan", scene, "--out", plan}).exitCode, 0);
  const json made = json::parse(fileText(plan));
  for (const json& step : made.at("steps")) EXPECT_FALSE(step.contains("remark")) << step.dump();
  // The peg is moved in from x = 50 mm + 95 mm, with a length of 92 mm.
  for (const json& start : made.at("start"))
    if (start.at("part") == "cube") {
      EXPECT_GT(start.at("position")[0].get<double>() - 15, 50 + 92);
    }
  const Outcome run = runTenon({"run", scene, "--plan", plan, "--json"});
  EXPECT_EQ(run.exitCode, 0) << run.err << run.out;
}

TEST(PlanCommand, remarksThatAPartWaitsOnThePathOfAnInsertion) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json", plan = folder / "plan.json";
  json text = json::parse(kSideways);
  text["goals"] = {
      {{"name", "first"},
       {"part", "peg"},
       {"into", "block"},
       {"pose", {{"position", {-44, 0, 0}}, {"rotation", {{"axis", {0, 1, 0}}, {"angle_deg", 90}}}}},
       {"along", {-1, 0, 0}},
       {"depth", 90},
       {"depth_tolerance", 0.1},
       {"tolerance", 0.2},
       {"tilt_tolerance_deg", 1}},
      {{"part", "cube"},
       {"into", "block"},
       {"pose", {{"position", {0, 0, 39}}}},
       {"along", {0, 0, -1}},
       {"depth", 10},
       {"depth_tolerance", 0.1},
       {"tolerance", 0.2},
       {"tilt_tolerance_deg", 1},
       {"after", {"first"}}}};
  text["parts"][2]["position"] = {-44, 100, 0};
  text["parts"][1]["position"] = {90, 0, 0};  // on the way of the peg
  writeText(scene, text.dump());
  const Outcome planned = runTenon({"plan", scene, "--out", plan});
  ASSERT_EQ(planned.exitCode, 0) << planned.err;
  const json steps = json::parse(fileText(plan)).at("steps");
  ASSERT_EQ(steps[0].at("parts"), json({"peg"}));
  EXPECT_NE(steps[0].value("remark", "").find("\"cube\" waits on the path of the insertion"),
            std::string::npos)
      << steps[0].dump();
  EXPECT_FALSE(steps[1].contains("remark")) << steps[1].dump();
}

TEST(PlanCommand, namesLinkedRingsAsInseparable) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json", plan = folder / "plan.json";
  const std::string ring =
      R"("material": "steel", "shape": {"kind": "turned",
         "profile": [[-3, 17], [-3, 23], [3, 23], [3, 17], [-3, 17]]})";
  // The second one stands upright in the first one, some tenths of a millimeter from its wall.
  writeText(scene,
            blocksScene(R"({"name": "first", )" + ring + R"(}, {"name": "second", )" + ring +
                        R"(, "position": [33.3, 0, 0], "rotation": {"axis": [1, 0, 0], "angle_deg": 90}})"));
  const Outcome planned = runTenon({"plan", scene, "--out", plan});
  EXPECT_EQ(planned.exitCode, 1) << planned.err;
  EXPECT_NE(planned.out.find("inseparable: "), std::string::npos) << planned.out;
  const json made = json::parse(fileText(plan));
  EXPECT_FALSE(made.at("complete").get<bool>());
  EXPECT_EQ(made.at("inseparable"), json::parse(R"([["second", "first"]])"));
}

TEST(PlanCommand, givesTheBestPlanInTime) {
  const TemporaryFolder folder;
  const std::string plan = folder / "plan.json";
  const Outcome planned = runTenon({"plan", scenePath("flange"), "--time-limit", "0.01", "--out", plan});
  // On any machine: complete, or the parts that are missing are named.
  const json made = json::parse(fileText(plan));
  EXPECT_EQ(planned.exitCode, made.at("complete") ? 0 : 1) << planned.err;
  EXPECT_EQ(orderOfParts(made).size() + made.at("unplanned").size(), 10u);
}

}  // namespace
}  // namespace tenon::tests
