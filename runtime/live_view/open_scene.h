// A scene as a window needs it: with two hands for the mouse, and perhaps another script.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/session/scene_options.h"

namespace tenon::runtime {

struct OpenedScene {
  std::shared_ptr<const content::Scene> scene;
  std::string text;  ///< that it was made of: the file's, with the hands and the floor that were added
  content::FileBytes meshFiles;
};

/// Reads it. Hands "right" and "left" that the file has not are added, at the origin and without a script;
/// with `script`, a JSON file with "hands" as in a scene file (a scene file will do), those take the place of
/// the scene's own. Throws as loadScene() does, and InputError for a script that has no hands.
/// A scene with goals and without a half-space gets a floor (scene_floor.h).
/// Unless `plays`, hands are a person's, and goals have no time limit.
OpenedScene openScene(const SceneOptions& options, const std::optional<std::string>& script, bool plays);

/// A scene that is there to be opened.
struct SceneEntry {
  std::string file, title;
};

/// The scenes of the folder content/scenes, looked for from the working folder upwards, then from where the
/// program is; by name. Empty where there is none.
std::vector<SceneEntry> shippedScenes();

/// `options`, with the first of these where no file is named. Throws InputError where there is none.
SceneOptions sceneOrFirst(SceneOptions options);

}  // namespace tenon::runtime
