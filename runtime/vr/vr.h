// A scene around a person: a headset, its hands, physics on its own thread, a picture for each eye.
#pragma once

#include <optional>
#include <string>

#include "runtime/commands/scene_options.h"
#include "runtime/commands/solver_settings.h"
#include "runtime/vr/placement.h"

namespace tenon::runtime {

struct VrOptions {
  SceneOptions scene;  ///< no file: the first of those that come along
  SolverSettings solver;
  double rate = 0;                    ///< [Hz], 0: the scene's
  std::optional<std::string> record;  ///< session file
  bool force = false;                 ///< the record may take the place of a file
  Table table;
  double turn = 30;                       ///< by which a stick turns the person [°]; 0: by nothing
  std::optional<std::string> trace;       ///< file
  std::optional<std::string> screenshot;  ///< file
};

/// Runs until the person or the runtime ends it. Returns the program's exit code. Throws content::InputError
/// for bad input, xr::NoGraphics where the machine has no headset, or none that can be drawn for.
int runVr(const VrOptions& options);

}  // namespace tenon::runtime
