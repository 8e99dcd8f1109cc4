// A scene around a person: a headset, its hands, physics on its own thread, a picture for each eye.
#pragma once

#include <optional>
#include <string>

#include "runtime/session/scene_options.h"
#include "runtime/session/solver_settings.h"
#include "runtime/vr/locomotion.h"
#include "runtime/vr/placement.h"

namespace tenon::runtime {

struct VrOptions {
  SceneOptions scene;  ///< no file: the first of those that come along
  SolverSettings solver;
  double rate = 0;                    ///< [Hz], 0: the scene's
  std::optional<std::string> record;  ///< session file
  bool force = false;                 ///< what is written may take the place of files
  std::optional<double> tableHeight;  ///< over the floor [m]; none: in view of the eyes at the start
  double fine = 10;                   ///< with the trigger pulled, motion counts one part of so many, 1…10
  bool guidance = false;              ///< helps hands on their way into holes
  Comfort comfort;
  double scale = 1;  ///< a metre of the scene looks like so many
  bool sound = true;
  bool seated = false;  ///< how high the head is where the floor is not known
  /// How long to wait for runtime and headset, before and in the middle [s]; none: as HeadsetWait has it.
  std::optional<double> patience;
  double refreshRate = 0;                 ///< of the headset's pictures [Hz], 0: as its runtime has it
  bool mirror = true;                     ///< a window beside, where there is a display
  std::optional<std::string> trace;       ///< file
  std::optional<std::string> screenshot;  ///< file
};

/// Runs until the person or the runtime ends it. Returns the program's exit code. Throws content::InputError
/// for bad input, xr::GraphicsUnavailable where the machine has no headset, or none that can be drawn for.
int runVr(const VrOptions& options);

}  // namespace tenon::runtime
