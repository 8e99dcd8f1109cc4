// tenon plan of screws that the ends of threads stop before their places: one line, in all materials.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

using nlohmann::json;

/// A screw of 20 mm for a blind thread of 16 mm: its thread bottoms before anything seats it.
std::string longScrewScene(double elasticity_gpa, const json& goal) {
  json scene = json::parse(R"({"tenon": 1, "title": "long screw", "unit": "mm", "duration_s": 5,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "material_pairs": [{"materials": ["steel", "steel"], "friction": 0.1}],
    "parts": [
      {"name": "base", "material": "steel", "motion": "fixed", "position": [0, 0, -12],
       "shape": {"kind": "block", "size": [80, 60, 24],
                 "holes": [{"name": "M8", "at": [0, 0], "depth": 20, "thread": {"size": "M8", "depth": 16}}]}},
      {"name": "screw", "material": "steel", "standard": "ISO 4762 M8x20", "thread": {"class": "6g"},
       "position": [100, 0, 30]}],
    "goals": [{"part": "screw", "feature": "tip", "into": "base", "hole": "M8", "tilt_tolerance_deg": 0.5}]})");
  if (elasticity_gpa > 0) scene["materials"][0]["youngs_modulus_gpa"] = elasticity_gpa;
  scene["goals"][0].update(goal);
  return scene.dump();
}

/// The number before " mm" after `phrase` [mm].
double lengthAfter(const std::string& text, const std::string& phrase) {
  const std::size_t at = text.find(phrase);
  return at == std::string::npos ? -1 : std::stod(text.substr(at + phrase.size()));
}

TEST(PlanCommand, namesAScrewThatIsTooLongForItsHole) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json";
  const auto messageOf = [&](double elasticity_gpa, const json& goal) {
    std::ofstream(scene) << longScrewScene(elasticity_gpa, goal);
    const Outcome planned = runTenon({"plan", scene});
    EXPECT_EQ(planned.exitCode, 2) << planned.out;
    EXPECT_EQ(std::count(planned.err.begin(), planned.err.end(), '\n'), 1) << planned.err;
    return planned.err;
  };
  for (const double elasticity_gpa : {0.0, 210.0}) {
    const std::string home = messageOf(elasticity_gpa, {{"turns", 6}});
    EXPECT_NE(home.find("/parts/1: screw \"screw\" is "), std::string::npos) << home;
    EXPECT_NE(home.find(" mm too long for hole \"M8\" of \"base\", whose thread ends 16 mm below the mouth"),
              std::string::npos)
        << home;
    EXPECT_NE(home.find("before it is seated; use a shorter screw"), std::string::npos) << home;
    // The tip is chamfered to below the minor diameter, so it passes the end of the thread by part of a
    // pitch.
    const std::string deep = messageOf(elasticity_gpa, {{"depth", 20}, {"depth_tolerance", 0.1}});
    const double stop = lengthAfter(deep, "ask for a depth of at most ");
    EXPECT_GE(stop, 16) << deep;
    EXPECT_LT(stop, 16 + 1.25) << deep;
    EXPECT_NEAR(lengthAfter(deep, "screw \"screw\" is "), 20 - stop, 0.01) << deep;
    // There it can be.
    std::ofstream(scene) << longScrewScene(elasticity_gpa,
                                           {{"depth", stop - 0.01}, {"depth_tolerance", 0.1}});
    EXPECT_EQ(runTenon({"plan", scene}).exitCode, 0) << deep;
  }
}

/// The thread of a screw of 50 mm ends at a shank: a thread of 45 mm does not let it in any farther.
TEST(PlanCommand, namesAScrewWhoseThreadIsTooShort) {
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json";
  json scene = json::parse(longScrewScene(0, {{"depth", 40}, {"depth_tolerance", 0.1}}));
  scene["parts"][0]["position"] = {0, 0, -60};
  scene["parts"][0]["shape"]["size"] = {80, 60, 120};
  scene["parts"][0]["shape"]["holes"][0].update({{"depth", 50}, {"thread", {{"size", "M8"}, {"depth", 45}}}});
  scene["parts"][1].update({{"standard", "ISO 4762 M8x50"}, {"position", {100, 0, 60}}});
  std::ofstream(file) << scene;
  const Outcome planned = runTenon({"plan", file});
  EXPECT_EQ(planned.exitCode, 2) << planned.out;
  EXPECT_NE(planned.err.find("the thread of screw \"screw\" is "), std::string::npos) << planned.err;
  EXPECT_NE(planned.err.find(" mm too short for hole \"M8\" of \"base\""), std::string::npos) << planned.err;
  // 28 mm of thread.
  EXPECT_NEAR(lengthAfter(planned.err, "it stops "), 28, 1.25) << planned.err;
}

}  // namespace
}  // namespace tenon::tests
