// Parts that mate without a round hole, drawn in CAD: each scene of tests/data/mating comes to the end that
// its geometry requires.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "content/reader/load_scene.h"
#include "tests/scenario/scene_run.h"
#include "tests/support/program_run.h"
#include "tests/support/step_file.h"

namespace tenon::mating_test {
namespace {

using runtime::Verdict;

const std::string kFolder = TENON_SOURCE_DIR "/tests/data/mating/";

/// A scene, its verdict, and the largest distance from its way that its clearance leaves [m].
struct Case {
  const char* scene;
  Verdict verdict;
  double play;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.scene;
}

class Mating : public testing::TestWithParam<Case> {
 protected:
  /// A scene of tests/data/mating with its parts, after `edit`.
  content::Scene load(const std::string& name, const std::function<void(nlohmann::json&)>& edit,
                      const content::ParameterValues& values = {}) {
    std::ifstream file(kFolder + name + ".json");
    nlohmann::json document = nlohmann::json::parse(file);
    edit(document);
    makeParts(document.dump());
    std::ofstream(folder_ / (name + ".json")) << document;
    content::MeshReadOptions meshes;
    meshes.cacheFolder = folder_ / "cache";
    return content::loadScene(folder_ / (name + ".json"), values, meshes);
  }

 private:
  tests::TemporaryFolder folder_;

  /// Makes the parts of parts.txt that the scene names.
  void makeParts(const std::string& sceneText) {
    std::ifstream list(kFolder + "parts.txt");
    for (std::string line; std::getline(list, line);) {
      std::stringstream words(line);
      std::string file, kind;
      if (line.starts_with('#') || !(words >> file >> kind)) continue;
      if (sceneText.find('"' + file + ".step\"") == std::string::npos) continue;
      std::vector<double> sizes;
      for (double size = 0; words >> size;) sizes.push_back(size);
      ASSERT_TRUE(tests::makeStep(kind, folder_ / (file + ".step"), sizes)) << file;
    }
  }
};

TEST_P(Mating, EndsAsItsGeometryRequires) {
  if (const std::string missing = tests::stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  const content::Scene scene = load(GetParam().scene, [](nlohmann::json&) {});
  tests::SceneRun run(scene, {.dt = 1 / scene.rate});
  run.run(scene.duration, 0);
  const runtime::Assessment& assessment = run.assessment;
  const runtime::GoalResult& goal = assessment.goals().front();
  EXPECT_EQ(toText(goal.verdict), toText(GetParam().verdict));
  EXPECT_LE(assessment.summary().maxPenetration, 1.01e-9);  // the solver's 1 nm, to a hundredth
  EXPECT_EQ(assessment.summary().notConvergedSteps, 0);
  if (goal.verdict == Verdict::inserted) {
    EXPECT_LE(goal.current.offset, GetParam().play);
  }
}

// The corners of the slide lie in the acute corners of its groove, each between two faces.
TEST_F(Mating, ATiltedDovetailJamsBetweenItsFlanks) {
  if (const std::string missing = tests::stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  const nlohmann::json tilt = {{"axis", {0, 1, 0}}, {"angle_deg", 1}};
  const content::Scene scene = load("dovetail",
                                    [&](nlohmann::json& document) {
                                      document["parts"][1]["rotation"] = tilt;
                                      for (nlohmann::json& step : document["hands"][0]["script"])
                                        if (step.contains("move")) step["move"]["rotation"] = tilt;
                                    },
                                    {{"friction", 0.3}});
  tests::SceneRun run(scene, {.dt = 1 / scene.rate});
  run.run(scene.duration, 0);
  const runtime::GoalResult& goal = run.assessment.goals().front();
  EXPECT_EQ(toText(goal.verdict), toText(Verdict::jammed));
  EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
  EXPECT_LE(run.assessment.summary().maxPenetration, 1.01e-9);
  EXPECT_GT(goal.current.depth, 0.02);
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, Mating,
    testing::Values(Case{"d-shaft", Verdict::inserted, 30e-6}, Case{"keyed-shaft", Verdict::inserted, 20e-6},
                    Case{"spline", Verdict::inserted, 30e-6}, Case{"dovetail", Verdict::inserted, 50e-6},
                    Case{"cover", Verdict::inserted, 20e-6}, Case{"casting", Verdict::inserted, 100e-6},
                    Case{"gears", Verdict::inserted, 20e-6}, Case{"clevis", Verdict::inserted, 20e-6},
                    Case{"snap-hook", Verdict::blocked, 0}));

}  // namespace
}  // namespace tenon::mating_test
