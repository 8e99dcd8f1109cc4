// See step_scheduler.h.
#include "runtime/simulation/step_scheduler.h"

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

namespace {

std::int64_t span(double steps, double rate, double speed) {
  return std::llround(steps * 1e9 / (rate * speed));
}

}  // namespace

void StepScheduler::anchorAt(std::int64_t time) {
  anchor_ = time;
  done_ = 0;
}

void StepScheduler::start(std::int64_t now) {
  if (running_) return;
  running_ = true;
  anchorAt(now);
}

void StepScheduler::setRate(double rate, std::int64_t now) {
  // The current step keeps its end, unless that is far away.
  const std::int64_t next = running_ ? std::min(nextStepTime_ns(), now + span(1, rate, speed_)) : now;
  rate_ = rate;
  anchorAt(next);
}

void StepScheduler::setSpeed(double speed, std::int64_t now) {
  const std::int64_t next = running_ ? std::min(nextStepTime_ns(), now + span(1, rate_, speed)) : now;
  speed_ = speed;
  anchorAt(next);
}

std::int64_t StepScheduler::nextStepTime_ns() const {
  return running_ ? anchor_ + span(static_cast<double>(done_), rate_, speed_) : kNever;
}

std::int64_t StepScheduler::period_ns() const {
  return span(1, rate_, speed_);
}

std::int64_t StepScheduler::dropLateSteps(std::int64_t now) {
  if (!running_) return 0;
  const std::int64_t excess = now - nextStepTime_ns() - kCatchUp_ns;
  if (excess <= 0) return 0;
  // Ignores a step due to rounding.
  const double late = static_cast<double>(excess) * 1e-9 * rate_ * speed_;
  const auto steps = static_cast<std::int64_t>(std::ceil(late * (1 - 1e-12)));
  done_ += steps;  // dropped steps count as done, so the schedule is unchanged
  return steps;
}

}  // namespace tenon::runtime
