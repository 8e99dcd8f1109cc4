// tenon parts from outside: lists, tables, files that other programs read, and what is refused.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/program_run.h"

namespace tenon::tests::parts_command_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string contentOf(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void expectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is missing in:\n" << text;
}

std::uint32_t wordAt(const std::string& bytes, std::size_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

TEST(PartsCommand, ListsEveryStandardAndKind) {
  const Outcome outcome = runTenon({"parts", "list"});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* name : {"ISO 4762", "ISO 4014", "ISO 4017", "ISO 4032", "ISO 7089", "ISO 2338", "ISO 2936",
                           "plate", "flange", "bracket", "bushing", "bearing", "shaft", "driver"})
    expectContains(outcome.out, name);
  const Json json = Json::parse(runTenon({"parts", "list", "--json"}).out);
  EXPECT_EQ(json["standards"].size(), 7u);
  EXPECT_EQ(json["kinds"].size(), 7u);
}

TEST(PartsCommand, EveryExampleThatItGivesWorks) {
  const Json json = Json::parse(runTenon({"parts", "list", "--json"}).out);
  for (const Json& standard : json["standards"])
    EXPECT_EQ(runTenon({"parts", "make", standard["example"].get<std::string>()}).exitCode, 0) << standard;
  for (const Json& kind : json["kinds"]) {
    const std::string name = kind["name"];
    const std::string shown = runTenon({"parts", "show", name}).out;
    const std::size_t from = shown.find("make " + name + " ") + 5, to = shown.find(" --out");
    ASSERT_LT(from, to) << shown;
    std::istringstream words(shown.substr(from, to - from));
    std::vector<std::string> arguments{"parts", "make"};
    for (std::string word; words >> word;) {
      std::erase(word, '\'');  // as a shell would
      arguments.push_back(word);
    }
    const Outcome made = runTenon(arguments);
    EXPECT_EQ(made.exitCode, 0) << made.err;
    expectContains(made.out, name + ": ");
  }
}

TEST(PartsCommand, ShowsSizesAndAvailableLengths) {
  const std::string out = runTenon({"parts", "show", "iso4762"}).out;
  expectContains(out, "ISO 4762: hexagon socket head cap screw; in mm");
  expectContains(out, "M8    1.25   13      8            6       4             28");
  expectContains(out, "12, 16, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 80");
}

// Header, length and chunks as the format requires; the mesh is the part, in metres.
TEST(PartsCommand, MakesAGlbThatSaysHowLargeThePartIs) {
  const TemporaryFolder folder;
  const std::string file = folder / "m8.glb";
  const Outcome outcome = runTenon({"parts", "make", "iso4762", "M8x30", "--out", file});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  expectContains(outcome.out, "ISO 4762 M8x30: hexagon socket head cap screw");
  expectContains(outcome.out, "13 × 13 × 38 mm");
  expectContains(outcome.out, "feature   tip at [0, 0, -30] mm, towards [0, 0, -1]");
  const std::string bytes = contentOf(file);
  ASSERT_GT(bytes.size(), 1000u);
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(wordAt(bytes, 4), 2u);
  EXPECT_EQ(wordAt(bytes, 8), bytes.size());
  const Json json = Json::parse(bytes.substr(20, wordAt(bytes, 12)));
  const Json& primitive = json["meshes"][0]["primitives"][0];
  const Json& positions = json["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()];
  EXPECT_NEAR(positions["min"][2].get<double>(), -0.030, 1e-8);
  EXPECT_NEAR(positions["max"][2].get<double>(), 0.008, 1e-8);
  EXPECT_NEAR(positions["max"][0].get<double>(), 0.0065, 1e-8);
  const Json& normals = json["accessors"][primitive["attributes"]["NORMAL"].get<std::size_t>()];
  EXPECT_EQ(normals["count"], positions["count"]);
  EXPECT_EQ(json["nodes"][0]["name"], "ISO 4762 M8x30");
}

TEST(PartsCommand, MakesAnObjWithANormalForEachPoint) {
  const TemporaryFolder folder;
  const std::string file = folder / "washer.obj";
  ASSERT_EQ(runTenon({"parts", "make", "ISO 7089", "M8", "--out", file}).exitCode, 0);
  std::istringstream lines(contentOf(file));
  std::size_t points = 0, normals = 0, faces = 0;
  double largest = 0;
  for (std::string line; std::getline(lines, line);) {
    points += line.rfind("v ", 0) == 0 ? 1 : 0;
    normals += line.rfind("vn ", 0) == 0 ? 1 : 0;
    faces += line.rfind("f ", 0) == 0 ? 1 : 0;
    if (line.rfind("v ", 0) == 0) largest = std::max(largest, std::stod(line.substr(2)));
  }
  EXPECT_GT(faces, 100u);
  EXPECT_EQ(points, normals);
  EXPECT_NEAR(largest, 0.008, 1e-12);
}

TEST(PartsCommand, EndingsIgnoreCase) {
  const TemporaryFolder folder;
  for (const char* name : {"A.GLB", "A.Obj"})
    EXPECT_EQ(runTenon({"parts", "make", "iso7089", "M8", "--out", folder / name}).exitCode, 0) << name;
  EXPECT_EQ(contentOf(folder / "A.GLB").substr(0, 4), "glTF");
  EXPECT_NE(contentOf(folder / "A.Obj").find("\nvn "), std::string::npos);
}

// In a shell an unquoted [ … ] is a pattern.
TEST(PartsCommand, BracketsInExamplesAreQuoted) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"parts", "show", "plate"},
                                             {"parts", "show", "flange"},
                                             {"parts", "show", "shaft"},
                                             {"parts", "--help"}}) {
    const std::string text = runTenon(arguments).out;
    const std::size_t from = text.find("Example");
    ASSERT_NE(from, std::string::npos) << text;
    bool isQuoted = false;
    std::size_t brackets = 0;
    for (const char c : text.substr(from)) {
      isQuoted = isQuoted != (c == '\'');
      if (c != '[') continue;
      ++brackets;
      EXPECT_TRUE(isQuoted) << text;
    }
    EXPECT_GT(brackets, 0u) << text;
  }
}

TEST(PartsCommand, RejectsUnknownPartsAndWritesNothing) {
  const TemporaryFolder folder;
  struct Case {
    std::vector<std::string> arguments;
    const char* words;
  };
  const std::string out = folder / "part.glb";
  for (const Case& c :
       {Case{{"make", "iso4762", "M8x31", "--out", out},
             "is not available 31 mm long; ISO 4762 M8 is available 12, 16"},
        Case{{"make", "iso999", "M8", "--out", out}, "is not a standard of the library; use ISO 4762"},
        Case{{"make", "iso4762", "M8x30", "--out", folder / "part.step"}, "end its name in .glb or .obj"},
        Case{{"make", "iso4762", "M8x30", "--out", folder / "none/part.glb"}, "none"},
        Case{{"make", "bushing", "bore=20", "outer=16", "length=9", "--out", out},
             "bore at least as wide as its outer diameter"},
        Case{{"make", "bushing", "bore", "--out", out}, "\"bore\": is not a dimension; write NAME=VALUE"},
        Case{{"make", "bushing", "hole=20", "--out", out}, "hole"},
        Case{{"make", "bushing", "bore=\xff", "outer=16", "length=9", "--out", out}, "is not UTF-8 text"},
        Case{{"make", "bushing", "\xc3=3", "outer=16", "length=9", "--out", out}, "is not UTF-8 text"},
        Case{{"make", "bushing", "bore=8", "outer=16", "length=9", "bore=9", "--out", out},
             "gives \"bore\" a second time"},
        Case{{"make", "bushing", "kind=plate", "bore=8", "outer=16", "length=9", "--out", out},
             "gives a second kind beside bushing"},
        Case{{"make", "iso4762", "M8x30", "--out", ""}, "is not a plain file"},
        Case{{"show", "iso1"}, "run 'tenon parts list' for the available parts"},
        Case{{}, "tenon parts --help"}}) {
    std::vector<std::string> arguments{"parts"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const Outcome outcome = runTenon(arguments);
    EXPECT_EQ(outcome.exitCode, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    expectContains(outcome.err, c.words);
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace
}  // namespace tenon::tests::parts_command_test
