// What happened in a live session, step by step: for plots and lists that the newest moments do not hold.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/record/session_events.h"

namespace tenon::runtime {

/// A step in numbers.
struct StepPoint {
  std::int64_t time_ns = 0;  ///< simulated
  double step_us = 0;        ///< how long it took
  double lateness_us = 0;    ///< by how much it began late
  double residual = 0;       ///< [N]
  double penetration = 0;    ///< [m]
  int contacts = 0, linearizations = 0;
  bool converged = true;
};

/// A point of a goal's curve of push against depth, while the part is in the mouth's catch. Told where either
/// has changed enough to be seen.
struct GoalPoint {
  int goal = -1;
  std::int64_t time_ns = 0;
  double depth = 0;  ///< [m]
  double push = 0;   ///< [N]
};

/// Since it was taken last. Bounded: where nobody takes it, the older half goes.
struct LiveTrace {
  static constexpr std::size_t kMaxEntries = 20000;

  std::vector<StepPoint> steps;
  std::vector<GoalPoint> goals;
  /// As a record has them (record/session_events.h), `tick` counting the session's steps; and of the session
  /// itself: "undo", "redo", "reset", "solver", "rate", "scene", "failed". describeEvent() puts them in
  /// words.
  std::vector<SessionEvent> events;
  std::vector<ContactEpisode> episodes;

  void clear();
  /// Adds `more` and empties it.
  void append(LiveTrace& more);
};

}  // namespace tenon::runtime
