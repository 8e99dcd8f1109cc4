// Starts a new session for a record, because a record contains everything since the scene's start.
#include "runtime/live_view/recording_control.h"

#include <exception>
#include <utility>

#include "runtime/session/output_files.h"
#include "runtime/session/terminal.h"
#include "xr/display/window.h"

namespace tenon::runtime {

SolverSettings solverNow(const SolverSettings& initial, const LiveStatus& status) {
  const std::string name(physics::toText(status.solver));
  if (name == initial.name) return initial;
  SolverSettings now;
  now.name = name;
  now.accuracy = initial.accuracy;
  now.changeable = true;
  return now;
}

namespace {

/// Shows a question; true if it is already shown, so that a second request confirms it.
bool isConfirmed(ViewState& state) {
  const std::string question =
      "Recording restarts the scene and discards its undo history. Press Ctrl+R again to record.";
  if (state.notice == question && state.noticeUntil > xr::Window::now()) return true;
  state.showNotice(question);
  return false;
}

}  // namespace

bool RecordingControl::toggle(LiveSource& source, std::unique_ptr<LiveSession>& live,
                              const OpenedScene& opened, const SolverSettings& initial,
                              const LiveStatus& status, ViewState& state) {
  if (ending_) return false;
  if (status.recording) {
    live->endRecord();
    ending_ = true;
    return false;
  }
  if (status.undoable + status.redoable > 0 && !isConfirmed(state)) return false;
  try {
    const std::string file = uniqueFileName("", ".tenon");
    std::unique_ptr<LiveSession> next =
        source.begin(OpenedScene(opened), {.solver = solverNow(initial, status),
                                           .rate = status.rate,
                                           .paused = status.paused,
                                           .scripted = status.scripted,
                                           .guidance = status.guidance,
                                           .handsAwaitOpening = true,
                                           .record = file});
    next->setSpeed(status.speed);
    complete_ = live->finish("done") && complete_;
    live = std::move(next);
    file_ = file;
  } catch (const std::exception& error) {  // any failure: the current session continues
    state.showNotice(error.what());
    return false;
  }
  startedByKey_ = true;
  state.showNotice("Recording from the scene's start: " + file_);
  printMessage("recording to " + file_);
  return true;
}

void RecordingControl::report(const LiveStatus& status, ViewState& state) {
  if (!std::exchange(recording_, status.recording) || status.recording) return;
  const bool byKey = std::exchange(ending_, false);
  if (status.recordingEndedEarly) return state.showNotice("Recording failed and ended early: " + file_);
  if (!byKey) return;
  state.showNotice("Recorded: " + file_);
  printMessage("session recorded in " + file_);
}

bool RecordingControl::requireRecording(const std::string& item, const LiveStatus& status,
                                        ViewState& state) const {
  if (status.recording && !ending_) return true;
  state.showNotice(item + " not saved: no recording is active. Ctrl+R records from the scene's start.");
  return false;
}

bool RecordingControl::finish(LiveSession& live, const LiveStatus& status, const std::string& how) {
  complete_ = live.finish(how) && complete_;
  if (complete_ && startedByKey_ && status.recording) printMessage("session recorded in " + file_);
  return complete_;
}

}  // namespace tenon::runtime
