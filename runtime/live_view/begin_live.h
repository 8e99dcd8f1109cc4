// Starts an interactive session, in a window or a headset.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "runtime/live_view/open_scene.h"
#include "runtime/session/solver_settings.h"
#include "runtime/simulation/live_simulation.h"

namespace tenon::runtime {

struct LiveStart {
  SolverSettings solver;
  double rate = 0;  ///< [Hz]; 0: the scene's rate
  bool paused = false, scripted = false, guidance = false;
  bool handsAwaitOpening = false;         ///< see LiveOptions
  std::int64_t inactivityTimeout_ns = 0;  ///< see LiveOptions
  std::optional<std::string> record;      ///< session file
  bool force = false;                     ///< overwrite an existing file
};

/// Starts the simulation of an opened scene. Throws like LiveSimulation's constructor.
std::unique_ptr<LiveSimulation> beginLive(OpenedScene opened, const LiveStart& start);

}  // namespace tenon::runtime
