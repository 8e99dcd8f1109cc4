// How long something took, by a steady clock.
#pragma once

#include <chrono>
#include <ctime>

namespace tenon::xr {

class Stopwatch {
 public:
  /// Since it was made [ms].
  double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun_).count();
  }

 private:
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

/// For how long the processor worked for this thread.
class ThreadCpuStopwatch {
 public:
  /// Since it was made [ms].
  double ms() const { return now() - begun_; }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
  }
  double begun_ = now();
};

}  // namespace tenon::xr
