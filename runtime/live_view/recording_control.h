// Recording of a window session: started by --record or by key, stopped by key.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "runtime/live_view/begin_live.h"
#include "runtime/live_view/view_state.h"

namespace tenon::runtime {

/// The current solver settings: the initial ones unless the solver was changed since. Their accuracy stays.
SolverSettings solverNow(const SolverSettings& initial, const LiveStatus& status);

/// Shows notices in `state` and prints file names on stderr.
class RecordingControl {
 public:
  /// `file`: the record started by --record, or "".
  explicit RecordingControl(std::string file) : file_(std::move(file)) {}

  /// Stops the record of `live`, or starts one in a new file in the working folder. A record contains
  /// everything since the scene's start, so `live` is replaced by a new session of `source` with the speed,
  /// rate, solver and hands of `status`; if there is something to undo, only on the second request. True if
  /// it was replaced.
  bool toggle(LiveSource& source, std::unique_ptr<LiveSession>& live, const OpenedScene& opened,
              const SolverSettings& initial, const LiveStatus& status, ViewState& state);
  /// Call once per frame. Reports that a record was stopped by key and written, or that it failed.
  void report(const LiveStatus& status, ViewState& state);
  /// True while recording; otherwise shows that `item` (a bookmark or note) is not saved, and how to record.
  bool requireRecording(const std::string& item, const LiveStatus& status, ViewState& state) const;
  /// Ends the session. True if all its records are complete.
  bool finish(LiveSession& live, const LiveStatus& status, const std::string& how);

  const std::string& file() const { return file_; }  ///< the latest record, or ""

 private:
  std::string file_;
  bool startedByKey_ = false;  ///< the current record
  bool recording_ = false;     ///< at the last call of report()
  bool ending_ = false;        ///< stop requested, not yet reported
  bool complete_ = true;       ///< all finished records
};

}  // namespace tenon::runtime
