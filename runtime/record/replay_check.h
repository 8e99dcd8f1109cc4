// A recorded session against its re-simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "runtime/record/resimulation.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// One body at a tick whose states were recorded: how far the re-simulation is from it.
struct BodyDifference {
  std::int64_t tick = 0;
  int body = -1;
  double distance = 0;      ///< [m]
  double angle = 0;         ///< [rad]
  double speed = 0;         ///< [m/s]
  double spin = 0;          ///< [rad/s]
  int differingBodies = 0;  ///< bodies that are elsewhere, or move otherwise, at that tick
};

struct ReplayCheck {
  std::int64_t steps = 0;                      ///< re-simulated, or read where there was no world
  std::optional<std::int64_t> firstDifferent;  ///< tick with another state hash
  double time = 0;                             ///< of that tick [s]
  /// The first body, at the first recorded states from that tick on; nothing where the record ends before.
  std::optional<BodyDifference> body;
};

/// Reads `session` to its end, which checks its own hashes, and with a `resimulation` that has not begun also
/// steps that and compares the hash of each state, up to the first that differs. `progress` is told the time
/// of each tick [s] and stops it all by returning false. Throws content::InputError as both do.
ReplayCheck check(SessionReader& session, Resimulation* resimulation,
                  const std::function<bool(double)>& progress);

}  // namespace tenon::runtime
