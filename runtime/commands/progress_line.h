// One line on stderr that says how far a run is.
#pragma once

#include <chrono>

namespace tenon::runtime {

/// Rewritten at most ten times a second, and only on a terminal; elsewhere nothing is written. The
/// line is wiped when the object goes.
class ProgressLine {
 public:
  /// `duration` [s] is what the whole run simulates.
  explicit ProgressLine(double duration);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Simulated time [s] and the present push along the hole's axis [N].
  void update(double time, double push);

 private:
  using Clock = std::chrono::steady_clock;

  bool shown_;
  double duration_;
  Clock::time_point start_ = Clock::now(), next_ = start_;
};

}  // namespace tenon::runtime
