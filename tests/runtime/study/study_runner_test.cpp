// Studies of the preview: their plans, and files that are continued or numbered.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "content/reader/load_scene.h"
#include "runtime/preview/study_runner.h"
#include "runtime/session/starter_scene.h"
#include "runtime/study/plan.h"
#include "tests/support/program_run.h"

namespace tenon::runtime {
namespace {

namespace fs = std::filesystem;

class StudyRunnerTest : public testing::Test {
 protected:
  StudyRunnerTest() : file_(folder_ / "scene.json") { write("title"); }

  void write(const std::string& title) {
    std::ofstream(file_) << starterScene(title);
    scene_ = content::loadScene(file_);
  }

  StudyStatus finished(StudyRunner& runner, const StudyRequest& request) {
    runner.start(request, scene_);
    while (runner.status().isRunning) std::this_thread::yield();
    return runner.status();
  }

  tests::TemporaryFolder folder_;
  std::string file_;
  content::Scene scene_;
};

TEST_F(StudyRunnerTest, ThePlanVariesTheCheckedParametersFromTheValuesOfTheSliders) {
  content::Parameter whole;
  whole.name = "count";
  whole.isInteger = true;
  scene_.parameters.push_back(whole);
  const StudyPlan plan =
      parsePlan(studyPlanText({{{"offset_mm", 0.1, 0.5}, {"count", 2, 5}}, {{"friction", 0.3}}, 40}, scene_),
                "plan.json");
  ASSERT_EQ(plan.variables.size(), 3u);
  EXPECT_EQ(plan.variables[0].distribution, Distribution::uniform);
  EXPECT_EQ(plan.variables[0].numbers, (std::vector<double>{0.1, 0.5}));
  EXPECT_EQ(plan.variables[1].numbers, (std::vector<double>{2, 3, 4, 5})) << "whole values alone";
  EXPECT_EQ(plan.variables[2].numbers, (std::vector<double>{0.3}));
  EXPECT_EQ(plan.count, 40);
  EXPECT_EQ(plan.design, Design::latinHypercube);
}

TEST_F(StudyRunnerTest, TheSameStudyGoesOnAndAnotherOneHasFilesOfItsOwn) {
  StudyRunner runner;
  const StudyRequest request{{{"friction", 0.05, 0.3}}, {}, 6};
  const StudyStatus first = finished(runner, request);
  EXPECT_EQ(first.text, "6 cases") << first.text;
  ASSERT_GE(first.table.size(), 2u);
  EXPECT_EQ(first.table[1].first, "inserted");
  EXPECT_TRUE(fs::exists(first.report));
  EXPECT_EQ(fs::path(first.plan).filename(), "scene-study.json");
  EXPECT_EQ(finished(runner, request).results, first.results);
  EXPECT_EQ(fs::path(finished(runner, {{{"friction", 0.05, 0.2}}, {}, 6}).plan).filename(),
            "scene-study-2.json");
  write("another title");
  EXPECT_EQ(fs::path(finished(runner, request).plan).filename(), "scene-study-3.json")
      << "the results are of another scene";
}

TEST_F(StudyRunnerTest, ErrorsAreReportedAndNothingIsWritten) {
  StudyRunner runner;
  EXPECT_THROW(runner.start({{{"friction", 0.3, 0.1}}, {}, 6}, scene_), content::InputError);
  EXPECT_FALSE(fs::exists(folder_ / "scene-study.json"));
}

}  // namespace
}  // namespace tenon::runtime
