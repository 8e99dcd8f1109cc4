// The beginning of a session with a person in it, in a window or in a headset.
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
  double rate = 0;  ///< [Hz], 0: the scene's
  bool paused = false, scripted = false, guidance = false;
  bool handsAwaitOpening = false;         ///< as LiveOptions has it
  std::int64_t inactivityTimeout_ns = 0;  ///< as LiveOptions has it
  std::optional<std::string> record;      ///< session file
  bool force = false;                     ///< the record may take the place of a file
};

/// Throws what LiveSimulation's constructor throws.
std::unique_ptr<LiveSimulation> beginLive(OpenedScene opened, const LiveStart& start);

}  // namespace tenon::runtime
