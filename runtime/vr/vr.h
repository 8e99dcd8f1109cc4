// tenon vr: an interactive scene in a headset; physics runs on its own thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "runtime/live_view/begin_live.h"
#include "runtime/session/scene_options.h"
#include "runtime/session/solver_settings.h"
#include "runtime/vr/locomotion.h"
#include "runtime/vr/placement.h"
#include "xr/openxr/eye_views.h"

namespace tenon::runtime {

struct VrOptions {
  std::shared_ptr<LiveSource> source = localSessions();
  SceneOptions scene;  ///< without a file: the first shipped scene
  SolverSettings solver;
  double rate = 0;                    ///< [Hz]; 0: the scene's rate
  std::optional<std::string> record;  ///< session file
  bool force = false;                 ///< overwrite existing files
  std::optional<double> tableHeight;  ///< above the floor [m]; std::nullopt: see visibleTableHeight()
  double fine = 10;                   ///< divisor of hand motion while the trigger is pulled, 1…10
  bool guidance = false;              ///< guide parts into holes
  bool training = false;              ///< show the assembly step by step: see Training
  std::optional<std::string> plan;    ///< file of the plan to train
  Comfort comfort;
  double scale = 1;  ///< displayed size of a meter of the scene
  bool sound = true;
  bool seated = false;  ///< lower eye height if the runtime has no floor
  /// Timeout for runtime and headset, before and during the session [s]; std::nullopt: see HeadsetWait.
  std::optional<double> waitTimeout;
  double refreshRate = 0;  ///< of the headset [Hz]; 0: the runtime's default
  double resolution = 1;   ///< of the eyes' images, relative to the recommended one
  xr::EyeViews views = xr::EyeViews::preferred;
  std::optional<bool> dynamicResolution;  ///< see xr::HeadsetOptions
  bool passthrough = false;               ///< show the real room behind the scene
  bool mirror = true;                     ///< mirror window on the desktop
  std::optional<std::string> trace;       ///< file
  std::optional<std::string> screenshot;  ///< file
};

/// Runs until the user or the runtime ends the session and returns the exit code. Throws content::InputError
/// for bad input, xr::GraphicsUnavailable without a usable headset.
int runVr(const VrOptions& options);

}  // namespace tenon::runtime
