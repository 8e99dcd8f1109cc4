// A live session without its thread: what is asked for, steps when they are due, placements to undo.
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
  physics::WorldOptions world;  ///< with the rate to begin with
  bool paused = false;
  double speed = 1;
  bool scripted = false;  ///< hands follow scripts, not setHands()
  bool guidance = false;  ///< helps hands on their way into holes
  /// Hands that are closed at the start take nothing before they have been open.
  bool handsAwaitOpening = false;
  /// Time stands still while attend() has not been called for so long, by the clock [ns]; 0: never for that.
  std::int64_t inactivityTimeout_ns = 0;
  /// The scripts; none: the scene's own.
  std::function<std::unique_ptr<xr::HandSource>(const content::Scene&)> scripts = {};
  /// Makes the recorder for the world at its start; none: nothing is recorded. A record is of one scene:
  /// while it is written, another one is refused.
  std::function<std::unique_ptr<Recorder>(const physics::World&)> record = {};
};

// What may be asked of a session while it runs.
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
/// Something to be found again later: "bookmark", or "note" with its text.
struct MarkControl {
  SessionMark mark;
};
/// The record is complete; the session goes on without.
struct EndRecordControl {};
using Control = std::variant<PlayControl, StepControl, SpeedControl, ScriptControl, GuidanceControl,
                             ResetControl, UndoControl, RedoControl, SolverControl, RateControl, SceneControl,
                             MarkControl, EndRecordControl>;

/// One placement is from the moment at which a hand takes something, none having held anything, until none
/// holds anything any more. Undo brings back the whole world to just before it, redo to just before the undo,
/// both to the last bit, hands empty or waiting to be opened. Scripts play from the scene's start alone:
/// where they begin later, that is a reset, and a return to a moment that somebody else's hands had led to
/// ends them.
class LiveWorld {
 public:
  static constexpr std::size_t kMaxPlacements = 100;

  LiveWorld(std::shared_ptr<const content::Scene> scene, LiveOptions options, Clock& clock);

  /// For any thread.
  HandMailbox& mailbox() { return mailbox_; }

  /// Somebody sees the session now. For any thread.
  void reportActivity() { lastActivity_ns_ = clock_.now_ns(); }
  /// Pauses a session that nobody attends any more, and plays it on when somebody does again. True: it did.
  bool applyInactivityTimeout();

  void apply(const Control& control);
  /// When the next step is due by the clock; StepScheduler::kNever: none is.
  std::int64_t nextStepTime_ns() const { return singleStep_ ? INT64_MIN : scheduler_.nextStepTime_ns(); }
  /// The step that is due.
  void step();
  /// Steps done, counted over all resets.
  std::int64_t stepsDone() const { return stepsDone_; }
  /// Fills in all of `moment` but what has to do with its passing on.
  void fillFrame(SimulationFrame& moment) const;
  /// What happened since the last call.
  LiveTrace& trace() { return trace_; }

  const physics::World& world() const { return session_->simulation.world(); }
  /// Ends the recording. True where it is complete, or there is none.
  bool finish(const std::string& reason);
  /// A step or a control has thrown: pauses, with the world as the last step left it. Undo, reset, another
  /// scene and playing on work from there.
  void fail(const std::string& why);

 private:
  /// A scene being run.
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
  /// False also where the record has ended early: what happens now is not in it.
  bool isRecording() const { return recorder_ != nullptr && recorder_->isComplete(); }
  /// The step that brings a change, already done to the world, into the record. Nothing without one.
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
  std::int64_t step_ns_ = 0;  ///< how long a step lasts by the clock
  bool scripted_ = false;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Recorder> recorder_;
  bool complete_ = true;  ///< the record, once it is finished
  StepScheduler scheduler_;
  bool singleStep_ = false;  ///< one step, although paused
  std::atomic<std::int64_t> lastActivity_ns_;
  bool pausedByInactivity_ = false;  ///< paused for that reason alone

  std::optional<Checkpoint> start_, open_;  ///< before the first step; before the placement under way
  std::deque<Checkpoint> undo_, redo_;      ///< the latest last

  LiveStatus status_;
  std::int64_t countedSince_ns_ = 0, counted_ = 0, countedDroppedSteps_ = 0;  ///< for LiveStatus::achieved

  StepRecord record_;                 ///< of the last step
  std::vector<WorldChange> changes_;  ///< that the next step brings into the record, and what is told of them
  std::vector<SessionMark> marks_;
  std::int64_t stepsDone_ = 0;
  std::int64_t currentStep_ =
      0;  ///< the step, of those told, that left the world as it is: another one after an undo
  std::int64_t displayTime_ns_ = 0, displayInterval_ns_ = 0, sampleTime_ns_ = -1;
  bool discontinuous_ = true;  ///< no step leads to the present moment
  LiveTrace trace_;
  std::vector<GoalPoint> lastPoints_;  ///< by goal
  SessionEvents events_;
};

}  // namespace tenon::runtime
