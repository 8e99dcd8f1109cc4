// See study_case.h.
#include "runtime/study/study_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "content/input/input_error.h"
#include "content/input/parse_json.h"
#include "content/input/wording.h"
#include "content/reader/load_scene.h"
#include "content/recognize/recognized_cache.h"
#include "runtime/study/design.h"

namespace tenon::runtime {

namespace {

using content::InputError;
using Json = nlohmann::ordered_json;

/// FNV-1a: recognizes a changed file; it is no protection against intent.
std::uint64_t fnv(const std::string& bytes, std::uint64_t hash) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

std::string placeOf(std::size_t variable) {
  return fmt::format("/variables/{}", variable);
}

void requireParameter(const StudyPlan& plan, std::size_t k, const content::Scene& scene) {
  const Variable& variable = plan.variables[k];
  std::vector<std::string> names;
  for (const content::Parameter& parameter : scene.parameters) {
    names.push_back(parameter.name);
    if (parameter.name != variable.name) continue;
    if (variable.low() >= parameter.minimum && variable.high() <= parameter.maximum) return;
    throw InputError(plan.file, placeOf(k),
                     fmt::format("varies {} from {:g} to {:g}, beyond the scene's range", variable.name,
                                 variable.low(), variable.high()),
                     fmt::format("stay within {:g} to {:g}", parameter.minimum, parameter.maximum));
  }
  throw InputError(plan.file, placeOf(k) + "/parameter",
                   content::inQuotes(variable.name) + " is not a parameter of " + plan.scene,
                   content::suggestion(variable.name, names));
}

void requirePointer(const StudyPlan& plan, std::size_t k, const Json& scene) {
  const std::string& name = plan.variables[k].name;
  try {
    if (scene.at(Json::json_pointer(name)).is_number()) return;
  } catch (const Json::exception&) {
    throw InputError(plan.file, placeOf(k) + "/pointer",
                     content::inQuotes(name) + " is no place in " + plan.scene,
                     "write a JSON pointer of the scene file, such as /hands/0/stiffness_n_per_m");
  }
  throw InputError(plan.file, placeOf(k) + "/pointer",
                   content::inQuotes(name) + " is not a number in " + plan.scene,
                   "name a number; vary an expression's parameter instead");
}

content::ParameterValues parametersOf(const StudyPlan& plan, const std::vector<double>& values) {
  content::ParameterValues parameters;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!plan.variables[k].isPointer) parameters[plan.variables[k].name] = values[k];
  return parameters;
}

void store(const RunResult& run, const StudyPlan& plan, CaseResult& result) {
  const GoalResult& goal = decisiveGoal(run);
  result.success = run.notFinite == 0 && isReached(goal.verdict);
  result.verdict = run.notFinite > 0 ? "not-finite" : std::string(toText(goal.verdict));
  result.cause = result.success ? "" : std::string(toText(goal.diagnosis().cause));
  result.peakPush = goal.maxPush;
  result.depth = goal.depth;
  result.tilt = goal.tilt;
  result.time = goal.time;
  result.clearance = goal.fit.known() ? goal.fit.clearance() : goal.fit.wallClearance.value_or(0);
  if (plan.outputs.empty()) return;
  const Json json = Json::parse(toJson(run));
  for (const OutputField& output : plan.outputs) {
    const Json::json_pointer pointer(output.pointer);
    result.outputs.push_back(json.contains(pointer) ? json.at(pointer).dump() : "null");
  }
}

}  // namespace

const GoalResult& decisiveGoal(const RunResult& run) {
  const auto failed = std::find_if(run.goals.begin(), run.goals.end(),
                                   [](const GoalResult& goal) { return !isReached(goal.verdict); });
  return failed == run.goals.end() ? run.goals.back() : *failed;
}

StudyScene::StudyScene(const StudyPlan& plan)
    : StudyScene(plan, loadScene(plan.scene, content::ParameterValues{})) {}

StudyScene::StudyScene(StudyPlan plan, const LoadedScene& loaded)
    : files_(loaded.meshFiles), plan_(std::move(plan)), text_(loaded.text) {
  json_ = content::parseOrderedJson(text_, plan_.scene);
  if (loaded.scene->goals.empty())
    throw InputError(plan_.scene, "/goals", "is empty, so no case can succeed", "give the scene a goal");
  std::uint64_t hash = fnv(text_, 0xCBF29CE484222325);
  for (const auto& [name, bytes] : files_) hash = fnv(bytes, fnv(name, hash));
  fingerprint_ = fmt::format("{:016x}", hash);
  std::vector<double> low, high;
  for (std::size_t k = 0; k < plan_.variables.size(); ++k) {
    const Variable& variable = plan_.variables[k];
    hasPointers_ = hasPointers_ || variable.isPointer;
    if (variable.isPointer)
      requirePointer(plan_, k, json_);
    else
      requireParameter(plan_, k, *loaded.scene);
    low.push_back(variable.low());
    high.push_back(variable.high());
  }
  for (const std::vector<double>& values : {low, high}) {
    content::StoredFileSource files(plan_.scene, files_);
    content::MeshReadOptions meshes;
    meshes.files = &files;
    content::parseScene(sceneText(values), plan_.scene, parametersOf(plan_, values), meshes);
  }
}

std::string StudyScene::sceneText(const std::vector<double>& values) const {
  if (!hasPointers_) return text_;
  Json json = json_;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (plan_.variables[k].isPointer) json.at(Json::json_pointer(plan_.variables[k].name)) = values[k];
  return json.dump(2);
}

CaseRun StudyScene::run(std::int64_t k, const std::atomic<bool>& stop) const {
  const std::vector<double> values = valuesOfCase(plan_, k);
  content::StoredFileSource files(plan_.scene, files_);
  content::MeshReadOptions meshes;
  meshes.files = &files;
  meshes.cacheFolder = content::userCacheFolder();
  LoadedScene loaded;
  try {
    loaded.scene = std::make_shared<const content::Scene>(
        content::parseScene(sceneText(values), plan_.scene, parametersOf(plan_, values), meshes));
  } catch (const InputError& error) {
    return {nullptr, {}, error.what()};
  }
  RunSettings settings;
  settings.rate = plan_.rate;
  settings.seed = seedOfCase(plan_, k);
  RunObserver observer;
  observer.stopRequested = [&stop] { return stop.load(std::memory_order_relaxed); };
  RunOutcome outcome = runScene(loaded, settings, observer);
  return {std::move(loaded.scene), std::move(outcome.result), ""};
}

CaseResult StudyScene::compute(std::int64_t k, const std::atomic<bool>& stop) const {
  CaseResult result;
  result.number = k;
  result.values = valuesOfCase(plan_, k);
  const CaseRun done = run(k, stop);
  if (done.scene) {
    store(done.result, plan_, result);
    return result;
  }
  // A combination of values that is no scene is a result, too.
  result.verdict = "invalid";
  result.cause = done.invalid;
  result.outputs.assign(plan_.outputs.size(), "null");
  return result;
}

}  // namespace tenon::runtime
