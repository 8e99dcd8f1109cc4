// The physics thread: controls, due step, publication of its frame.
#include "runtime/simulation/live_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace tenon::runtime {

LiveSimulation::LiveSimulation(std::shared_ptr<const content::Scene> scene, LiveOptions options,
                               std::unique_ptr<Clock> clock)
    : clock_(std::move(clock)), world_(std::move(scene), std::move(options), *clock_) {
  publish();
  thread_ = std::thread([this] { work(); });
}

LiveSimulation::~LiveSimulation() {
  finish("given up");
}

bool LiveSimulation::finish(const std::string& reason) {
  if (finished_) return complete_;
  finished_ = true;
  stop_ = true;
  clock_->wake();
  thread_.join();
  // Marks set at the end belong to the record; other pending controls have no effect.
  for (const Control& control : pendingControls_)
    if (std::holds_alternative<MarkControl>(control)) world_.apply(control);
  complete_ = world_.finish(reason);
  return complete_;
}

void LiveSimulation::enqueue(Control control) {
  {
    const std::lock_guard lock(mutex_);
    pendingControls_.push_back(std::move(control));
  }
  clock_->wake();
}

void LiveSimulation::setHands(std::span<const xr::HandSample> samples, std::int64_t sampleTime_ns,
                              std::int64_t moveDuration_ns) {
  world_.mailbox().put(samples, sampleTime_ns, moveDuration_ns);
}

void LiveSimulation::reportActivity() {
  world_.reportActivity();
  clock_->wake();
}

FrameBuffer LiveSimulation::frameBuffer() const {
  const std::lock_guard lock(mutex_);
  return frameBuffer_;
}

void LiveSimulation::drainTrace(LiveTrace& trace) {
  trace.clear();
  const std::lock_guard lock(mutex_);
  std::swap(trace, trace_);
}

void LiveSimulation::drainControls() {
  {
    const std::lock_guard lock(mutex_);
    std::swap(drainedControls_, pendingControls_);
  }
  if (drainedControls_.empty()) return;
  for (const Control& control : drainedControls_) {
    try {
      world_.apply(control);
    } catch (const std::exception& error) {
      fail(error);
    }
  }
  drainedControls_.clear();
  publish();
}

void LiveSimulation::fail(const std::exception& error) {
  world_.fail(fmt::format("the simulation has stopped: {}", error.what()));
}

void LiveSimulation::work() {
  while (!stop_) {
    try {
      drainControls();
      if (world_.applyInactivityTimeout()) publish();
      const std::int64_t nextStepTime_ns = world_.nextStepTime_ns();
      if (clock_->now_ns() < nextStepTime_ns) {
        clock_->sleepUntil(nextStepTime_ns);
        continue;
      }
      world_.step();
      publish();
    } catch (const std::exception& error) {
      fail(error);
      publish();
    }
  }
}

void LiveSimulation::publish() {
  const std::int64_t begun = clock_->now_ns();
  std::shared_ptr<SimulationFrame> moment = pool_->acquire();
  world_.fillFrame(*moment);
  moment->number = published_++;
  moment->published_ns = begun;
  moment->status.publishTime_us = publishTime_us_;  // of the previous frame, since this one is not finished
  moment->status.maxPublishTime_us = maxPublishTime_us_;
  if (published_ > 1)
    moment->status.meanPublishTime_us = publishTimeSum_us_ / static_cast<double>(published_ - 1);
  const bool stepped = std::exchange(lastStep_, world_.stepsDone()) != world_.stepsDone();
  FrameBuffer gone;  // released after the lock
  {
    const std::lock_guard lock(mutex_);
    gone = frameBuffer_;
    frameBuffer_.after = std::move(moment);
    if (frameBuffer_.after->discontinuous || !frameBuffer_.before)
      frameBuffer_.before = frameBuffer_.after;
    else if (stepped)
      frameBuffer_.before = gone.after;
    trace_.append(world_.trace());
  }
  publishTime_us_ = static_cast<double>(clock_->now_ns() - begun) * 1e-3;
  publishTimeSum_us_ += publishTime_us_;
  maxPublishTime_us_ = std::max(maxPublishTime_us_, publishTime_us_);
}

}  // namespace tenon::runtime
