// A progress line on stderr.
#pragma once

#include <chrono>
#include <string>

namespace tenon::runtime {

/// Updated at most ten times a second, and only on a terminal. The destructor erases the line.
class ProgressLine {
 public:
  /// `duration`: simulated time of the whole run [s]; 0 if only show() is called.
  explicit ProgressLine(double duration = 0);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Simulated time [s] and the present push along the hole's axis [N].
  void update(double time, double push);
  /// Shows a description of the current work and its progress.
  void show(const std::string& text);

 private:
  bool isDue();
  using Clock = std::chrono::steady_clock;

  bool shown_;
  double duration_;
  Clock::time_point start_ = Clock::now(), next_ = start_;
};

}  // namespace tenon::runtime
