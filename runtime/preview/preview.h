// tenon preview: an interactive window with panels; physics runs on its own thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "runtime/live_view/begin_live.h"
#include "runtime/session/scene_options.h"
#include "runtime/session/solver_settings.h"

namespace tenon::runtime {

struct PreviewOptions {
  std::shared_ptr<LiveSource> source = localSessions();
  SceneOptions scene;  ///< without a file: an empty workbench, or the first shipped scene to play or record
  SolverSettings solver;
  double rate = 0;                    ///< [Hz]; 0: the scene's rate
  std::optional<std::string> script;  ///< file with hands to play instead of the scene's
  bool play = false;                  ///< play the scene's own script
  bool paused = false;
  bool guidance = false;                  ///< guide parts into holes
  std::optional<std::string> record;      ///< session file
  bool force = false;                     ///< overwrite existing files
  std::optional<std::string> size;        ///< window size "WxH"
  double after = 0;                       ///< simulated time from which `frames` are counted [s]
  std::int64_t frames = 0;                ///< take the screenshot after these; 0: never
  std::optional<std::string> screenshot;  ///< file
  bool quit = false;                      ///< exit after the frames
  std::optional<std::string> trace;       ///< file
};

/// Runs until the window is closed and returns the exit code. Throws content::InputError for bad input,
/// xr::GraphicsUnavailable if no window can be shown.
int runPreview(const PreviewOptions& options);

}  // namespace tenon::runtime
