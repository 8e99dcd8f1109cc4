// Elapsed time by a steady clock, and processor time of a thread.
#pragma once

#include <chrono>
#include <ctime>

namespace tenon::xr {

class Stopwatch {
 public:
  /// Since construction [ms].
  double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Processor time of this thread.
class ThreadCpuStopwatch {
 public:
  /// Since construction [ms].
  double ms() const { return now() - start_; }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
  }
  double start_ = now();
};

}  // namespace tenon::xr
