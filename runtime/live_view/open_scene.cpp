// Hands and floor are added to the scene text, so that a record contains exactly what was simulated.
#include "runtime/live_view/open_scene.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "content/input/parse_json.h"
#include "content/reader/find_scene.h"
#include "runtime/live_view/scene_floor.h"
#include "runtime/plan/plan_json.h"
#include "runtime/session/run_scene.h"
#include "runtime/session/script_file.h"

namespace tenon::runtime {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using content::InputError;

bool hasHand(const Json& hands, const char* name) {
  return std::any_of(hands.begin(), hands.end(), [&](const Json& hand) {
    return hand.is_object() && hand.contains("name") && hand["name"] == name;
  });
}

/// Removes the time limits of goals, because interactive sessions have none. Goals without a limit use the
/// scene's duration, so that is extended. True if the scene changed.
bool removeTimeLimits(Json& scene) {
  constexpr double kSessionDuration = 86400;  // [s]
  if (!scene.contains("goals") || !scene["goals"].is_array() ||
      (scene.contains("duration_s") && !scene["duration_s"].is_number()))
    return false;
  for (Json& goal : scene["goals"])
    if (goal.is_object()) goal.erase("time_limit_s");
  scene["duration_s"] = kSessionDuration;
  return true;
}

/// The scene text with the script's hands and the missing hands added. An invalid scene is returned
/// unchanged; parsing it reports the error.
std::string withHands(std::string text, const std::string& file, const std::optional<std::string>& script,
                      bool plays) {
  Json scene = content::parseOrderedJson(text, file);
  if (!scene.is_object()) return text;
  if (script) scene["hands"] = handsOfScript(*script);
  if (!scene.contains("hands")) scene["hands"] = Json::array();
  Json& hands = scene["hands"];
  if (!hands.is_array()) return text;
  bool changed = script.has_value();
  for (const char* name : {"right", "left"}) {
    if (hasHand(hands, name)) continue;
    hands.push_back({{"name", name}, {"position", {0, 0, 0}}});
    changed = true;
  }
  if (!plays) changed = removeTimeLimits(scene) || changed;
  return changed ? scene.dump(2, ' ', false, Json::error_handler_t::replace) : text;
}

std::string titleOf(const fs::path& file) {
  try {
    const auto scene = content::parseJson(content::readSceneText(file.string()), file.string());
    const bool hasTitle = scene.is_object() && scene.contains("title") && scene["title"].is_string();
    return hasTitle ? scene["title"].get<std::string>() : "";
  } catch (const InputError&) {
    return "";  // opening the scene reports the error
  }
}

OpenedScene read(const SceneOptions& options, std::string text) {
  OpenedScene opened;
  opened.text = std::move(text);
  content::RecordingFileSource files(options.file);
  opened.scene = std::make_shared<const content::Scene>(parseScene(options, opened.text, files));
  opened.meshFiles = files.drain();
  return opened;
}

}  // namespace

OpenedScene openScene(const SceneOptions& options, const std::optional<std::string>& script, bool plays,
                      const std::optional<std::string>& plan) {
  std::string text = readSceneText(options);
  std::map<std::string, int> steps;
  if (plan) {
    const std::string planText = readPlanText(*plan);
    text = applyPlan(text, options.file, planText, *plan).text;
    steps = planSteps(planText, *plan);
  }
  OpenedScene opened = openSceneText(options, std::move(text), script, plays);
  opened.planSteps = std::move(steps);
  return opened;
}

OpenedScene openSceneText(const SceneOptions& options, std::string text,
                          const std::optional<std::string>& script, bool plays) {
  OpenedScene opened = read(options, withHands(std::move(text), options.file, script, plays || script));
  if (const std::optional<double> height = floorHeight(*opened.scene)) {
    Json withFloor = content::parseOrderedJson(opened.text, options.file);
    addFloor(withFloor, *opened.scene, *height);
    opened = read(options, withFloor.dump(2, ' ', false, Json::error_handler_t::replace));
  }
  return opened;
}

std::vector<SceneEntry> shippedScenes() {
  std::error_code none;
  const fs::path folder = content::shippedSceneFolder();
  std::vector<SceneEntry> scenes;
  if (folder.empty()) return scenes;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == ".json")
      scenes.push_back({fs::proximate(entry.path(), none).string(), titleOf(entry.path())});
  std::sort(scenes.begin(), scenes.end(),
            [](const SceneEntry& a, const SceneEntry& b) { return a.file < b.file; });
  return scenes;
}

std::vector<SceneEntry> sceneEntries(const std::vector<std::string>& files) {
  std::error_code none;
  std::vector<SceneEntry> scenes;
  for (const std::string& file : files)
    if (fs::is_regular_file(file, none)) scenes.push_back({file, titleOf(file)});
  return scenes;
}

SceneOptions sceneOrFirst(SceneOptions options) {
  if (!options.file.empty()) return options;
  const std::vector<SceneEntry> scenes = shippedScenes();
  if (scenes.empty())
    throw InputError("SCENE", "", "is missing, and no scenes are here or installed with the program",
                     "name a scene file");
  const auto first = std::find_if(scenes.begin(), scenes.end(), [](const SceneEntry& entry) {
    return entry.file.find("bolt-in-plate") != std::string::npos;
  });
  options.file = first == scenes.end() ? scenes.front().file : first->file;
  return options;
}

}  // namespace tenon::runtime
