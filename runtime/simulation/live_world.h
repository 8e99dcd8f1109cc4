// A live session without its thread: controls, scheduled steps, undo of placements.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/assess/goal_watch.h"
#include "runtime/record/recorder.h"
#include "runtime/simulation/clock.h"
#include "runtime/simulation/control.h"
#include "runtime/simulation/hand_mailbox.h"
#include "runtime/simulation/real_time_meter.h"
#include "runtime/simulation/simulation.h"
#include "runtime/simulation/simulation_frame.h"
#include "runtime/simulation/step_scheduler.h"
#include "runtime/simulation/stray_parts.h"
#include "runtime/simulation/trace_writer.h"
#include "runtime/simulation/undo_history.h"

namespace tenon::runtime {

/// A state to return to, bit for bit.
struct LiveCheckpoint {
  std::string text;       ///< of the change that followed it: "reset", "bolt by right"
  std::int64_t tick = 0;  ///< number of the step that produced it
  Simulation::State simulation;
  std::vector<GoalWatch> watches;
  physics::Dynamics dynamics{};  ///< of the next step, also where the change is still queued
  bool scripted = false;         ///< only the scene's scripts led there, so that they can continue from there
  StrayParts strayParts;         ///< where parts lay
};

struct LiveOptions {
  physics::WorldOptions world;  ///< with the initial rate
  bool paused = false;
  double speed = 1;
  bool scripted = false;  ///< hands follow scripts, not setHands()
  bool guidance = false;  ///< aligns hands with holes
  /// Hands that are closed at the start must be opened before they grasp.
  bool handsAwaitOpening = false;
  /// The session pauses after this time of the clock without reportActivity() [ns]; 0: never.
  std::int64_t inactivityTimeout_ns = 0;
  /// Parts that leave the work area return: see StrayParts.
  bool returnsStrayParts = false;
  /// Source of the scripts; empty: the scene's own.
  std::function<std::unique_ptr<xr::HandSource>(const content::Scene&)> scripts = {};
  /// Creates the recorder for the world at its start; empty: no recording. A record has one scene: another
  /// scene is rejected while recording.
  std::function<std::unique_ptr<Recorder>(const physics::World&)> record = {};
};

/// A placement lasts from the first grasp until no hand holds a part. Undo restores the whole world just
/// before the placement, redo just before the undo, both bit for bit; afterwards closed hands must be opened
/// before they grasp. Scripts start at the scene's start only: starting one later resets the scene, and
/// restoring a state that setHands() produced stops it.
class LiveWorld {
 public:
  static constexpr std::size_t kMaxPlacements = UndoHistory<LiveCheckpoint>::kMaxPlacements;

  LiveWorld(std::shared_ptr<const content::Scene> scene, LiveOptions options, Clock& clock);

  /// Thread-safe.
  HandMailbox& mailbox() { return mailbox_; }

  /// Restarts the inactivity timeout. Thread-safe.
  void reportActivity() { lastActivity_ns_ = clock_.now_ns(); }
  /// Pauses the session after the inactivity timeout, and resumes it on activity. True if it changed.
  bool applyInactivityTimeout();

  void apply(const Control& control);
  /// Time of the next step by the clock; StepScheduler::kNever: none is due.
  std::int64_t nextStepTime_ns() const { return singleStep_ ? INT64_MIN : scheduler_.nextStepTime_ns(); }
  /// Computes the due step.
  void step();
  /// Number of steps, not set back by a reset.
  std::int64_t stepsDone() const { return writer_.stepsDone(); }
  /// Fills in all of `frame` except the fields about its publication.
  void fillFrame(SimulationFrame& frame) const;
  /// History of the session; the caller drains it.
  LiveTrace& trace() { return writer_.trace(); }

  const physics::World& world() const { return session_->simulation.world(); }
  /// Ends the recording. True if it is complete or there is none.
  bool finish(const std::string& reason);
  /// Handles an exception of a step or a control: pauses with the world after the last step. Undo, reset,
  /// another scene and resuming work from there.
  void fail(const std::string& why);

 private:
  /// A running scene.
  struct Session {
    Session(std::shared_ptr<const content::Scene> itsScene, const physics::WorldOptions& options,
            std::unique_ptr<xr::HandSource> hands);

    std::shared_ptr<const content::Scene> scene;
    Simulation simulation;
    std::vector<GoalWatch> watches;
    std::vector<GoalResult> goals;
    StrayParts strayParts;            ///< see LiveOptions::returnsStrayParts
    std::optional<double> scriptEnd;  ///< of the scene's own scripts [s]; none: no hand has one
  };

  void perform(const PlayControl& control);
  void perform(const StepControl& control);
  void perform(const SpeedControl& control);
  void perform(const ScriptControl& control);
  void perform(const GuidanceControl& control);
  void perform(const ResetControl& control);
  void perform(const UndoControl& control);
  void perform(const RedoControl& control);
  void perform(const SolverControl& control);
  void perform(const RateControl& control);
  void perform(const DynamicsControl& control);
  void perform(const ThrusterControl& control);
  void perform(const SceneControl& control);
  void perform(const MarkControl& control);
  void perform(const EndRecordControl& control);

  std::unique_ptr<Session> begin(std::shared_ptr<const content::Scene> scene,
                                 const physics::WorldOptions& options);
  void beginWith(std::unique_ptr<Session> session);
  bool hasScript() const { return options_.scripts || session_->scriptEnd; }
  LiveCheckpoint makeCheckpoint(std::string text) const;
  void returnToStart();
  void restore(const LiveCheckpoint& state);
  /// False also if the record has ended early.
  bool isRecording() const { return recorder_ != nullptr && recorder_->isComplete(); }
  /// Runs one step to record a change already applied to the world. No effect without a record.
  void recordChange(const WorldChange& change, SessionMark mark);
  /// Queues the thrusters whose level differs from that of their keys.
  void queueThrusters();
  void reject(const std::string& why);
  void appendEvent(const char* kind, const std::string& text);
  void openPlacement();
  void closePlacement();
  void assess(double step_us);
  void fillRecord(double step_us);
  void stopAtNotFinite();
  void returnStrayParts();
  void refreshRecord();
  std::string placementText(const physics::Grab& grab) const;

  Clock& clock_;
  LiveOptions options_;
  HandMailbox mailbox_;
  std::int64_t step_ns_ = 0;  ///< duration of a step by the clock
  bool scripted_ = false;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Recorder> recorder_;
  bool complete_ = true;  ///< of the finished record
  StepScheduler scheduler_;
  bool singleStep_ = false;  ///< one step while paused
  std::atomic<std::int64_t> lastActivity_ns_;
  bool pausedByInactivity_ = false;  ///< paused only for that reason

  UndoHistory<LiveCheckpoint> history_;

  LiveStatus status_;
  RealTimeMeter meter_;

  StepRecord record_;                 ///< of the last step
  std::vector<WorldChange> changes_;  ///< recorded with the next step, and their marks
  std::vector<SessionMark> marks_;
  physics::Dynamics dynamics_;     ///< of the next step
  std::vector<double> thrusters_;  ///< levels of the keys, by ThrusterId
  std::int64_t currentStep_ = 0;   ///< published step that produced the present world; an undo changes it
  std::int64_t displayTime_ns_ = 0, displayInterval_ns_ = 0, sampleTime_ns_ = -1;
  bool discontinuous_ = true;  ///< the present state does not follow from the previous one
  TraceWriter writer_;
};

}  // namespace tenon::runtime
