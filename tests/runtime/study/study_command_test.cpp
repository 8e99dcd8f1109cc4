// The commands around a study's results: the script for Slurm run by a shell, merge, repeat.
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

std::string contentOf(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Runs a shell in `folder`, and returns its exit code.
int shell(const TemporaryFolder& folder, const std::string& command) {
  const int status = std::system(("cd '" + folder.path() + "' && " + command + " >log 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class StudyCommand : public ::testing::Test {
 protected:
  StudyCommand() {
    std::ofstream(scene()) << contentOf(scenePath("insertion-benchmark"));
    std::ofstream(folder_ / "plan.json") << R"({"tenon_study": 1, "scene": "scene.json", "rate_hz": 200,
        "design": "random", "count": 7, "variables": [{"parameter": "clearance_um", "uniform": [-20, 60]}]})";
  }
  std::string scene() const { return folder_ / "scene.json"; }
  std::string tableOf(const std::string& results) {
    EXPECT_EQ(runTenon({"study", "report", folder_ / results, "--format", "csv", "--force", "--out",
                        folder_ / "table.csv"})
                  .exitCode,
              0);
    return contentOf(folder_ / "table.csv");
  }

  TemporaryFolder folder_;
};

TEST_F(StudyCommand, TheScriptForSlurmRunsAnywhereAndItsMergeJoinsTheParts) {
  ASSERT_EQ(runTenon({"study", folder_ / "plan.json", "--out", folder_ / "alone"}).exitCode, 0);
  const std::string tenon = std::string("'") + TENON_PROGRAM + "' ";
  ASSERT_EQ(shell(folder_, tenon + "study slurm plan.json --nodes 3"), 0);
  ASSERT_EQ(shell(folder_, tenon + "study slurm plan.json --nodes 3"), 0) << "the same script is no conflict";
  EXPECT_EQ(shell(folder_, tenon + "study slurm plan.json --nodes 2"), 2) << "another is";
  // The merge command is a comment of the script.
  const std::string merge = "sed -n 's/^#   //p' plan.sbatch | bash";
  EXPECT_NE(shell(folder_, merge), 0) << "there are no parts";
  for (const char* task : {"1", "3"})
    EXPECT_EQ(shell(folder_, std::string("SLURM_ARRAY_TASK_ID=") + task + " bash plan.sbatch"), 0);
  EXPECT_EQ(shell(folder_, merge), 1) << "a part is missing";
  EXPECT_NE(contentOf(folder_ / "log").find("missing: 2 cases, first 1 4"), std::string::npos);
  EXPECT_EQ(shell(folder_, "SLURM_ARRAY_TASK_ID=2 bash plan.sbatch"), 0);
  EXPECT_EQ(shell(folder_, merge), 0) << contentOf(folder_ / "log");
  EXPECT_EQ(tableOf("plan.study"), tableOf("alone"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "plan.study.part"));
}

TEST_F(StudyCommand, MergeReplacesAFileOnlyWithForceAndNeverAPart) {
  ASSERT_EQ(runTenon({"study", folder_ / "plan.json", "--out", folder_ / "a"}).exitCode, 0);
  std::ofstream(folder_ / "kept") << "mine";
  const Outcome refused = runTenon({"study", "merge", folder_ / "a", "--out", folder_ / "kept"});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_EQ(contentOf(folder_ / "kept"), "mine");
  const std::string before = contentOf(folder_ / "a");
  const Outcome part = runTenon({"study", "merge", folder_ / "a", "--out", folder_ / "a", "--force"});
  EXPECT_EQ(part.exitCode, 2);
  EXPECT_NE(part.err.find("is one of the parts"), std::string::npos) << part.err;
  EXPECT_EQ(contentOf(folder_ / "a"), before);
  EXPECT_EQ(runTenon({"study", "merge", folder_ / "a", "--out", folder_ / "kept", "--force"}).exitCode, 0);
  EXPECT_EQ(tableOf("kept"), tableOf("a"));
}

TEST_F(StudyCommand, ACaseOfAChangedSceneIsNotRepeated) {
  ASSERT_EQ(runTenon({"study", folder_ / "plan.json", "--out", folder_ / "a"}).exitCode, 0);
  const Outcome same = runTenon({"study", "repeat", folder_ / "a", "3"});
  EXPECT_NE(same.out.find("case 3: "), std::string::npos) << same.err;
  std::ofstream(scene(), std::ios::app) << "\n";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"study", "repeat", folder_ / "a", "3"},
        {"study", "report", folder_ / "a", "--pictures", "--out", folder_ / "page.html"}}) {
    const Outcome changed = runTenon(arguments);
    EXPECT_EQ(changed.exitCode, 2);
    EXPECT_NE(changed.err.find("has changed since"), std::string::npos) << changed.err;
  }
}

}  // namespace
}  // namespace tenon::tests
