// Writes what happens in a live session to its trace: steps, events, contacts, and the curves of goals.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/assess/goal_watch.h"
#include "runtime/record/session_events.h"
#include "runtime/record/step_record.h"
#include "runtime/simulation/live_trace.h"

namespace tenon::runtime {

class TraceWriter {
 public:
  TraceWriter() : events_(watchEvents()) {}
  TraceWriter(const TraceWriter&) = delete;  // events_ refers to this
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Starts the curves of a scene with this number of goals.
  void begin(std::size_t goals) { lastPoints_.assign(goals, {}); }
  /// Ends the events of a scene: its open contacts end.
  void endScene();

  /// Appends a step and counts it. `goals`: results after it.
  void addStep(const StepRecord& record, std::span<const GoalResult> goals, double lateness_us);
  /// Appends an event at `time` [s] after the last step.
  void addEvent(const char* kind, const std::string& text, double time);

  /// Number of steps, not set back by a reset.
  std::int64_t stepsDone() const { return stepsDone_; }
  /// The caller drains it.
  LiveTrace& trace() { return trace_; }

 private:
  SessionEvents watchEvents();

  LiveTrace trace_;
  std::int64_t stepsDone_ = 0;
  std::vector<GoalPoint> lastPoints_;  ///< by goal
  SessionEvents events_;
};

}  // namespace tenon::runtime
