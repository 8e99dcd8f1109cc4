// Random access to the keyframes of a session.
#pragma once

#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <vector>

#include "physics/world.h"
#include "runtime/record/keyframe_rows.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// All recorded data of one keyframe.
struct RecordedFrame {
  std::int64_t tick = 0;  ///< of the session
  double time = 0;        ///< of the session [s]
  double step_us = 0;     ///< step time [µs]
  /// Without joints; hands have X_WH, body, force and torque. Its time is the world's.
  physics::StepResult world;
  std::vector<RecordedGoalState> goals;
};

/// Reads only the rows of the requested keyframe and checks the hash of its states. Throws
/// content::InputError for invalid data. `session` must outlive it; other readers may use it too.
class SessionFrames {
 public:
  explicit SessionFrames(const SessionReader& session);

  /// Reads keyframe `tick`, a multiple of keyframeEvery() up to lastKeyframe(). Replaces `frame`.
  void read(std::int64_t tick, RecordedFrame& frame);

  std::int64_t keyframeEvery() const { return every_; }
  std::int64_t lastKeyframe() const { return session_.lastTick() / every_ * every_; }
  /// The latest keyframe up to a tick, which may be beyond the end.
  std::int64_t keyframeUpTo(std::int64_t tick) const;

  /// Time of the session at the end of a tick [s].
  double timeOf(std::int64_t tick);
  /// The last tick that ends at or before `time`; 0 if none does.
  std::int64_t tickAt(double time);

 private:
  void readBodies(std::int64_t tick, RecordedFrame& frame);
  void readTick(std::int64_t tick, RecordedFrame& frame, std::uint64_t& hash);
  void readStates(std::int64_t tick);
  void readState(const SQLite::Statement& row, std::vector<bool>* known);

  const SessionReader& session_;
  std::int64_t every_;
  SQLite::Statement tick_, time_, backwards_, forwards_;
  KeyframeRows rows_;
  std::vector<physics::BodyState> states_;  ///< of the keyframe read last
  std::int64_t statesTick_ = -1;
};

}  // namespace tenon::runtime
