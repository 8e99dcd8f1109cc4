// A session's keyframes one by one: where everything was, who held what with what force, how goals stood.
#pragma once

#include <SQLiteCpp/Statement.h>

#include <string>
#include <vector>

#include "physics/world.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// How a goal stood at a keyframe.
struct RecordedStand {
  std::string verdict;
  double depth = 0, tilt = 0;  ///< [m], [rad]
  double push = 0;             ///< in that tick [N]
};

struct Keyframe {
  std::int64_t tick = 0;
  double time = 0;  ///< [s]
  bool converged = true;
  std::vector<physics::BodyState> bodies;
  std::vector<physics::HandState> hands;  ///< X_WH, body, force and torque
  std::vector<RecordedStand> goals;
};

/// Reads the session from its start to its end; it must not have been read before. Checks what SessionReader
/// checks, and throws content::InputError likewise.
class Keyframes {
 public:
  explicit Keyframes(SessionReader& session);

  /// The next one; false after the last.
  bool next(Keyframe& frame);

 private:
  void readHands(Keyframe& frame);
  void readGoals(Keyframe& frame);

  SessionReader& session_;
  RecordedTick tick_;
  SQLite::Statement converged_, hands_, goals_;
};

}  // namespace tenon::runtime
