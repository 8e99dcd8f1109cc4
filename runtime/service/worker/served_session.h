// A session of the service: a scene on a thread of its own, stepped on request or by the clock, recorded,
// published.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/record/recorder.h"
#include "runtime/session/run_scene.h"
#include "runtime/simulation/clock.h"
#include "runtime/simulation/lockstep_simulation.h"
#include "runtime/simulation/step_scheduler.h"
#include "runtime/simulation/undo_history.h"
#include "tenon/v1/sessions.pb.h"
#include "tenon/v1/state.pb.h"

namespace tenon::service {

/// Settings of a session, checked.
struct SessionSettings {
  runtime::RunSettings run;           ///< solver, rate, seed, threads; `record` and `report` are ignored
  bool scripted = true;               ///< hands follow their scripts until a command or a sample
  std::optional<std::string> record;  ///< file of its record, which must not exist
};

/// All members may be called from any thread. What changes the world runs on the session's own thread,
/// between two steps, in the order of calls. Errors are content::InputError for bad values and StatusError
/// for all others.
class ServedSession {
 public:
  static constexpr std::size_t kMaxSnapshots = 100;
  static constexpr std::size_t kMaxPendingCommands = 100'000;
  static constexpr double kMaxStreamRate = 240;  ///< of published states [1/s]

  /// What is published after a step.
  struct Observation {
    v1::State state;        ///< without events
    std::int64_t tick = 0;  ///< steps computed so far, never set back
    physics::StepResult step;
    std::vector<runtime::GoalResult> goals;
  };

  /// A stream of states: what its reader has got so far.
  struct Cursor {
    std::int64_t state = -1;  ///< number of the last state
    std::int64_t event = 0;   ///< number of the next event
  };

  /// Throws what the command line throws for these settings.
  ServedSession(runtime::LoadedScene loaded, const SessionSettings& settings);
  /// Calls finish("given up").
  ~ServedSession();
  ServedSession(const ServedSession&) = delete;
  ServedSession& operator=(const ServedSession&) = delete;

  const content::Scene& scene() const { return *loaded_.scene; }
  /// At the start [Hz]: tick / startRate() is the session's time, as its record counts it.
  double startRate() const { return startRate_; }
  /// Poses of all parts at the start.
  const std::vector<physics::Pose>& startPoses() const { return startPoses_; }

  /// Whether the client no longer waits for a call.
  using Canceled = std::function<bool()>;

  /// Computes steps until `canceled` returns true, and returns the last state.
  v1::State step(std::int64_t steps, const Canceled& canceled);
  /// Queues all commands or, if one is invalid, none. `lease`: of the caller; 0: none. Here and below: where
  /// `canceled` returns true before the session's thread begins, nothing is done, and StatusError with
  /// CANCELLED is thrown.
  void apply(const std::vector<v1::Command>& commands, std::int64_t lease, const Canceled& canceled = {});
  v1::Pace control(const v1::ControlRequest& request, const Canceled& canceled = {});
  v1::State state();
  std::int64_t snapshot(const Canceled& canceled = {});
  v1::State restore(std::int64_t snapshot, const Canceled& canceled = {});

  /// Leases hands; returns the number of the lease.
  std::int64_t lease(const std::vector<int>& hands);
  /// The hands of the lease are untracked, and free.
  void endLease(std::int64_t lease);
  void follow(const v1::HandSample& sample, std::int64_t lease);

  /// Begins and ends a stream of states. `withPast`: its first state has the events before it, as many as the
  /// session keeps.
  void beginStream(Cursor& cursor, bool withPast = false);
  void endStream();
  /// Waits for a state that the stream does not have yet, at most until `limit`. False: there is none.
  bool next(Cursor& cursor, v1::State& state, std::chrono::steady_clock::time_point limit);
  /// The same, with what happened since the state before.
  bool next(Cursor& cursor, std::shared_ptr<const Observation>& newest, std::vector<v1::Event>& events,
            std::chrono::steady_clock::time_point limit);
  /// True once the last state is published.
  bool isFinished() const { return ended_; }

  /// What the session has done so far.
  struct Counters {
    std::int64_t steps = 0;        ///< computed
    std::int64_t stepTime_ns = 0;  ///< that these took
    std::int64_t played = 0;       ///< of them, by the clock
    std::int64_t dropped = 0;      ///< due by the clock, but dropped
    std::int64_t lateness_ns = 0;  ///< of the last step by the clock, at its start
    int streams = 0;               ///< of states
  };
  /// Returns at once, also while steps are computed.
  Counters counters() const;

  /// Ends the session between two steps, and its record. True if the record is complete, or there is none. A
  /// second call returns the same.
  bool finish(const std::string& reason);

 private:
  struct ScheduledCommand {
    v1::Command command;
    std::int64_t lease = 0;  ///< of the client that gave it
  };

  /// A state to return to.
  struct Checkpoint {
    std::string text;  ///< of the change that followed it; empty for snapshots of clients
    runtime::LockstepSimulation::Snapshot value;
    std::int64_t tick = 0;  ///< of the record
  };

  /// Runs `body` on the session's thread, and returns or throws what it does, unless the call is canceled by
  /// then.
  template <class Body>
  auto perform(const Canceled& canceled, Body body) -> decltype(body());
  template <class Body>
  auto perform(Body body) -> decltype(body()) {
    return perform(Canceled(), std::move(body));
  }
  static void requireWaiting(const Canceled& canceled);
  void enqueue(std::function<void()> task);
  void work();
  bool runTasks();
  void stepByClock();
  void stepOnce();
  void assess(const physics::StepResult& tick, double step_us);
  void recordChanges();
  void requireAdvancing() const;
  /// True where no other lease holds the hand; −1: the command has none.
  bool mayUse(int hand, std::int64_t lease) const;
  void applyPending();
  void restore(const Checkpoint& state);
  Checkpoint makeCheckpoint(std::string text) const;
  void openPlacement(const std::vector<physics::Command>& commands);

  // --- what Control does, served_session_controls.cpp
  void setPlaying(bool on);
  void setSpeed(double speed);
  void undo();
  void redo();
  void setSolver(const std::string& name);
  void setRate(double rate);
  void setGuidance(bool on);
  void mark(const v1::Mark& mark);
  void endRecord();
  /// Adds a mark to the events, and to the record with the next step.
  void addChange(const runtime::WorldChange& change, const runtime::SessionMark& mark);
  void addEvent(const runtime::SessionMark& mark);

  void publishIfDue();
  void publish();
  v1::State currentState() const;
  v1::Pace pace() const;
  v1::Settings settings() const;
  std::int64_t now_ns() const { return clock_.now_ns(); }

  runtime::LoadedScene loaded_;
  physics::WorldOptions options_;
  std::string solver_;    ///< name, as --solver
  double startRate_ = 0;  ///< [Hz]
  std::vector<physics::Pose> startPoses_;
  runtime::SteadyClock clock_;

  // --- of the session's thread
  std::unique_ptr<runtime::LockstepSimulation> simulation_;
  std::unique_ptr<runtime::Recorder> recorder_;
  runtime::StepScheduler scheduler_;
  double rate_ = 0;  ///< [Hz]
  std::string failure_;
  std::int64_t ticks_ = 0;                     ///< steps computed, not set back
  std::int64_t currentTick_ = 0;               ///< that produced the present world
  std::vector<runtime::WorldChange> changes_;  ///< recorded with the next step, and their marks
  std::vector<runtime::SessionMark> marks_;
  runtime::UndoHistory<Checkpoint> history_;
  bool guidance_ = false;
  std::int64_t returns_ = 0;
  std::multimap<std::int64_t, ScheduledCommand> pending_;  ///< by the step at whose beginning they act
  std::size_t queued_ = 0;                                 ///< commands given for the next step
  std::map<std::int64_t, Checkpoint> snapshots_;
  std::int64_t snapshotNumber_ = 0;
  std::vector<std::int64_t> leases_;  ///< by hand; 0: free
  std::int64_t leaseNumber_ = 0;
  runtime::StepRecord record_;
  runtime::SessionEvents events_;
  std::int64_t nextPublish_ns_ = 0;
  bool changed_ = true;  ///< since the last publication

  // --- shared
  mutable std::mutex mutex_;
  std::condition_variable woken_, published_;
  std::deque<std::function<void()>> tasks_;
  std::shared_ptr<const Observation> newest_;
  std::int64_t newestNumber_ = -1;
  std::deque<v1::Event> recentEvents_;
  std::int64_t firstEvent_ = 0;  ///< number of the first of them
  std::atomic<int> streams_{0};
  std::atomic<std::int64_t> steps_{0}, stepTime_ns_{0}, played_{0}, dropped_{0}, lateness_ns_{0};
  std::atomic<bool> stop_{false}, ended_{false};

  std::mutex finishMutex_;
  bool finished_ = false;
  std::atomic<bool> complete_{true};
  std::thread thread_;
};

template <class Body>
auto ServedSession::perform(const Canceled& canceled, Body body) -> decltype(body()) {
  const auto task = std::make_shared<std::packaged_task<decltype(body())()>>([&] {
    requireWaiting(canceled);
    return body();
  });
  auto outcome = task->get_future();
  enqueue([task] { (*task)(); });
  return outcome.get();
}

}  // namespace tenon::service
