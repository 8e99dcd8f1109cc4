// tenon sweep: swept volumes and least clearances of plans and sessions, and bad input in one line.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "content/mesh/read_stl.h"
#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

using nlohmann::json;

std::string bytesOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// A peg in its hole, and a wall 3 mm beside it.
constexpr const char* kPegBesideAWall = R"({"tenon": 1, "title": "peg", "unit": "mm", "duration_s": 1,
  "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
  "parts": [
    {"name": "block", "material": "steel", "motion": "fixed",
     "shape": {"kind": "block", "size": [40, 40, 20],
               "holes": [{"name": "hole", "at": [0, 0], "diameter": 10.05, "depth": 15}]}},
    {"name": "wall", "material": "steel", "motion": "fixed", "position": [13, 0, 30],
     "shape": {"kind": "box", "size": [10, 40, 40]}},
    {"name": "peg", "material": "steel", "shape": {"kind": "turned", "profile": [[0, 0], [0, 5], [30, 5], [30, 0]]},
     "position": [0, 0, -4.9]}
  ]})";

class SweepCommand : public testing::Test {
 protected:
  SweepCommand() { std::ofstream(scene) << kPegBesideAWall; }
  json entryTo(const json& part, const std::string& other) {
    for (const json& entry : part.at("least_clearance"))
      if (entry.at("to") == other) return entry;
    return {};
  }

  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json";
};

TEST_F(SweepCommand, findsTheClearancesOfAnInsertion) {
  const Outcome swept = runTenon({"sweep", scene, "--json"});
  ASSERT_EQ(swept.exitCode, 0) << swept.err;
  const json parts = json::parse(swept.out).at("parts");
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].at("part"), "peg");
  EXPECT_NEAR(entryTo(parts[0], "block").at("distance_m").get<double>(), 25e-6, 1e-6);
  EXPECT_NEAR(entryTo(parts[0], "wall").at("distance_m").get<double>(), 3e-3, 1e-6);
  EXPECT_NEAR(entryTo(parts[0], "wall").at("position_m")[0].get<double>(), 6.5e-3, 1e-5);
  // The same of a plan file.
  const std::string plan = folder / "plan.json";
  ASSERT_EQ(runTenon({"plan", scene, "--out", plan}).exitCode, 0);
  const Outcome planned = runTenon({"sweep", scene, "--plan", plan, "--json"});
  EXPECT_EQ(planned.out, swept.out) << planned.err;
}

TEST_F(SweepCommand, requiresAClearance) {
  EXPECT_EQ(runTenon({"sweep", scene, "--against", "wall", "--min-clearance", "2.9"}).exitCode, 0);
  const Outcome close = runTenon({"sweep", scene, "--against", "wall", "--min-clearance", "3.1"});
  EXPECT_EQ(close.exitCode, 1);
  EXPECT_NE(close.out.find("too close"), std::string::npos) << close.out;
}

TEST_F(SweepCommand, writesTheVolumeOfAnInsertion) {
  const std::string stl = folder / "peg.stl";
  const Outcome swept = runTenon({"sweep", scene, "--part", "peg", "--out", stl, "--error", "0.2", "--json"});
  ASSERT_EQ(swept.exitCode, 0) << swept.err;
  const double volume = json::parse(swept.out).at("swept_volume").at("volume_m3").get<double>();
  // A cylinder of the peg's radius, from the place to 1 mm above the face.
  const auto cylinder = [](double r, double length) { return 3.14159265358979 * r * r * length; };
  const double length = 0.0301 + 0.0149 + 0.001 - 0.0001;
  EXPECT_GT(volume, cylinder(0.005, length - 1e-5));
  EXPECT_LT(volume, cylinder(0.0052, length + 5e-4));
  const content::TriangleMesh mesh = content::parseStl(bytesOf(stl), stl);
  double lowest = 0, highest = 0;
  for (const auto& p : mesh.vertices) {
    lowest = std::min(lowest, p.z());
    highest = std::max(highest, p.z());
    EXPECT_LT(p.head<2>().norm(), 5.2 + 1e-4);
  }
  EXPECT_LT(lowest, -4.9);
  EXPECT_GT(lowest, -5.1 - 1e-4);
  EXPECT_GT(highest, 25.1 + 15.9 - 0.1);
  EXPECT_EQ(runTenon({"sweep", scene, "--part", "peg", "--out", stl}).exitCode, 2);  // exists
}

TEST_F(SweepCommand, sweepsARecordedSession) {
  // A cube that falls by 20 mm onto a plate.
  const std::string falling = folder / "falling.json", session = folder / "s.tenon",
                    glb = folder / "cube.glb";
  std::ofstream(falling) << R"({"tenon": 1, "title": "fall", "unit": "mm", "duration_s": 0.2,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "parts": [
      {"name": "plate", "material": "steel", "motion": "fixed", "position": [0, 0, -5],
       "shape": {"kind": "box", "size": [60, 60, 10]}},
      {"name": "post", "material": "steel", "motion": "fixed", "position": [12, 0, 10],
       "shape": {"kind": "box", "size": [8, 8, 20]}},
      {"name": "cube", "material": "steel", "shape": {"kind": "box", "size": [10, 10, 10]}, "position": [0, 0, 25]}
    ]})";
  ASSERT_EQ(runTenon({"run", falling, "--record", session}).exitCode, 0);
  const Outcome swept =
      runTenon({"sweep", session, "--part", "cube", "--out", glb, "--error", "0.2", "--json"});
  ASSERT_EQ(swept.exitCode, 0) << swept.err;
  const json found = json::parse(swept.out);
  const json& cube = found.at("parts")[0];
  EXPECT_NEAR(entryTo(cube, "post").at("distance_m").get<double>(), 3e-3, 2e-6);
  EXPECT_NEAR(entryTo(cube, "plate").at("distance_m").get<double>(), 0, 2e-6);
  // It meets the plate after sqrt(2 · 20 mm / g).
  EXPECT_GT(entryTo(cube, "plate").at("time_s").get<double>(), 0.06);
  const double volume = found.at("swept_volume").at("volume_m3").get<double>();
  EXPECT_GT(volume, 0.01 * 0.01 * 0.03);
  EXPECT_LT(volume, 0.0104 * 0.0104 * 0.0305);
  EXPECT_EQ(bytesOf(glb).substr(0, 4), "glTF");
}

TEST_F(SweepCommand, explainsBadInputInOneLine) {
  const auto problemOf = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "sweep");
    const Outcome outcome = runTenon(arguments);
    EXPECT_EQ(outcome.exitCode, 2) << outcome.out;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  };
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(problemOf({scene, "--part", "pegg"}),
         "--part: \"pegg\": is no part of the scene; did you mean \"peg\"?");
  expect(problemOf({scene, "--part", "wall"}), "is in no step of the plan; name one of \"peg\"");
  expect(problemOf({scene, "--out", folder / "x.stl"}), "--out");
  expect(problemOf({scene, "--part", "peg", "--out", folder / "x.step"}), "x.step");
  expect(problemOf({scene, "--error", "0"}), "--error");
  const std::string plan = folder / "plan.json";
  std::ofstream(plan) << R"({"tenon_plan": 1, "unit": "mm", "steps": [{"parts": ["peg"], "grasp": "peg",
    "direction": [0, 0, 0], "travel": 3, "along": "x"}]})";
  expect(problemOf({scene, "--plan", plan}), "plan.json: /steps/0/direction: ");
  const std::string session = folder / "s.tenon";
  std::ofstream(session) << std::string("SQLite format 3\0 and nothing else", 33);
  expect(problemOf({session}), "s.tenon: ");
  expect(problemOf({session, "--plan", plan}), "--plan: ");
}

}  // namespace
}  // namespace tenon::tests
