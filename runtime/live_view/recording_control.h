// The record of a session in a window: begun with the program or by key, and ended by key.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "runtime/live_view/begin_live.h"
#include "runtime/live_view/view_state.h"

namespace tenon::runtime {

/// The session's solver settings now: those it began with where nobody has changed the solver since.
SolverSettings solverNow(const SolverSettings& began, const LiveStatus& status);

/// Lines for the person go to `state`, names of files also to stderr.
class RecordingControl {
 public:
  /// `file`: of the record that begins with the program, or "".
  explicit RecordingControl(std::string file) : file_(std::move(file)) {}

  /// Ends the record of `live`. Where there is none, begins one in a new file of the working folder. A record
  /// holds all that happened since the scene's start, so `live` becomes a new session of the scene from
  /// there, with the speed, rate, solver and hands of `status`; where something was done in it, only when
  /// asked for twice. True where it did.
  bool toggle(std::unique_ptr<LiveSimulation>& live, const OpenedScene& opened, const SolverSettings& began,
              const LiveStatus& status, ViewState& state);
  /// Once a frame. Says that a record has ended, by key once it has, which takes the disk its time, or early.
  void report(const LiveStatus& status, ViewState& state);
  /// True where bookmarks and notes are recorded; else says that `what` is not kept, and how to record.
  bool keeps(const std::string& what, const LiveStatus& status, ViewState& state) const;
  /// Ends the session. True where all its records are complete.
  bool finish(LiveSimulation& live, const LiveStatus& status, const std::string& how);

  const std::string& file() const { return file_; }  ///< of the latest record; "": there was none

 private:
  std::string file_;
  bool byKey_ = false;      ///< begun by one
  bool recording_ = false;  ///< when report() was called last
  bool ends_ = false;       ///< by key, and the person does not know yet that it has
  bool complete_ = true;    ///< all records that are finished
};

}  // namespace tenon::runtime
