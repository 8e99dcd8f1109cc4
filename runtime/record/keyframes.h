// A session's keyframes one by one: where everything was, who held what with what force, how goals stood.
#pragma once

#include <SQLiteCpp/Statement.h>

#include <optional>
#include <vector>

#include "physics/world.h"
#include "runtime/assess/keyframe.h"
#include "runtime/record/keyframe_rows.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// Reads the session from its start to its end; it must not have been read before. Checks what SessionReader
/// checks, and throws content::InputError likewise.
class Keyframes {
 public:
  explicit Keyframes(SessionReader& session);

  /// The next one; false after the last.
  bool next(Keyframe& frame);

 private:
  SessionReader& session_;
  RecordedStep tick_;
  SQLite::Statement converged_;
  KeyframeRows rows_;
};

}  // namespace tenon::runtime
