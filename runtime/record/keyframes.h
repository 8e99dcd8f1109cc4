// Sequential read of a session's keyframes: poses, grasps with their forces, states of the goals.
#pragma once

#include <SQLiteCpp/Statement.h>

#include <optional>
#include <vector>

#include "physics/world.h"
#include "runtime/assess/keyframe.h"
#include "runtime/record/keyframe_rows.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// Reads the session from start to end; it must not have been read before. Checks and throws as SessionReader
/// does.
class Keyframes {
 public:
  explicit Keyframes(SessionReader& session);

  /// Reads the next keyframe; false after the last.
  bool next(Keyframe& frame);

 private:
  SessionReader& session_;
  RecordedStep tick_;
  SQLite::Statement converged_;
  KeyframeRows rows_;
};

}  // namespace tenon::runtime
