// See record_switch.h.
#include "runtime/live_view/recording_control.h"

#include <exception>
#include <utility>

#include "runtime/session/output_files.h"
#include "runtime/session/terminal.h"
#include "xr/display/window.h"

namespace tenon::runtime {

SolverSettings solverNow(const SolverSettings& began, const LiveStatus& status) {
  const std::string name(physics::toText(status.solver));
  return name == began.name ? began : SolverSettings{name, {}};
}

namespace {

/// Asks once; true where that question is still there to be read.
bool isAsked(ViewState& state) {
  const std::string question =
      "Recording begins at the scene's start, and what was done cannot be brought back: once more to record.";
  if (state.notice == question && state.noticeUntil > xr::Window::now()) return true;
  state.say(question);
  return false;
}

}  // namespace

bool RecordingControl::toggle(std::unique_ptr<LiveSimulation>& live, const OpenedScene& opened,
                              const SolverSettings& began, const LiveStatus& status, ViewState& state) {
  if (ends_) return false;
  if (status.recording) {
    live->endRecord();
    ends_ = true;
    return false;
  }
  if (status.undoable + status.redoable > 0 && !isAsked(state)) return false;
  try {
    const std::string file = uniqueFileName("", ".tenon");
    std::unique_ptr<LiveSimulation> next = beginLive(OpenedScene(opened), {.solver = solverNow(began, status),
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
  } catch (const std::exception& error) {  // whatever it is, the session that goes on is worth more
    state.say(error.what());
    return false;
  }
  byKey_ = true;
  state.say("Recording from the scene's start: " + file_);
  say("recording to " + file_);
  return true;
}

void RecordingControl::report(const LiveStatus& status, ViewState& state) {
  if (!std::exchange(recording_, status.recording) || status.recording) return;
  const bool byKey = std::exchange(ends_, false);
  if (status.recordingEndedEarly) return state.say("The record ended early: " + file_);
  if (!byKey) return;
  state.say("Recorded: " + file_);
  say("the session until now is in " + file_);
}

bool RecordingControl::keeps(const std::string& what, const LiveStatus& status, ViewState& state) const {
  if (status.recording && !ends_) return true;
  state.say(what + " not kept: nothing is being recorded. Ctrl+R records from the scene's start.");
  return false;
}

bool RecordingControl::finish(LiveSimulation& live, const LiveStatus& status, const std::string& how) {
  complete_ = live.finish(how) && complete_;
  if (complete_ && byKey_ && status.recording) say("the session is in " + file_);
  return complete_;
}

}  // namespace tenon::runtime
