// Schedules the steps of a live session and drops steps that are too late.
#pragma once

#include <cstdint>

namespace tenon::runtime {

/// A step is due every 1/(rate · speed) of the clock's time. Steps that are late by up to kCatchUp_ns are
/// made up; later ones are dropped: simulated time then falls behind the clock's. All times are the clock's
/// [ns].
class StepScheduler {
 public:
  static constexpr std::int64_t kCatchUp_ns = 50'000'000;
  static constexpr std::int64_t kNever = INT64_MAX;
  static constexpr double kMinSpeed = 0.01;  ///< of simulated by real time, as a person may set it [-]

  StepScheduler(double rate, double speed) : rate_(rate), speed_(speed) {}

  bool isRunning() const { return running_; }
  double rate() const { return rate_; }
  double speed() const { return speed_; }

  void start(std::int64_t now);
  void stop() { running_ = false; }
  /// Applies from now on; steps already due stay due.
  void setRate(double rate, std::int64_t now);
  void setSpeed(double speed, std::int64_t now);

  /// Start of the next step; kNever: not running.
  std::int64_t nextStepTime_ns() const;
  /// Duration of a step.
  std::int64_t period_ns() const;
  /// Drops steps that are later than kCatchUp_ns; returns their number.
  std::int64_t dropLateSteps(std::int64_t now);
  /// Reports a computed step; the next is due a period later.
  void stepDone() { ++done_; }

 private:
  void anchorAt(std::int64_t time);

  double rate_ = 1000, speed_ = 1;
  bool running_ = false;
  /// Steps are due at anchor + n · period, so that rounding errors do not accumulate.
  std::int64_t anchor_ = 0, done_ = 0;
};

}  // namespace tenon::runtime
