// Runs a scene with its scripted hands from its start to its end: `tenon run`, and run() of the Python
// module.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "content/input/file_source.h"
#include "content/model/scene.h"
#include "content/reader/load_scene.h"
#include "runtime/report/run_result.h"
#include "runtime/session/scene_options.h"
#include "runtime/session/solver_settings.h"

namespace tenon::runtime {

/// A scene with the texts and files that it was read from, which a record contains.
struct LoadedScene {
  std::shared_ptr<const content::Scene> scene;  ///< never null once loaded
  std::string text;                             ///< of the scene file
  content::FileBytes meshFiles;                 ///< the files that it refers to
  std::map<std::string, int> planSteps{};       ///< by part: the number of its step, if a plan is carried out
  std::string handsFile{};                      ///< the plan or script that is carried out; empty: none
};

/// The text of a plan file. Throws content::InputError if it cannot be read.
std::string readPlanText(const std::string& planFile);

/// Throws as readSceneText() and parseScene().
LoadedScene loadScene(const SceneOptions& options);
/// The same with the hands, start poses and goals of a plan file of the scene merged into its text.
LoadedScene loadPlannedScene(const SceneOptions& options, const std::string& planFile);
/// The same with the hands of a script file in place of the scene's.
LoadedScene loadScriptedScene(const SceneOptions& options, const std::string& scriptFile);
/// A loaded scene with a plan merged into it, without reading files again. `options`: those of the scene.
/// `planFile`: the name of the plan in messages.
LoadedScene withPlan(const LoadedScene& loaded, const SceneOptions& options, const std::string& planText,
                     const std::string& planFile);
/// The same with the values of parameters as numbers. Throws content::InputError for one that is not finite.
LoadedScene loadScene(const std::string& file, const content::ParameterValues& values);

struct RunSettings {
  SolverSettings solver;
  double rate = 0;                    ///< [Hz], 0: the scene's
  double duration = 0;                ///< [s], 0: the scene's
  std::optional<std::string> record;  ///< session file to write
  std::optional<std::string> report;  ///< Markdown file to write
  bool force = false;                 ///< overwrite existing files
  std::uint64_t seed = 0;
  int threads = 1;
};

/// Longest simulated duration, one day [s].
inline constexpr double kMaxDuration = 86400;
/// Most threads for independent islands.
inline constexpr int kMaxThreads = 64;

/// Throws content::InputError for a number out of range or an unknown name, with the name of its option. The
/// command line rejects these earlier.
void requireValid(const RunSettings& settings);

/// What a run reports while it goes on.
struct RunObserver {
  std::function<void(const std::string&)> message;         ///< warnings and files written; may be empty
  std::function<bool()> stopRequested;                     ///< called after each step; may be empty
  std::function<void(double time, double push)> progress;  ///< after each step [s], [N]; may be empty
};

struct RunOutcome {
  RunResult result;            ///< borrows the scene
  bool recordComplete = true;  ///< false: the record ended early (disk full, or file deleted)
  std::string problem;         ///< why the run ended early; empty: it did not
  /// As `tenon run`: 0, 1, 3 or 130.
  int exitCode() const;
};

/// Checks settings and files, simulates, and finishes record and report. A requested stop ends the run after
/// the present step, with results and complete files. Throws content::InputError before the first step.
RunOutcome runScene(const LoadedScene& loaded, const RunSettings& settings, const RunObserver& observer);

}  // namespace tenon::runtime
