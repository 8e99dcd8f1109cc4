// Opens a scene for an interactive session: adds two hands, a floor, and optionally another script.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/session/scene_options.h"

namespace tenon::runtime {

struct OpenedScene {
  std::shared_ptr<const content::Scene> scene;
  std::string text;  ///< of the file, with the added hands and floor
  content::FileBytes meshFiles;
  std::map<std::string, int> planSteps{};  ///< by part: the number of its step, with a plan
};

/// Reads a scene. Adds hands "right" and "left" at the origin, without a script, if the file lacks them.
/// `script`: a JSON file with "hands" as in a scene file, which replace the scene's own. A scene with goals
/// and without a half-space gets a floor (scene_floor.h). Unless `plays`, goals have no time limit. `plan`:
/// file of a plan, whose start poses and goals are merged into the scene. Throws like loadScene(), and
/// InputError for a script without hands.
OpenedScene openScene(const SceneOptions& options, const std::optional<std::string>& script, bool plays,
                      const std::optional<std::string>& plan = std::nullopt);

/// The same for the text of a scene that is not in its file: one with unsaved changes.
OpenedScene openSceneText(const SceneOptions& options, std::string text,
                          const std::optional<std::string>& script = std::nullopt, bool plays = false);

/// An entry of the scene picker.
struct SceneEntry {
  std::string file, title;
};

/// The scenes of the folder content/scenes in the working folder or above, else those installed with the
/// program; by name. Empty where there is none.
std::vector<SceneEntry> shippedScenes();
/// Those of these files that exist, with their titles.
std::vector<SceneEntry> sceneEntries(const std::vector<std::string>& files);

/// `options`, with bolt-in-plate (or the first shipped scene) if no file is named. Throws InputError if none
/// exists.
SceneOptions sceneOrFirst(SceneOptions options);

}  // namespace tenon::runtime
