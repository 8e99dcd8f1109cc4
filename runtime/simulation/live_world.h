// A live session without its thread: controls, scheduled steps, undo of placements.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/assess/goal_watch.h"
#include "runtime/record/recorder.h"
#include "runtime/record/session_events.h"
#include "runtime/simulation/clock.h"
#include "runtime/simulation/hand_mailbox.h"
#include "runtime/simulation/live_trace.h"
#include "runtime/simulation/simulation.h"
#include "runtime/simulation/simulation_frame.h"
#include "runtime/simulation/step_scheduler.h"

namespace tenon::runtime {

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
  /// Source of the scripts; empty: the scene's own.
  std::function<std::unique_ptr<xr::HandSource>(const content::Scene&)> scripts = {};
  /// Creates the recorder for the world at its start; empty: no recording. A record has one scene: another
  /// scene is rejected while recording.
  std::function<std::unique_ptr<Recorder>(const physics::World&)> record = {};
};

// Controls of a running session.
struct PlayControl {
  bool on = true;
};
struct StepControl {};
struct SpeedControl {
  double speed = 1;
};
struct ScriptControl {
  bool on = true;
};
struct GuidanceControl {
  bool on = true;
};
struct ResetControl {};
struct UndoControl {};
struct RedoControl {};
struct SolverControl {
  physics::SolverName solver = physics::SolverName::automatic;
};
struct RateControl {
  double rate = 1000;  ///< [Hz]
};
struct SceneControl {
  std::shared_ptr<const content::Scene> scene;
  double rate = 0;  ///< [Hz], 0: the scene's
};
/// A mark: "bookmark", or "note" with its text.
struct MarkControl {
  SessionMark mark;
};
/// Completes the record; the session continues without one.
struct EndRecordControl {};
using Control = std::variant<PlayControl, StepControl, SpeedControl, ScriptControl, GuidanceControl,
                             ResetControl, UndoControl, RedoControl, SolverControl, RateControl, SceneControl,
                             MarkControl, EndRecordControl>;

/// A placement lasts from the first grasp until no hand holds a part. Undo restores the whole world just
/// before the placement, redo just before the undo, both bit for bit; afterwards closed hands must be opened
/// before they grasp. Scripts start at the scene's start only: starting one later resets the scene, and
/// restoring a state that setHands() produced stops it.
class LiveWorld {
 public:
  static constexpr std::size_t kMaxPlacements = 100;

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
  std::int64_t stepsDone() const { return stepsDone_; }
  /// Fills in all of `moment` except the fields about its publication.
  void fillFrame(SimulationFrame& moment) const;
  /// History of the session; the caller drains it.
  LiveTrace& trace() { return trace_; }

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
    std::optional<double> scriptEnd;  ///< of the scene's own scripts [s]; none: no hand has one
  };
  /// A moment to come back to.
  struct Checkpoint {
    std::string text;
    std::int64_t tick = 0;  ///< after which the world was so, as stepsDone() counts
    Simulation::State simulation;
    std::vector<GoalWatch> watches;
    bool scripted = false;  ///< the scene's scripts alone led there, and may go on from there
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
  void perform(const SceneControl& control);
  void perform(const MarkControl& control);
  void perform(const EndRecordControl& control);

  std::unique_ptr<Session> begin(std::shared_ptr<const content::Scene> scene,
                                 const physics::WorldOptions& options);
  void beginWith(std::unique_ptr<Session> session);
  bool hasScript() const { return options_.scripts || session_->scriptEnd; }
  Checkpoint makeCheckpoint(std::string text) const;
  void pushUndo(const std::string& text);
  void returnToStart();
  void restore(const Checkpoint& state);
  void push(std::deque<Checkpoint>& list, Checkpoint state);
  /// False also if the record has ended early.
  bool isRecording() const { return recorder_ != nullptr && recorder_->isComplete(); }
  /// Runs one step to record a change already applied to the world. No effect without a record.
  void recordChange(const WorldChange& change, SessionMark mark);
  void reject(const std::string& why);
  void appendEvent(const char* kind, const std::string& text);
  void openPlacement();
  void closePlacement();
  void countStep(std::int64_t now, std::int64_t droppedSteps);
  void assess(double step_us);
  void fillRecord(double step_us);
  void appendTrace(double lateness_us);
  void stopAtNotFinite();
  void refreshRecord();
  SessionEvents watchEvents();
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

  std::optional<Checkpoint> start_, open_;  ///< before the first step; before the current placement
  std::deque<Checkpoint> undo_, redo_;      ///< the latest last

  LiveStatus status_;
  std::int64_t countedSince_ns_ = 0, counted_ = 0, countedDroppedSteps_ = 0;  ///< for LiveStatus::achieved

  StepRecord record_;                 ///< of the last step
  std::vector<WorldChange> changes_;  ///< recorded with the next step, and their marks
  std::vector<SessionMark> marks_;
  std::int64_t stepsDone_ = 0;
  std::int64_t currentStep_ = 0;  ///< published step that produced the present world; an undo changes it
  std::int64_t displayTime_ns_ = 0, displayInterval_ns_ = 0, sampleTime_ns_ = -1;
  bool discontinuous_ = true;  ///< the present state does not follow from the previous one
  LiveTrace trace_;
  std::vector<GoalPoint> lastPoints_;  ///< by goal
  SessionEvents events_;
};

}  // namespace tenon::runtime
