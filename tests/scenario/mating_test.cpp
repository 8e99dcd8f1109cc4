// Parts that mate without a round hole, drawn in CAD: each scene of tests/data/mating comes to the end that
// its geometry requires.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
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
  const std::string file = std::string(GetParam().scene) + ".json";
  std::stringstream text;
  text << std::ifstream(kFolder + file).rdbuf();
  makeParts(text.str());
  std::filesystem::copy(kFolder + file, folder_ / file);
  content::MeshReadOptions meshes;
  meshes.cacheFolder = folder_ / "cache";
  const content::Scene scene = content::loadScene(folder_ / file, {}, meshes);
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

INSTANTIATE_TEST_SUITE_P(
    Scenes, Mating,
    testing::Values(Case{"d-shaft", Verdict::inserted, 30e-6}, Case{"keyed-shaft", Verdict::inserted, 20e-6},
                    Case{"spline", Verdict::inserted, 30e-6}, Case{"dovetail", Verdict::inserted, 50e-6},
                    Case{"cover", Verdict::inserted, 20e-6}, Case{"casting", Verdict::inserted, 100e-6},
                    Case{"gears", Verdict::inserted, 20e-6}, Case{"clevis", Verdict::inserted, 20e-6},
                    Case{"snap-hook", Verdict::blocked, 0}));

}  // namespace
}  // namespace tenon::mating_test
