// Scenes are loaded on a thread of their own and started by the frame loop.
#include "runtime/vr/vr_session.h"

#include <chrono>
#include <exception>
#include <utility>

#include "content/model/solver_support.h"
#include "runtime/live_view/recording_control.h"
#include "runtime/session/background_thread.h"
#include "runtime/session/output_files.h"
#include "runtime/session/terminal.h"
#include "runtime/vr/signal_mask.h"

namespace tenon::runtime {

namespace {

constexpr std::int64_t kInactivityTimeout_ns = 250'000'000;  ///< pause after this time without a frame

}  // namespace

VrScene::VrScene(std::shared_ptr<const content::Scene> scene, double motionScale)
    : view(std::move(scene)), hands(*view.scene), rays(*view.scene, view.picker) {
  hands.setMotionScale(motionScale);
}

VrSession::VrSession(const VrOptions& options, std::shared_ptr<const content::Scene> scene,
                     std::string& notice)
    : options_(options),
      notice_(notice),
      solver_(options.solver),
      guidance_(options.guidance),
      scene_(std::make_unique<VrScene>(std::move(scene), 1 / options.fine)) {}

bool VrSession::start(OpenedScene opened, const std::optional<std::string>& record) {
  // Checked here because the simulation throws later.
  SolverSettings solver = live_ ? solverNow(solver_, frame().status) : solver_;
  content::requireSolverSupports(solver.solver(), *opened.scene);
  OpenedScene current = opened;
  std::unique_ptr<VrScene> scene;
  if (opened_.scene && opened_.scene != current.scene)
    scene = std::make_unique<VrScene>(current.scene, 1 / options_.fine);
  std::unique_ptr<LiveSession> next =
      options_.source->begin(std::move(opened), {.solver = solver,
                                                 .rate = options_.rate,
                                                 .paused = !visible_ || pausedByUser_,
                                                 .guidance = guidance_,
                                                 .handsAwaitOpening = true,
                                                 .returnsStrayParts = true,
                                                 .inactivityTimeout_ns = kInactivityTimeout_ns,
                                                 .record = record,
                                                 .force = options_.force});
  // Nothing below throws.
  const bool complete = !live_ || finish("done");
  live_ = std::move(next);
  solver_ = std::move(solver);
  recordFile_ = record.value_or("");
  const bool newScene = scene != nullptr;
  if (newScene) scene_ = std::move(scene);
  opened_ = std::move(current);
  shownMessages_ = 0;
  prediction_ = {};
  training_.reset();
  if (options_.training && !opened_.scene->goals.empty()) training_.emplace(opened_.scene, opened_.planSteps);
  frameBuffer_ = live_->frameBuffer();
  interpolateAt(frameBuffer_, live_->now_ns(), drawn_);
  if (onStart) onStart(newScene);
  return complete;
}

/// Starts the requested scene once it is loaded.
void VrSession::finishOpening() {
  if (!opening_.valid() || opening_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  try {
    const UnblockSignals unblock;
    OpenedScene opened = opening_.get();
    const bool recording = frame().status.recording;
    const std::string file = recordFile_;
    const bool complete = start(std::move(opened), std::nullopt);
    notice_ = !recording ? ""
              : complete ? "Recording stopped with its scene: " + file
                         : "Recording failed and ended early: " + file;
  } catch (const std::exception& error) {  // any failure: the current session continues
    notice_ = error.what();
  }
}

/// A record contains everything since the scene's start, so starting one restarts the scene.
void VrSession::toggleRecord() {
  if (endingRecord_) return;
  if (frame().status.recording) {
    live_->endRecord();
    endingRecord_ = true;
    return;
  }
  try {
    const UnblockSignals unblock;
    const std::string file = uniqueFileName("", ".tenon");
    start(OpenedScene(opened_), file);
    notice_ = "Recording from the start: " + file;
    printMessage("recording to " + file);
  } catch (const std::exception& error) {
    notice_ = error.what();
  }
}

void VrSession::perform(const MenuRequests& requests) {
  finishOpening();
  if (requests.playPause) {
    pausedByUser_ = !frame().status.isPausedByUser();
    pausedByUser_ ? live_->pause() : live_->play();
  }
  if (requests.reset) live_->reset();
  if (requests.undo) live_->undo();
  if (requests.redo) live_->redo();
  if (requests.solver) live_->setSolver(*requests.solver);
  if (requests.guidance) {
    guidance_ = !frame().status.guidance;
    live_->setGuidance(guidance_);
  }
  if (requests.record) toggleRecord();
  if (requests.scene && !opening_.valid()) {
    notice_ = "Loading " + *requests.scene + " …";
    opening_ = std::async(std::launch::async, [file = *requests.scene] {
      lowerPriority();
      return openScene({file, {}}, std::nullopt, false);
    });
  }
}

void VrSession::setVisible(bool visible) {
  if (visible && !visible_ && !pausedByUser_) live_->play();
  if (!visible && visible_) live_->pause();
  visible_ = visible;
}

void VrSession::update(std::int64_t moveDuration_ns, double frameTime) {
  frameBuffer_ = live_->frameBuffer();
  const std::int64_t now_ns = live_->now_ns();
  interpolateAt(frameBuffer_, now_ns, drawn_);
  prediction_.apply(frameBuffer_, now_ns, moveDuration_ns, frameTime, drawn_);
  const LiveStatus& status = frame().status;
  if (status.messages != shownMessages_) {
    shownMessages_ = status.messages;
    notice_ = status.message;
  }
  reportRecording();
}

void VrSession::updateTraining(std::span<const SessionEvent> events) {
  if (!training_) return;
  for (SessionMark& mark : training_->update(frame(), events)) live_->mark(std::move(mark));
}

/// Reports the end of a record once it is written.
void VrSession::reportRecording() {
  const LiveStatus& status = frame().status;
  if (!endingRecord_ || status.recording) return;
  endingRecord_ = false;
  if (status.recordingEndedEarly) {
    notice_ = "Recording failed and ended early: " + recordFile_;
    return;
  }
  notice_ = "Recorded: " + recordFile_;
  printMessage("session recorded in " + recordFile_);
}

bool VrSession::finish(const std::string& how) {
  const bool complete = live_->finish(how);
  recordsComplete_ = recordsComplete_ && complete;
  if (std::exchange(endingRecord_, false) && complete) printMessage("session recorded in " + recordFile_);
  return complete;
}

void VrSession::abort(const std::string& how) {
  if (live_) live_->finish(how);
}

}  // namespace tenon::runtime
