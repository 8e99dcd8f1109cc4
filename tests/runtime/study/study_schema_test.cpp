// The schema of plans and their reader agree.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "content/input/input_error.h"
#include "runtime/study/plan.h"
#include "tests/support/json_schema.h"

namespace tenon::tests {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const std::string kPlanSchema = TENON_SOURCE_DIR "/content/schema/study.schema.json";

/// With every kind of entry.
json fullPlan() {
  return json::parse(R"({
    "$schema": "study.schema.json", "tenon_study": 1, "title": "all", "scene": "x.json", "design": "random", "count": 9,
    "seed": 3, "rate_hz": 500, "enough": {"yield_interval_below": 0.02},
    "outputs": [{"name": "overlap", "pointer": "/max_penetration_m"}],
    "variables": [
      {"parameter": "a", "uniform": [0, 1]}, {"pointer": "/hands/0/x", "normal": [0, 1]},
      {"parameter": "b", "triangular": [0, 1, 2]}, {"parameter": "c", "list": [1, 2, 5]},
      {"parameter": "d", "grid": {"from": 0, "to": 1, "steps": 3}},
      {"parameter": "e", "fit_clearance": {"zones": "H7/g6", "diameter_mm": 10, "cp": 1.33, "unit": "um"}},
      {"parameter": "f", "zone_diameter": {"zone": "k6", "diameter_mm": 10, "cp": 1.33, "unit": "mm"}}]})");
}

std::string planError(const json& plan) {
  try {
    runtime::parsePlan(plan.dump(), "plan.json");
    return "";
  } catch (const content::InputError& error) {
    return error.what();
  }
}

TEST(StudySchema, EveryShippedPlanIsValid) {
  std::vector<json> plans;
  for (const auto& file : fs::directory_iterator(TENON_SOURCE_DIR "/content/studies"))
    plans.push_back(json::parse(std::ifstream(file.path())));
  ASSERT_FALSE(plans.empty());
  const auto verdicts = schemaVerdicts(kPlanSchema, plans);
  if (!verdicts) GTEST_SKIP() << kNoJsonSchema;
  EXPECT_EQ(*verdicts, std::vector<std::string>(plans.size(), "ok"));
}

TEST(StudySchema, RejectsWhatTheReaderRejects) {
  std::vector<ChangedDocument> changed = changedDocuments(fullPlan());
  changed.push_back({fullPlan(), "nothing"});
  const auto change = [&](const char* at, const json& value) {
    json plan = fullPlan();
    plan[json::json_pointer(at)] = value;
    changed.push_back({plan, std::string(at) + ": " + value.dump()});
  };
  change("/count", 0);
  change("/count", 1.5);
  change("/design", "sobol");
  change("/design", "grid");
  change("/seed", -1);
  change("/enough/yield_interval_below", 0);
  change("/variables", json::array());
  change("/variables/0", {{"parameter", "a"}, {"uniform", {0, 1}}, {"list", {1}}});
  change("/variables/0", {{"parameter", "a"}, {"pointer", "/a"}, {"uniform", {0, 1}}});
  change("/variables/0/uniform", {0});
  change("/variables/2/triangular", {0, 1});
  change("/variables/3/list", json::array());
  change("/variables/4/grid/steps", 1);
  change("/variables/5/fit_clearance/diameter_mm", 100);
  change("/variables/6/zone_diameter/diameter_mm", 0.5);
  change("/variables/6/zone_diameter/unit", "um");
  change("/outputs/0/pointer", "max_penetration_m");
  std::vector<json> documents;
  for (const ChangedDocument& document : changed) documents.push_back(document.document);
  const auto verdicts = schemaVerdicts(kPlanSchema, documents);
  if (!verdicts) GTEST_SKIP() << kNoJsonSchema;
  int refused = 0;
  for (std::size_t k = 0; k < changed.size(); ++k) {
    const std::string error = planError(changed[k].document);
    refused += error.empty() ? 0 : 1;
    EXPECT_EQ((*verdicts)[k] == "ok", error.empty())
        << changed[k].label << "\nschema: " << (*verdicts)[k] << "\nreader: " << error;
  }
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace tenon::tests
