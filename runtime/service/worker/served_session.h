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
#include <vector>

#include "runtime/record/recorder.h"
#include "runtime/session/run_scene.h"
#include "runtime/simulation/clock.h"
#include "runtime/simulation/lockstep_simulation.h"
#include "runtime/simulation/step_scheduler.h"
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
    v1::State state;  ///< without events
    std::int64_t tick = 0;
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
  double rate() const { return 1 / dt_; }
  /// Poses of all parts at the start.
  const std::vector<physics::Pose>& startPoses() const { return startPoses_; }

  /// Computes steps until `canceled` returns true, and returns the last state.
  v1::State step(std::int64_t steps, const std::function<bool()>& canceled);
  /// Queues all commands or, if one is invalid, none. `lease`: of the caller; 0: none.
  void apply(const std::vector<v1::Command>& commands, std::int64_t lease);
  v1::Pace control(const v1::ControlRequest& request);
  v1::State state();
  std::int64_t snapshot();
  v1::State restore(std::int64_t snapshot);

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
  bool isFinished() const { return stop_; }

  /// Ends the session between two steps, and its record. True if the record is complete, or there is none. A
  /// second call returns the same.
  bool finish(const std::string& reason);

 private:
  struct ScheduledCommand {
    v1::Command command;
    std::int64_t lease = 0;  ///< of the client that gave it
  };

  struct Kept {
    runtime::LockstepSimulation::Snapshot value;
    std::int64_t tick = 0;  ///< of the record
  };

  /// Runs `body` on the session's thread, and returns or throws what it does.
  template <class Body>
  auto perform(Body body) -> decltype(body());
  void enqueue(std::function<void()> task);
  void work();
  bool runTasks();
  void stepByClock();
  void stepOnce();
  void requireAdvancing() const;
  /// True where no other lease holds the hand; −1: the command has none.
  bool mayUse(int hand, std::int64_t lease) const;
  void applyPending();
  void returnTo(std::int64_t tick);
  void publishIfDue();
  void publish();
  v1::State currentState() const;
  v1::Pace pace() const;
  std::int64_t now_ns() const { return clock_.now_ns(); }

  runtime::LoadedScene loaded_;
  double dt_ = 1e-3;
  std::vector<physics::Pose> startPoses_;
  runtime::SteadyClock clock_;

  // --- of the session's thread
  std::unique_ptr<runtime::LockstepSimulation> simulation_;
  std::unique_ptr<runtime::Recorder> recorder_;
  runtime::StepScheduler scheduler_;
  std::string failure_;
  std::int64_t ticks_ = 0;        ///< steps computed, not set back
  std::int64_t currentTick_ = 0;  ///< that produced the present world
  std::int64_t played_ = 0, dropped_ = 0;
  std::vector<runtime::WorldChange> changes_;              ///< recorded with the next step
  std::multimap<std::int64_t, ScheduledCommand> pending_;  ///< by the step at whose beginning they act
  std::size_t queued_ = 0;                                 ///< commands given for the next step
  std::map<std::int64_t, Kept> snapshots_;
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
  std::atomic<bool> stop_{false};

  std::mutex finishMutex_;
  bool finished_ = false, complete_ = true;
  std::thread thread_;
};

}  // namespace tenon::service
