// The keyframes of a session in any order: for those who look around in it.
#pragma once

#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <vector>

#include "physics/world.h"
#include "runtime/record/keyframe_rows.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// All that is recorded of one keyframe.
struct RecordedFrame {
  std::int64_t tick = 0;  ///< of the session
  double time = 0;        ///< of the session [s]
  double step_us = 0;     ///< how long the step took [µs]
  /// Without joints; of the hands X_WH, body, force and torque. Its time is the world's.
  physics::StepResult world;
  std::vector<RecordedGoalState> goals;
};

/// Reads no more of the file than what is asked for, and checks the hash of the states that it gives. Throws
/// content::InputError for what cannot be. `session` must outlive it, and may be read by others.
class SessionFrames {
 public:
  explicit SessionFrames(const SessionReader& session);

  /// The keyframe `tick`, a multiple of keyframeEvery() up to lastKeyframe(). Replaces `frame`.
  void read(std::int64_t tick, RecordedFrame& frame);

  std::int64_t keyframeEvery() const { return every_; }
  std::int64_t lastKeyframe() const { return session_.lastTick() / every_ * every_; }
  /// The latest one up to a tick, which may be beyond the end.
  std::int64_t keyframeUpTo(std::int64_t tick) const;

  /// Of the session, at the end of a tick [s].
  double timeOf(std::int64_t tick);
  /// The last tick that ends no later than this; 0 where none does.
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
  std::vector<physics::BodyState> states_;  ///< of the keyframe that was read last
  std::int64_t statesTick_ = -1;
};

}  // namespace tenon::runtime
