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
#include "runtime/simulation/live_session.h"
#include "runtime/simulation/live_world.h"
#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

/// Controls are applied between two steps. The lock shared by both threads is held only while pointers and
/// the trace are moved.
///
/// If physics cannot hold its rate, simulated time falls behind the clock's (step_scheduler.h); LiveStatus
/// reports by how much.
class LiveSimulation final : public LiveSession {
 public:
  /// Publishes the start immediately. Throws what buildWorld() and `options.record` throw.
  LiveSimulation(std::shared_ptr<const content::Scene> scene, LiveOptions options,
                 std::unique_ptr<Clock> clock = std::make_unique<SteadyClock>());
  /// Calls finish("given up").
  ~LiveSimulation() override;

  void setHands(std::span<const xr::HandSample> samples, std::int64_t sampleTime_ns,
                std::int64_t moveDuration_ns) override;
  void setHead(const HeadSample& head) override { world_.mailbox().putHead(head); }
  /// Restarts the inactivity timeout: see LiveOptions::inactivityTimeout_ns.
  void reportActivity() override;
  void enqueue(Control control) override;

  FrameBuffer frameBuffer() const override;
  void drainTrace(LiveTrace& trace) override;
  std::int64_t now_ns() const override { return clock_->now_ns(); }
  bool finish(const std::string& reason) override;

 private:
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
