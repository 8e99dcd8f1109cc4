// Files and arguments that nest by the hundred thousand end a command with a message, never with a crash.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "runtime/live_view/view_settings.h"
#include "tests/runtime/session_file.h"
#include "tests/support/program_run.h"

namespace tenon::runtime {
namespace {

using tests::Outcome;
using tests::runTenon;
using tests::TemporaryFolder;

std::string arrays(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

void write(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

TEST(DeepFiles, OfSettingsCostTheSettingsAlone) {
  const TemporaryFolder folder;
  for (const std::string& text :
       {R"({"window": )" + arrays(1'900'000) + "}", arrays(1'900'000), std::string(1'900'000, '[')}) {
    write(folder / "preview.json", text);
    std::string problem;
    const ViewSettings settings = readSettings(folder / "preview.json", problem);
    EXPECT_NE(problem.find("preview.json is not a valid settings file"), std::string::npos) << problem;
    EXPECT_EQ(settings.forces, ViewSettings().forces);
  }
}

TEST(DeepFiles, OfAPartsMeasureAreBadInput) {
  const Outcome outcome = runTenon({"parts", "make", "plate", "holes=" + arrays(60'000)});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_NE(outcome.err.find("parts make: line 1, column 65: nested more than 64 deep"), std::string::npos)
      << outcome.err;
}

TEST(DeepFiles, OfScenesScriptsAndMeshesAreBadInput) {
  const TemporaryFolder folder;
  write(folder / "deep.json", R"({"hands": )" + arrays(200'000) + "}");
  write(folder / "deep.gltf", R"({"asset": {"version": "2.0"}, "extras": )" + arrays(200'000) + "}");
  write(folder / "part.json", R"({"tenon": 1, "title": "deep", "unit": "mm", "duration_s": 1, "parts": [
      {"name": "part", "motion": "fixed", "shape": {"kind": "mesh", "file": "deep.gltf"}}]})");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check", folder / "deep.json"},
        {"run", folder / "part.json"},
        {"solve", folder / "deep.json"},
        {"preview", tests::scenePath("pendulum"), "--script", folder / "deep.json"}}) {
    const Outcome outcome = runTenon(arguments);
    EXPECT_EQ(outcome.exitCode, 2) << arguments[0];
    EXPECT_NE(outcome.err.find("nested more than 64 deep"), std::string::npos) << outcome.err;
  }
}

TEST(DeepFiles, OfASessionsSceneAreBadInput) {
  const TemporaryFolder folder;
  tests::record("pendulum", "0.01", folder / "s.tenon");
  tests::change(folder / "s.tenon",
                R"(UPDATE session SET scene_text = '{"parts": )" + arrays(200'000) + "}'");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"replay", folder / "s.tenon", "--verify"},
        {"export", folder / "s.tenon", "--format", "json", "--out", folder / "s.json"}}) {
    const Outcome outcome = runTenon(arguments);
    EXPECT_EQ(outcome.exitCode, 2) << arguments[0] << outcome.err;
    EXPECT_NE(outcome.err.find("s.tenon: "), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace tenon::runtime
