// The schema and the reader agree on all shipped scenes and on the fields.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "small_scene.h"
#include "tests/support/json_schema.h"

namespace tenon::content::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kSource = TENON_SOURCE_DIR;
const std::string kSchema = (kSource / "content/schema/scene.schema.json").string();

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
  std::vector<json> documents;
  for (const fs::path& scene : scenes) documents.push_back(json::parse(std::ifstream(scene)));
  const auto verdicts = tests::schemaVerdicts(kSchema, documents);
  if (!verdicts) GTEST_SKIP() << tests::kNoJsonSchema;
  for (std::size_t k = 0; k < scenes.size(); ++k) EXPECT_EQ((*verdicts)[k], "ok") << scenes[k];
}

TEST(Schema, schemaAndReaderRejectTheSameFields) {
  const json good = smallScene();
  std::vector<json> documents{good};
  std::vector<std::string> labels{"the small scene"};
  const auto take = [&](json document, const std::string& label) {
    documents.push_back(std::move(document));
    labels.push_back(label);
  };
  for (tests::ChangedDocument& changed : tests::changedDocuments(good))
    take(std::move(changed.document), changed.label);
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
  const auto step = [&](const char* label, const char* text) {
    change(label, "/hands/0/script", json::array({{{"take", "pin"}}, json::parse(text)}));
  };
  step("an insertion", R"({"insert": "pin", "into": "block/left", "approach_mm": 4, "offset_mm": [0, 1]})");
  step("an insertion into nothing", R"({"insert": "pin"})");
  step("an offset of three numbers", R"({"insert": "pin", "into": "block/left", "offset_mm": [0, 1, 2]})");
  step("a place above", R"({"above": "block/left", "height_mm": 5, "speed_mm_per_s": 10})");
  step("a way up", R"({"lift_mm": 5})");
  step("a way up at a time", R"({"lift_mm": 5, "at_s": 2})");
  step("a wait", R"({"wait_s": 5})");
  step("a wait until then", R"({"wait_until_s": 5})");
  step("both waits", R"({"wait_s": 5, "wait_until_s": 5})");
  step("a release without a time", R"({"release": true})");
  step("nothing", "{}");
  step("two times", R"({"at_s": 9, "speed_mm_per_s": 1, "move": {"position": [0, 0, 0]}})");
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
  const std::set<std::string> beyondSchema{"no /materials",
                                           "no /parts/1/features",
                                           "no /parameters",
                                           "no /hands/0/script/0/grab",
                                           "no /parts/3/motion",
                                           "no /parts/5/count",
                                           "no /parts/5/position",
                                           "no /goals/0/hole",
                                           "no /parts/0/shape/holes/0/name"};

  const auto verdicts = tests::schemaVerdicts(kSchema, documents);
  if (!verdicts) GTEST_SKIP() << tests::kNoJsonSchema;
  std::size_t refused = 0;
  for (std::size_t k = 0; k < documents.size(); ++k) {
    const std::string& line = (*verdicts)[k];
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
