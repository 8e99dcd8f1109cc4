// One line on stderr that says how far a run is.
#pragma once

#include <chrono>
#include <string>

namespace tenon::runtime {

/// Rewritten at most ten times a second, and only on a terminal; elsewhere nothing is written. The
/// line is wiped when the object goes.
class ProgressLine {
 public:
  /// `duration` [s] is what the whole run simulates; 0 where only show() is called.
  explicit ProgressLine(double duration = 0);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Simulated time [s] and the present push along the hole's axis [N].
  void update(double time, double push);
  /// What is being done and how far it is.
  void show(const std::string& text);

 private:
  bool isDue();
  using Clock = std::chrono::steady_clock;

  bool shown_;
  double duration_;
  Clock::time_point start_ = Clock::now(), next_ = start_;
};

}  // namespace tenon::runtime
