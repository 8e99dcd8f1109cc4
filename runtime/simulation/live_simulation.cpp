// The physics thread: controls, the step that is due, and the moment that came of it.
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

bool LiveSimulation::finish(const std::string& how) {
  if (finished_) return complete_;
  finished_ = true;
  stop_ = true;
  clock_->wake();
  thread_.join();
  // What was marked at the very end belongs to the record; what else was asked for has nobody to see it.
  for (const Control& control : asked_)
    if (std::holds_alternative<MarkControl>(control)) world_.apply(control);
  complete_ = world_.finish(how);
  return complete_;
}

void LiveSimulation::ask(Control control) {
  {
    const std::lock_guard lock(mutex_);
    asked_.push_back(std::move(control));
  }
  clock_->wake();
}

void LiveSimulation::setHands(std::span<const xr::HandSample> samples, std::int64_t stamp_ns,
                              std::int64_t glide_ns) {
  world_.mailbox().put(samples, stamp_ns, glide_ns);
}

void LiveSimulation::attend() {
  world_.attend();
  clock_->wake();
}

Moments LiveSimulation::moments() const {
  const std::lock_guard lock(mutex_);
  return moments_;
}

void LiveSimulation::takeTrace(LiveTrace& trace) {
  trace.clear();
  const std::lock_guard lock(mutex_);
  std::swap(trace, trace_);
}

void LiveSimulation::takeControls() {
  {
    const std::lock_guard lock(mutex_);
    std::swap(taken_, asked_);
  }
  if (taken_.empty()) return;
  for (const Control& control : taken_) {
    try {
      world_.apply(control);
    } catch (const std::exception& error) {
      fail(error);
    }
  }
  taken_.clear();
  publish();
}

void LiveSimulation::fail(const std::exception& error) {
  world_.fail(fmt::format("the simulation has stopped: {}", error.what()));
}

void LiveSimulation::work() {
  while (!stop_) {
    try {
      takeControls();
      if (world_.heedAttention()) publish();
      const std::int64_t due = world_.due();
      if (clock_->now_ns() < due) {
        clock_->sleepUntil(due);
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
  std::shared_ptr<Moment> moment = pool_->fresh();
  world_.tell(*moment);
  moment->number = published_++;
  moment->published_ns = begun;
  moment->status.handOver_us = handOver_us_;  // known once it is over: of the one before
  moment->status.handOverMax_us = handOverMax_us_;
  if (published_ > 1) moment->status.handOverMean_us = handOverSum_us_ / static_cast<double>(published_ - 1);
  const bool stepped = std::exchange(lastStep_, world_.stepsDone()) != world_.stepsDone();
  Moments gone;  // goes when the lock is open again
  {
    const std::lock_guard lock(mutex_);
    gone = moments_;
    moments_.after = std::move(moment);
    if (moments_.after->jumped || !moments_.before)
      moments_.before = moments_.after;
    else if (stepped)
      moments_.before = gone.after;
    trace_.append(world_.trace());
  }
  handOver_us_ = static_cast<double>(clock_->now_ns() - begun) * 1e-3;
  handOverSum_us_ += handOver_us_;
  handOverMax_us_ = std::max(handOverMax_us_, handOver_us_);
}

}  // namespace tenon::runtime
