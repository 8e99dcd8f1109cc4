// Step-by-step history of a live session, for plots and lists.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/record/session_events.h"

namespace tenon::runtime {

/// Statistics of one step.
struct StepPoint {
  std::int64_t time_ns = 0;  ///< simulated
  double step_us = 0;        ///< step time
  double lateness_us = 0;    ///< delay of its start
  double residual = 0;       ///< [N]
  double penetration = 0;    ///< [m]
  int contacts = 0, linearizations = 0;
  bool converged = true;
};

/// A point of a goal's force-displacement curve while the part is in the entry region, and of its thread's
/// torque-angle curve; added when one of these has changed visibly.
struct GoalPoint {
  int goal = -1;
  std::int64_t time_ns = 0;
  double depth = 0;  ///< [m]
  double push = 0;   ///< [N]
  bool hasThread = false;
  double driven = 0;  ///< ThreadEngagement::driven [turns]
  double torque = 0;  ///< ThreadEngagement::torque [N m]
};

/// History since the last drainTrace(). Bounded: when full, the older half is dropped.
struct LiveTrace {
  static constexpr std::size_t kMaxEntries = 20000;

  std::vector<StepPoint> steps;
  std::vector<GoalPoint> goals;
  /// Events as in a record (record/session_events.h), with `tick` counting the session's steps, and events of
  /// the session: "undo", "redo", "reset", "solver", "rate", "scene", "failed". describeEvent() returns their
  /// text.
  std::vector<SessionEvent> events;
  std::vector<ContactEpisode> episodes;

  void clear();
  /// Appends `more` and clears it.
  void append(LiveTrace& more);
};

}  // namespace tenon::runtime
