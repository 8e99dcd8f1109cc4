// The window and what goes on in it: input, panels, physics on its own thread, pictures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/session/scene_options.h"
#include "runtime/session/solver_settings.h"

namespace tenon::runtime {

struct PreviewOptions {
  SceneOptions scene;  ///< no file: the first of those that come along
  SolverSettings solver;
  double rate = 0;                    ///< [Hz], 0: the scene's
  std::optional<std::string> script;  ///< file whose hands take the place of the scene's, and play
  bool play = false;                  ///< the scene's own script plays
  bool paused = false;
  bool guidance = false;                  ///< helps hands on their way into holes
  std::optional<std::string> record;      ///< session file
  bool force = false;                     ///< what is written may take the place of files
  std::optional<std::string> size;        ///< of the window, "WxH"
  double after = 0;                       ///< simulated time from which `frames` are counted [s]
  std::int64_t frames = 0;                ///< then the screenshot is taken; 0: at no time
  std::optional<std::string> screenshot;  ///< file
  bool quit = false;                      ///< after that
  std::optional<std::string> trace;       ///< file
};

/// Runs until the window is closed. Returns the program's exit code. Throws content::InputError for bad
/// input, xr::GraphicsUnavailable where the machine cannot show a window.
int runPreview(const PreviewOptions& options);

}  // namespace tenon::runtime
