// The schema and the reader agree on all shipped scenes and on the fields.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "small_scene.h"

namespace tenon::content::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kSource = TENON_SOURCE_DIR;
constexpr int kNoValidator = 77;

/// Exit code and output of a command.
std::pair<int, std::string> run(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return {-1, ""};
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), count);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

std::string validator() {
  return "python3 '" + (kSource / "tests/content/validate_schema.py").string() + "' '" +
         (kSource / "content/schema/scene.schema.json").string() + "'";
}

std::vector<fs::path> shippedScenes() {
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kSource / "content/scenes")) {
    if (entry.path().extension() == ".json") files.insert(entry.path());
  }
  return {files.begin(), files.end()};
}

TEST(Schema, everyShippedSceneIsValid) {
  const auto scenes = shippedScenes();
  ASSERT_GE(scenes.size(), 5u);
  std::string command = validator(), expected;
  for (const fs::path& scene : scenes) {
    command.append(" '").append(scene.string()).append("'");
    expected += "ok\n";
  }
  const auto [code, output] = run(command);
  if (code == kNoValidator) GTEST_SKIP() << "python3 has no jsonschema: install python3-jsonschema";
  EXPECT_EQ(code, 0);
  EXPECT_EQ(output, expected) << command;
}

/// Every object of a document, by pointer.
void eachObject(const json& value, const json::json_pointer& at,
                const std::function<void(const json::json_pointer&)>& visit) {
  if (value.is_object()) visit(at);
  if (!value.is_structured()) return;
  for (const auto& [key, child] : value.items()) {
    eachObject(child, value.is_array() ? at / static_cast<std::size_t>(std::stoul(key)) : at / key, visit);
  }
}

TEST(Schema, schemaAndReaderRejectTheSameFields) {
  const json good = smallScene();
  std::vector<json> documents{good};
  std::vector<std::string> labels{"the small scene"};
  const auto take = [&](json document, const std::string& label) {
    documents.push_back(std::move(document));
    labels.push_back(label);
  };
  eachObject(good, json::json_pointer(), [&](const json::json_pointer& at) {
    json unknown = good;
    unknown[at]["unknown"] = 1;
    take(unknown, "an unknown field in " + at.to_string());
    for (const auto& [field, value] : good[at].items()) {
      json without = good, wrong = good;
      without[at].erase(field);
      take(without, "no " + (at / field).to_string());
      wrong[at][field] = {{"a", {1}}};
      take(wrong, "nonsense at " + (at / field).to_string());
    }
  });
  const auto change = [&](const char* label, const char* at, const json& value) {
    json changed = good;
    changed[json::json_pointer(at)] = value;
    take(changed, label);
  };
  change("the largest friction", "/material_pairs/0/friction", 10);
  change("more friction", "/material_pairs/0/friction", 10.1);
  change("the largest restitution", "/material_pairs/0/restitution", 1);
  change("more restitution", "/material_pairs/0/restitution", 1.01);
  change("no part of its kind", "/parts/5/count", 0);
  change("fewer parts than none", "/parts/5/count", -1);
  change("half a part", "/parts/5/count", 1.5);
  change("more parts than a scene has", "/parts/5/count", 1001);
  change("a count by expression", "/parts/5/count", "=1 + 1");
  change("a faceted hole on a face", "/parts/0/shape/holes/1/face", "+z");
  change("a faceted hole with a profile", "/parts/0/shape/holes/1",
         {{"name", "right"}, {"at", {15, 0}}, {"profile", {{0, 4}, {5, 4}, {5, 0}}}});
  for (const char* kind : {"fixed", "ball", "hinge", "slider", "cylindrical", "helical"}) {
    const auto joint = [&](const std::string& label, const json& more) {
      json entry = {{"name", "pivot"}, {"kind", kind}, {"part", "lump"}};
      entry.update(more);
      change((std::string(kind) + " " + label).c_str(), "/joints/0", entry);
    };
    joint("alone", json::object());
    joint("with a pitch", {{"pitch", 1}});
    joint("that turns so far", {{"limits", {{"angle_deg", {-177, 177}}}}});
    joint("that travels so far", {{"limits", {{"travel", {0, 1}}}}});
    joint("with a pitch that travels so far", {{"pitch", 1}, {"limits", {{"travel", {0, 1}}}}});
  }
  // Checked by the reader only: references to names, exclusive fields, and overlaps of a part moved to the
  // origin.
  const std::set<std::string> beyondSchema{
      "no /materials",     "no /parts/1/material",      "no /parts/1/features", "no /parts/4/mass",
      "no /parameters",    "no /hands/0/script/0/grab", "no /parts/2/motion",   "no /parts/3/motion",
      "no /parts/5/count", "no /parts/5/material",      "no /parts/5/position"};

  std::string pattern = (fs::temp_directory_path() / "tenon-schema-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  std::string command = validator();
  for (std::size_t k = 0; k < documents.size(); ++k) {
    const fs::path file = fs::path(pattern) / (std::to_string(k) + ".json");
    std::ofstream(file) << documents[k];
    command.append(" ").append(file.string());
  }
  const auto [code, output] = run(command);
  fs::remove_all(pattern);
  if (code == kNoValidator) GTEST_SKIP() << "python3 has no jsonschema: install python3-jsonschema";
  ASSERT_EQ(code, 0);
  std::istringstream lines(output);
  std::size_t refused = 0;
  for (std::size_t k = 0; k < documents.size(); ++k) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    const std::string errorText = errorFor(documents[k].dump());
    refused += errorText.empty() ? 0 : 1;
    if (beyondSchema.count(labels[k]) > 0) {
      EXPECT_NE(errorText, "") << labels[k];
      continue;
    }
    const bool fields = errorText.empty() || errorText.find(" overlap") != errorText.npos;
    EXPECT_EQ(line == "ok", fields) << labels[k] << "\nschema: " << line << "\nreader: " << errorText;
  }
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace tenon::content::test
