// What a session has recorded of one keyframe beside the bodies' states, read by its tick.
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

/// Throws content::InputError for rows that cannot be. `session` must outlive it.
class KeyframeRows {
 public:
  explicit KeyframeRows(const SessionReader& session);

  /// Replaces `hands`: X_WH, body, force and torque.
  void readHands(std::int64_t tick, std::vector<physics::HandState>& hands);
  /// Where the head of who wore a headset was, as last told up to then; nothing: nowhere to be seen, or there
  /// is none.
  std::optional<physics::Pose> readHead(std::int64_t tick);
  void readGoals(std::int64_t tick, std::vector<RecordedGoalState>& goals);
  void readContacts(std::int64_t tick, std::vector<physics::ContactForce>& contacts);

 private:
  /// Runs `rows` for this tick and gives each row to `take`.
  template <class Take>
  void each(SQLite::Statement& rows, std::int64_t tick, const Take& take);
  void checkBody(int body, std::int64_t tick, const char* table) const;

  const SessionReader& session_;
  SQLite::Statement hands_, head_, goals_, contacts_;
};

}  // namespace tenon::runtime
