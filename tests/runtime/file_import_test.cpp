// Parts from files for the workbench: assemblies in their poses beside the scene, progress, errors, an end on
// request.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "runtime/session/scene_options.h"
#include "runtime/workbench/bench_reading.h"
#include "runtime/workbench/file_import.h"
#include "tests/support/program_run.h"
#include "tests/support/step_file.h"

namespace tenon::runtime {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

class FileImportTest : public testing::Test {
 protected:
  FileImportTest() {
    const fs::path source(TENON_SOURCE_DIR);
    fs::copy_file(source / "runtime/tutorial/bench.step", folder_ / "bench.step");
  }

  ImportRequest request(const std::string& name, const std::string& scene = emptyBench()) {
    const std::string file = folder_ / "scene.json";
    content::DiskFileSource files;
    return {folder_ / name, file, "mm",
            std::make_shared<const content::Scene>(
                parseScene({file, {}}, scene, files, content::SceneChecks::entries))};
  }

  tests::TemporaryFolder folder_;
  std::vector<std::string> messages_;
  ImportProgress note_ = [this](const std::string& text) { messages_.push_back(text); };
};

double number(const OrderedJson& entry, const char* field, std::size_t k) {
  return entry[field][k].get<double>();
}

TEST_F(FileImportTest, AnAssemblyKeepsItsPosesAndItsLargestPartIsFixed) {
  if (const std::string why = tests::stepIsMissing(); !why.empty()) GTEST_SKIP() << why;
  const ImportedParts parts = readParts(request("bench.step"), note_);
  ASSERT_EQ(parts.problem, "");
  ASSERT_EQ(parts.entries.size(), 4u) << "a plate, two bolts and a pin";
  EXPECT_GE(messages_.size(), 5u) << "of the file and of each part";
  int fixed = 0;
  for (const OrderedJson& entry : parts.entries) {
    if (!entry.contains("motion")) continue;
    ++fixed;
    EXPECT_EQ(entry["name"], "base");
  }
  EXPECT_EQ(fixed, 1);
  // The bolts stand on both sides of the plate's middle, as in the file.
  const auto of = [&](const std::string& name) {
    for (const OrderedJson& entry : parts.entries)
      if (entry["name"] == name) return entry;
    throw std::runtime_error("no " + name);
  };
  const double left = number(of("left bolt"), "position", 0), right = number(of("bolt M8"), "position", 0),
               base = number(of("base"), "position", 0);
  EXPECT_LT(left, base);
  EXPECT_NEAR(base - left, right - base, 1e-9);
}

TEST_F(FileImportTest, ASecondAssemblyStandsBesideTheFirst) {
  if (const std::string why = tests::stepIsMissing(); !why.empty()) GTEST_SKIP() << why;
  const ImportedParts first = readParts(request("bench.step"), note_);
  OrderedJson scene = OrderedJson::parse(emptyBench());
  scene["materials"].push_back({{"name", "brass"}, {"density_kg_per_m3", 8500}});
  for (const OrderedJson& entry : first.entries) scene["parts"].push_back(entry);
  const ImportedParts second = readParts(request("bench.step", scene.dump()), note_);
  ASSERT_EQ(second.entries.size(), 4u) << second.problem;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NE(second.entries[k]["name"], first.entries[k]["name"]);
    EXPECT_FALSE(second.entries[k].contains("motion")) << "the scene has a fixed part";
    EXPECT_GT(number(second.entries[k], "position", 0), number(first.entries[k], "position", 0));
  }
  for (const OrderedJson& entry : second.entries) scene["parts"].push_back(entry);
  const BenchReading both = readBench(scene.dump(), folder_ / "scene.json", {}, 0);
  EXPECT_EQ(both.problem, "") << "no two parts overlap";
}

TEST_F(FileImportTest, ErrorsAreOneLineAndProgressEndsTheReading) {
  std::ofstream(folder_ / "broken.stl") << "solid nothing\nendsolid\n";
  const ImportedParts none = readParts(request("broken.stl"), note_);
  EXPECT_TRUE(none.entries.empty());
  EXPECT_NE(none.problem.find("broken.stl"), std::string::npos) << none.problem;
  EXPECT_EQ(none.problem.find('\n'), std::string::npos);
  struct Ended {};
  if (const std::string why = tests::stepIsMissing(); !why.empty()) GTEST_SKIP() << why;
  EXPECT_THROW(readParts(request("bench.step"), [](const std::string&) { throw Ended(); }), Ended);
}

}  // namespace
}  // namespace tenon::runtime
