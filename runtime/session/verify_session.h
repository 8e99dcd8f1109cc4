// Re-simulates a session and compares every state: `tenon replay --verify`, and verify() of the Python
// module.
#pragma once

#include <functional>
#include <string>

#include "runtime/record/replay_check.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

struct SessionVerification {
  ReplayCheck check;
  /// Why this program cannot reproduce the session bit for bit, so that only its hashes were checked; "": it
  /// can.
  std::string obstacle;
  bool canceled = false;

  /// Every state was reproduced.
  bool isVerified() const { return obstacle.empty() && !canceled && !check.firstDifferent; }
};

/// Reads `session`, which must be at its start, to its end. `progress` is called with the time of each tick
/// [s]; false cancels. Throws content::InputError for a damaged session.
SessionVerification verifySession(SessionReader& session, const std::function<bool(double)>& progress);

/// The outcome as text, with a line end; `wall`: time that it took [s].
std::string verificationText(const SessionReader& session, const SessionVerification& verification,
                             double wall);

}  // namespace tenon::runtime
