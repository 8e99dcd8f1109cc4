// A session with a person in it: physics at its fixed rate on a thread of its own, whatever the display does.
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

/// All members may be called from any one other thread, the window's, at any time: none of them waits for a
/// step. What is asked for is done between two steps, in the order of calls; what cannot be done is told
/// in LiveStatus::message. The lock that both sides take is held for moves of pointers, and of what happened
/// since.
///
/// Where physics cannot hold its rate, simulated time falls behind the clock's (pace.h): LiveStatus tells
/// by how much.
class LiveSimulation {
 public:
  /// The start can be seen at once. Throws what buildWorld() and `options.record` throw.
  LiveSimulation(std::shared_ptr<const content::Scene> scene, LiveOptions options,
                 std::unique_ptr<Clock> clock = std::make_unique<SteadyClock>());
  /// As finish("given up").
  ~LiveSimulation();
  LiveSimulation(const LiveSimulation&) = delete;
  LiveSimulation& operator=(const LiveSimulation&) = delete;

  // --- in ---------------------------------------------------------------------------------------------
  /// The newest samples, one for each hand of the scene, made at `sampleTime_ns` by the session's clock. What
  /// a hand holds goes there evenly within `moveDuration_ns`, the time to the next samples (0: in one step).
  void setHands(std::span<const xr::HandSample> samples, std::int64_t sampleTime_ns,
                std::int64_t moveDuration_ns = 0);

  /// Where the head of who wears a headset is: for the record alone.
  void setHead(const HeadSample& head) { world_.mailbox().putHead(head); }

  /// Somebody sees the session now: see LiveOptions::inactivityTimeout_ns.
  void reportActivity();

  void play() { enqueue(PlayControl{true}); }
  void pause() { enqueue(PlayControl{false}); }
  void stepOnce() { enqueue(StepControl{}); }                    ///< pauses
  void setSpeed(double speed) { enqueue(SpeedControl{speed}); }  ///< 0.01…1
  /// The scene's scripts move its hands, always from the scene's start: later in the session `on` is a reset,
  /// which can be undone. Off, the hands are whoever's setHands() is from this moment on.
  void setScripted(bool on) { enqueue(ScriptControl{on}); }
  void setGuidance(bool on) { enqueue(GuidanceControl{on}); }  ///< told in the record
  void reset() { enqueue(ResetControl{}); }                    ///< to the start; can be undone
  void undo() { enqueue(UndoControl{}); }                      ///< the last placement, or the one under way
  void redo() { enqueue(RedoControl{}); }
  void mark(SessionMark mark) {
    enqueue(MarkControl{std::move(mark)});
  }  ///< an event of this moment, and of its record
  void setSolver(physics::SolverName solver) { enqueue(SolverControl{solver}); }
  void setRate(double rate) { enqueue(RateControl{rate}); }  ///< [Hz]
  void endRecord() { enqueue(EndRecordControl{}); }          ///< which is complete then; the session goes on
  /// Another scene, from its start, at its own rate unless `rate` > 0 [Hz].
  void setScene(std::shared_ptr<const content::Scene> scene, double rate = 0) {
    enqueue(SceneControl{std::move(scene), rate});
  }

  // --- out --------------------------------------------------------------------------------------------
  FrameBuffer frameBuffer() const;
  /// What happened since the last call. Replaces `trace`, whose memory is used again.
  void drainTrace(LiveTrace& trace);
  /// By the session's clock, that of all stamps.
  std::int64_t now_ns() const { return clock_->now_ns(); }

  /// Stops for good and ends the recording; returns when the disk has it. True where all that happened is on
  /// the disk, or nothing was to be recorded. Called twice, the first one counts.
  bool finish(const std::string& reason);

 private:
  void enqueue(Control control);
  void work();
  void drainControls();
  void fail(const std::exception& error);
  void publish();

  std::unique_ptr<Clock> clock_;
  LiveWorld world_;  ///< of the physics thread
  std::shared_ptr<FramePool> pool_ = std::make_shared<FramePool>();

  mutable std::mutex mutex_;
  std::vector<Control> pendingControls_;
  FrameBuffer frameBuffer_;
  LiveTrace trace_;

  std::vector<Control> drainedControls_;  ///< of the physics thread
  std::int64_t published_ = 0;            ///< moments
  std::int64_t lastStep_ = -1;            ///< that was passed on
  double publishTime_us_ = 0, publishTimeSum_us_ = 0, maxPublishTime_us_ = 0;
  std::atomic<bool> stop_{false};
  bool finished_ = false, complete_ = true;
  std::thread thread_;
};

}  // namespace tenon::runtime
