// Interactive session: physics at a fixed rate on its own thread, independent of the display.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "runtime/simulation/clock.h"
#include "runtime/simulation/live_world.h"
#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

/// All members may be called at any time from one other thread, such as the window's; none waits for a step.
/// Controls are applied between two steps, in the order of calls; LiveStatus::message reports a rejected one.
/// The lock shared by both threads is held only while pointers and the trace are moved.
///
/// If physics cannot hold its rate, simulated time falls behind the clock's (step_scheduler.h); LiveStatus
/// reports by how much.
class LiveSimulation {
 public:
  /// Publishes the start immediately. Throws what buildWorld() and `options.record` throw.
  LiveSimulation(std::shared_ptr<const content::Scene> scene, LiveOptions options,
                 std::unique_ptr<Clock> clock = std::make_unique<SteadyClock>());
  /// Calls finish("given up").
  ~LiveSimulation();
  LiveSimulation(const LiveSimulation&) = delete;
  LiveSimulation& operator=(const LiveSimulation&) = delete;

  // --- in ---------------------------------------------------------------------------------------------
  /// The newest samples, one for each hand of the scene, made at `sampleTime_ns` by the session's clock. The
  /// target of a holding hand moves there linearly within `moveDuration_ns`, the interval to the next samples
  /// (0: in one step).
  void setHands(std::span<const xr::HandSample> samples, std::int64_t sampleTime_ns,
                std::int64_t moveDuration_ns = 0);

  /// Pose of the headset, for the record only.
  void setHead(const HeadSample& head) { world_.mailbox().putHead(head); }

  /// Restarts the inactivity timeout: see LiveOptions::inactivityTimeout_ns.
  void reportActivity();

  void play() { enqueue(PlayControl{true}); }
  void pause() { enqueue(PlayControl{false}); }
  /// Gravity, damping and restitution; `begins`: the first change of a series, which is undone as one.
  void setDynamics(const physics::Dynamics& dynamics, bool begins) {
    enqueue(DynamicsControl{dynamics, begins});
  }
  void setThruster(physics::ThrusterId thruster, bool on) { enqueue(ThrusterControl{thruster, on}); }
  void stepOnce() { enqueue(StepControl{}); }                    ///< pauses
  void setSpeed(double speed) { enqueue(SpeedControl{speed}); }  ///< 0.01…1
  /// On: the scene's scripts move its hands, always from the scene's start; later in the session this resets
  /// the scene, which can be undone. Off: setHands() moves the hands from now on.
  void setScripted(bool on) { enqueue(ScriptControl{on}); }
  void setGuidance(bool on) { enqueue(GuidanceControl{on}); }  ///< recorded as an event
  void reset() { enqueue(ResetControl{}); }                    ///< to the start; can be undone
  void undo() { enqueue(UndoControl{}); }                      ///< the last placement, or the one under way
  void redo() { enqueue(RedoControl{}); }
  void mark(SessionMark mark) {
    enqueue(MarkControl{std::move(mark)});
  }  ///< adds an event to trace and record
  void setSolver(physics::SolverName solver) { enqueue(SolverControl{solver}); }
  void setRate(double rate) { enqueue(RateControl{rate}); }  ///< [Hz]
  void endRecord() { enqueue(EndRecordControl{}); }          ///< completes the record; the session continues
  /// Starts another scene, at its own rate unless `rate` > 0 [Hz].
  void setScene(std::shared_ptr<const content::Scene> scene, double rate = 0) {
    enqueue(SceneControl{std::move(scene), rate});
  }

  // --- out --------------------------------------------------------------------------------------------
  FrameBuffer frameBuffer() const;
  /// Returns the trace since the last call. Replaces `trace`, whose memory is reused.
  void drainTrace(LiveTrace& trace);
  /// Current time of the session's clock, which all time stamps use.
  std::int64_t now_ns() const { return clock_->now_ns(); }

  /// Stops the session, ends the recording and returns when it is on the disk. True if the record is complete
  /// or nothing was recorded. A second call has no effect.
  bool finish(const std::string& reason);

 private:
  void enqueue(Control control);
  void work();
  void drainControls();
  void fail(const std::exception& error);
  void publish();

  std::unique_ptr<Clock> clock_;
  LiveWorld world_;  ///< for the physics thread
  std::shared_ptr<FramePool> pool_ = std::make_shared<FramePool>();

  mutable std::mutex mutex_;
  std::vector<Control> pendingControls_;
  FrameBuffer frameBuffer_;
  LiveTrace trace_;

  std::vector<Control> drainedControls_;  ///< for the physics thread
  std::int64_t published_ = 0;            ///< frames
  std::int64_t lastStep_ = -1;            ///< last published step
  double publishTime_us_ = 0, publishTimeSum_us_ = 0, maxPublishTime_us_ = 0;
  std::atomic<bool> stop_{false};
  bool finished_ = false, complete_ = true;
  std::thread thread_;
};

}  // namespace tenon::runtime
