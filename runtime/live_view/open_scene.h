// Opens a scene for an interactive session: adds two hands, a floor, and optionally another script.
#pragma once

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
};

/// Reads a scene. Adds hands "right" and "left" at the origin, without a script, if the file lacks them.
/// `script`: a JSON file with "hands" as in a scene file, which replace the scene's own. A scene with goals
/// and without a half-space gets a floor (scene_floor.h). Unless `plays`, goals have no time limit. Throws
/// like loadScene(), and InputError for a script without hands.
OpenedScene openScene(const SceneOptions& options, const std::optional<std::string>& script, bool plays);

/// An entry of the scene picker.
struct SceneEntry {
  std::string file, title;
};

/// The scenes of the folder content/scenes in the working folder or above, else those installed with the
/// program; by name. Empty where there is none.
std::vector<SceneEntry> shippedScenes();

/// `options`, with bolt-in-plate (or the first shipped scene) if no file is named. Throws InputError if none
/// exists.
SceneOptions sceneOrFirst(SceneOptions options);

}  // namespace tenon::runtime
