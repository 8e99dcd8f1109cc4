// Options shared by all commands that read a scene: SCENE and --set NAME=VALUE.
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

/// Reads the text of the scene file. Throws content::InputError if it cannot be read.
std::string readSceneText(const SceneOptions& options);

/// Parses the text with the --set values. Throws content::InputError for a setting that is not a name and a
/// finite number, for a name given twice, and like content::parseScene().
content::Scene parseScene(const SceneOptions& options, const std::string& text, content::FileSource& files,
                          content::SceneChecks checks = content::SceneChecks::all,
                          std::shared_ptr<void>* keptMeshes = nullptr);

/// content::parseScene() with the user's mesh cache; shows the progress of mesh reading on the terminal.
content::Scene parseSceneWithProgress(const std::string& text, const std::string& file,
                                      const content::ParameterValues& values, content::FileSource& files,
                                      content::SceneChecks checks = content::SceneChecks::all,
                                      std::shared_ptr<void>* keptMeshes = nullptr);

/// Validator for finite numbers in [minimum, maximum].
CLI::Validator finiteIn(double minimum, double maximum);

/// Validator for integers in [0, 2⁶⁴); CLI11 itself would wrap or clip them.
CLI::Validator wholeNumber();

}  // namespace tenon::runtime
