// When the next step of a live session is due, and what becomes of steps that nobody had time for.
#pragma once

#include <cstdint>

namespace tenon::runtime {

/// A step is due every 1/(rate · speed) of the clock's time. Where steps are late by no more than kCatchUp
/// they are made up for; what is later than that is given up: simulated time then falls behind the
/// clock's, and no step is hurried for it. All times are the clock's [ns].
class StepScheduler {
 public:
  static constexpr std::int64_t kCatchUp_ns = 50'000'000;
  static constexpr std::int64_t kNever = INT64_MAX;

  StepScheduler(double rate, double speed) : rate_(rate), speed_(speed) {}

  bool isRunning() const { return running_; }
  double rate() const { return rate_; }
  double speed() const { return speed_; }

  void start(std::int64_t now);
  void stop() { running_ = false; }
  /// From now on; what is due already stays due.
  void setRate(double rate, std::int64_t now);
  void setSpeed(double speed, std::int64_t now);

  /// When the next step begins; kNever: not before start().
  std::int64_t nextStepTime_ns() const;
  /// How long a step lasts.
  std::int64_t period() const;
  /// Gives up steps that are later than kCatchUp. Returns how many.
  std::int64_t dropLateSteps(std::int64_t now);
  /// One step has been done; the next is due a period later.
  void stepDone() { ++done_; }

 private:
  void anchorAt(std::int64_t time);

  double rate_ = 1000, speed_ = 1;
  bool running_ = false;
  /// Steps are due at anchor + n · period, not by adding up: no rounding may wander away from the clock.
  std::int64_t anchor_ = 0, done_ = 0;
};

}  // namespace tenon::runtime
