// tenon new: the scene that it writes works and says what it does; scenes that are not there are named.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/program_run.h"

namespace tenon::tests::new_command_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

void expectRefused(const std::vector<std::string>& arguments, const std::string& part) {
  SCOPED_TRACE(part);
  const Outcome outcome = runTenon(arguments);
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
}

TEST(NewCommand, WritesASceneWhosePinGoesIn) {
  const TemporaryFolder folder;
  const std::string file = folder / "my pin.json";
  const Outcome made = runTenon({"new", file});
  ASSERT_EQ(made.exitCode, 0) << made.err;
  EXPECT_EQ(made.out, "");
  EXPECT_NE(fileText(file).find("// "), std::string::npos) << "has no comments";
  const Outcome checked = runTenon({"check", file});
  EXPECT_EQ(checked.exitCode, 0) << checked.out << checked.err;
  EXPECT_EQ(checked.out.find("warning"), std::string::npos) << checked.out;
  // Also at the ends of its parameters' ranges.
  for (const char* offset : {"offset_mm=0", "offset_mm=0.2"}) {
    const Outcome run = runTenon({"run", file, "--json", "--set", offset});
    EXPECT_EQ(run.exitCode, 0) << offset << run.out << run.err;
    EXPECT_EQ(Json::parse(run.out).at("goals").at(0).at("verdict"), "inserted");
  }
}

TEST(NewCommand, KeepsAnyNameAsTitle) {
  const TemporaryFolder folder;
  for (const char* name : {"quote\"s.json", "back\\slash.json", "\xF0\x9F\x94\xA9 \xD7\x91\xD7\x95.json"}) {
    SCOPED_TRACE(name);
    ASSERT_EQ(runTenon({"new", folder / name}).exitCode, 0);
    const Outcome run = runTenon({"run", folder / name, "--json", "--duration", "0.01"});
    EXPECT_EQ(Json::parse(run.out).at("scene"), fs::path(name).stem().string());
  }
}

TEST(NewCommand, OverwritesNothingAndNamesWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json";
  std::ofstream(file) << "mine";
  expectRefused({"new", file}, "exists already");
  EXPECT_EQ(fileText(file), "mine");
  EXPECT_EQ(runTenon({"new", file, "--force"}).exitCode, 0);
  expectRefused({"new", folder / "scene.step"}, ".json");
  expectRefused({"new", folder / "none/scene.json"}, "cannot be written");
  expectRefused({"new"}, "SCENE is required");
  fs::create_directory(folder / "folder.json");
  expectRefused({"new", folder / "folder.json", "--force"}, "folder.json");
}

TEST(NewCommand, AMissingSceneIsCompared) {
  const TemporaryFolder folder;
  ASSERT_EQ(runTenon({"new", folder / "bracket.json"}).exitCode, 0);
  for (const char* command : {"run", "check", "preview"})
    expectRefused({command, folder / "braket.json"}, "did you mean \"" + folder / "bracket.json" + "\"?");
  expectRefused({"run", folder / "bracket"}, "did you mean \"" + folder / "bracket.json" + "\"?");
  expectRefused({"run", "bolt-in-plat"}, "bolt-in-plate.json\"?");
  expectRefused({"run", folder / "xyzzyqqq.json"}, "tenon new FILE");
}

TEST(NewCommand, CommentsReachEveryReaderOfAScene) {
  const TemporaryFolder folder;
  const std::string scene = folder / "s.json", session = folder / "s.tenon";
  ASSERT_EQ(runTenon({"new", scene}).exitCode, 0);
  ASSERT_EQ(runTenon({"run", scene, "--record", session}).exitCode, 0);
  EXPECT_EQ(runTenon({"replay", session, "--verify"}).exitCode, 0);
  // Overwritten only with --force, since it is a scene, whatever its name.
  expectRefused({"run", scene, "--report", scene, "--force"}, "is the scene itself");
  std::ofstream(folder / "plan.json") << R"({"tenon_study": 1, "scene": "s.json", // the scene
    "variables": [{"pointer": "/duration_s", "list": [2.9, 3]}], "design": "grid"})";
  const Outcome study = runTenon({"study", folder / "plan.json", "--out", folder / "results"});
  EXPECT_EQ(study.exitCode, 0) << study.err;
}

}  // namespace
}  // namespace tenon::tests::new_command_test
