// tenon export --format script: what it writes is short, and its hands come to the same verdicts.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "content/input/parse_json.h"
#include "tests/runtime/session_file.h"

namespace tenon::tests::hand_script_test {
namespace {

using Json = nlohmann::json;

Json scriptOf(const std::string& session, const std::string& file) {
  const Outcome exported = runTenon({"export", session, "--format", "script", "--out", file});
  EXPECT_EQ(exported.exitCode, 0) << exported.err;
  return content::parseJson(fileText(file), file);
}

/// How many steps of the script have this key.
std::size_t count(const Json& script, const char* key) {
  std::size_t n = 0;
  for (const Json& hand : script.at("hands"))
    for (const Json& step : hand.at("script")) n += step.contains(key);
  return n;
}

class HandScript : public testing::TestWithParam<const char*> {};

/// Recorded, exported, run: the same goals are reached.
TEST_P(HandScript, reachesTheSameGoals) {
  const TemporaryFolder folder;
  const std::string scene = scenePath(GetParam()), session = folder / "s.tenon", file = folder / "hands.json";
  const Outcome recorded = runTenon({"run", scene, "--json", "--record", session});
  ASSERT_EQ(recorded.exitCode, 0) << recorded.err;
  const Json script = scriptOf(session, file);
  const Outcome again = runTenon({"run", scene, "--json", "--script", file});
  const Json first = Json::parse(recorded.out).at("goals"), second = Json::parse(again.out).at("goals");
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t g = 0; g < first.size(); ++g) {
    EXPECT_EQ(second[g].at("verdict"), first[g].at("verdict")) << g << "\n" << fileText(file);
    EXPECT_NEAR(second[g].at("depth_m").get<double>(), first[g].at("depth_m").get<double>(), 0.1e-3) << g;
  }
  EXPECT_EQ(again.exitCode, 0) << again.out << again.err;
}

INSTANTIATE_TEST_SUITE_P(Scenes, HandScript,
                         testing::Values("bolt-in-plate", "four-bolts", "bearing"),
                         [](const auto& scene) {
                           std::string name = scene.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(HandScriptExport, IsAStepForEachThingThatWasDone) {
  const TemporaryFolder folder;
  ASSERT_EQ(runTenon({"run", scenePath("four-bolts"), "--record", folder / "s.tenon"}).exitCode, 0);
  const Json script = scriptOf(folder / "s.tenon", folder / "hands.json");
  ASSERT_EQ(script.at("hands").size(), 2u);
  EXPECT_EQ(count(script, "take"), 4u);
  EXPECT_EQ(count(script, "insert"), 4u);
  EXPECT_EQ(count(script, "release"), 4u);
  EXPECT_EQ(count(script, "move"), 0u);
  for (const Json& hand : script.at("hands"))
    for (const Json& step : hand.at("script")) {
      if (!step.contains("insert")) continue;
      EXPECT_TRUE(step.at("into").get<std::string>().starts_with("flange/")) << step;
    }
  EXPECT_TRUE(fileText(folder / "hands.json").starts_with("// ")) << "says what it is";
}

TEST(HandScriptExport, OfAnEditedScriptDoesWhatWasEdited) {
  const TemporaryFolder folder;
  ASSERT_EQ(runTenon({"run", scenePath("bolt-in-plate"), "--record", folder / "s.tenon"}).exitCode, 0);
  Json script = scriptOf(folder / "s.tenon", folder / "hands.json");
  for (Json& step : script["hands"][0]["script"])
    if (step.contains("insert")) {
      step["depth_mm"] = 12;
      step["offset_mm"] = {0, 0};
    }
  std::ofstream(folder / "edited.json") << script;
  const Outcome run =
      runTenon({"run", scenePath("bolt-in-plate"), "--json", "--script", folder / "edited.json", "--duration",
                "3", "--record", folder / "edited.tenon"});
  EXPECT_LE(run.exitCode, 1) << run.err;
  EXPECT_EQ(runTenon({"replay", folder / "edited.tenon", "--verify"}).exitCode, 0);
  // A script is data of the run: it is not overwritten.
  const Outcome refused = runTenon({"run", scenePath("bolt-in-plate"), "--script", folder / "edited.json",
                                    "--record", folder / "edited.json", "--force"});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_NE(refused.err.find("is what the hands carry out"), std::string::npos) << refused.err;
}

TEST(HandScriptExport, BadScriptsAreRefusedInOneLine) {
  const TemporaryFolder folder;
  std::ofstream(folder / "none.json") << "{}";
  std::ofstream(folder / "bad.json")
      << R"({"hands": [{"name": "right", "position": [0, 0, 0], "script": [{"take": "scrw"}]}]})";
  std::ofstream(folder / "broken.json") << "{\"hands\": [";
  const auto refused = [&](const std::string& file, const char* says) {
    const Outcome outcome = runTenon({"run", scenePath("bolt-in-plate"), "--script", file});
    EXPECT_EQ(outcome.exitCode, 2);
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
  };
  refused(folder / "none.json", "/hands: is missing");
  refused(folder / "bad.json", "did you mean \"screw\"?");
  refused(folder / "broken.json", "not valid JSON");
  refused(folder / "missing.json", "does not exist");
  const Outcome both = runTenon({"run", scenePath("bolt-in-plate"), "--script", "a", "--plan", "b"});
  EXPECT_EQ(both.exitCode, 2);
}

}  // namespace
}  // namespace tenon::tests::hand_script_test
