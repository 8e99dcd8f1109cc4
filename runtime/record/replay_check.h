// Compares a recorded session with its re-simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "runtime/record/resimulation.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// Difference of one body between record and re-simulation at a keyframe.
struct BodyDifference {
  std::int64_t tick = 0;
  int body = -1;
  double distance = 0;      ///< [m]
  double angle = 0;         ///< [rad]
  double speed = 0;         ///< [m/s]
  double spin = 0;          ///< [rad/s]
  int differingBodies = 0;  ///< number of bodies with another pose or velocity at that tick
};

struct ReplayCheck {
  std::int64_t steps = 0;                      ///< re-simulated, or only read without a re-simulation
  std::optional<std::int64_t> firstDifferent;  ///< first tick with another state hash
  double time = 0;                             ///< of that tick [s]
  /// The first differing body at the first keyframe from that tick on; empty if the record ends before.
  std::optional<BodyDifference> body;
};

/// Reads `session` to its end, checking its hashes. With a `resimulation`, which must be at the start, also
/// steps it and compares the hash of each state up to the first difference. `progress` is called with the
/// time of each tick [s]; false cancels. Throws content::InputError as both do.
ReplayCheck verifyReplay(SessionReader& session, Resimulation* resimulation,
                         const std::function<bool(double)>& progress);

}  // namespace tenon::runtime
