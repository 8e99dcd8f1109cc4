// What all commands that take a scene have in common: SCENE and --set NAME=VALUE.
#pragma once

#include <string>
#include <vector>

#include "content/input/file_source.h"
#include "content/reader/load_scene.h"
#include "runtime/session/command_line.h"

namespace tenon::runtime {

struct SceneOptions {
  std::string file;
  std::vector<std::string> settings;  ///< "NAME=VALUE"
};

/// Adds SCENE (required) and --set to `command`; `options` must outlive it.
void addSceneOptions(CLI::App& command, SceneOptions& options);

/// The scene's text. Throws content::InputError where the file cannot be read.
std::string readSceneText(const SceneOptions& options);

/// The scene in that text, with its settings. Throws content::InputError for a setting that is not a name and
/// a finite number, a name given twice, and for all that content::parseScene() rejects.
content::Scene parseScene(const SceneOptions& options, const std::string& text, content::FileSource& files);

/// content::parseScene() with the user's cache, telling of meshes on the terminal while it reads them.
content::Scene parseSceneWithProgress(const std::string& text, const std::string& file,
                                      const content::ParameterValues& values, content::FileSource& files);

/// A check for numbers that must be finite and in [minimum, maximum].
CLI::Validator finiteIn(double minimum, double maximum);

/// A check for whole numbers in [0, 2⁶⁴), which the parser itself would wrap or clip.
CLI::Validator wholeNumber();

}  // namespace tenon::runtime
