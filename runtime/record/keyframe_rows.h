// Reads the rows of one keyframe, except the bodies' states, by tick.
#pragma once

#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "physics/world.h"
#include "runtime/assess/keyframe.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// Throws content::InputError for invalid rows. `session` must outlive it.
class KeyframeRows {
 public:
  explicit KeyframeRows(const SessionReader& session);

  /// Replaces `hands`: X_WH, body, force and torque.
  void readHands(std::int64_t tick, std::vector<physics::HandState>& hands);
  /// Last recorded head pose up to that tick; empty without tracking or without a headset.
  std::optional<physics::Pose> readHead(std::int64_t tick);
  void readGoals(std::int64_t tick, std::vector<RecordedGoalState>& goals);
  void readContacts(std::int64_t tick, std::vector<physics::ContactForce>& contacts);

 private:
  /// Runs `rows` for this tick and calls `take` with each row.
  template <class Take>
  void each(SQLite::Statement& rows, std::int64_t tick, const Take& take);
  void checkBody(int body, std::int64_t tick, const char* table) const;

  const SessionReader& session_;
  SQLite::Statement hands_, head_, goals_, contacts_;
};

}  // namespace tenon::runtime
