// See clock.h.
#include "runtime/simulation/clock.h"

#include <chrono>
#include <limits>

namespace tenon::runtime {

namespace {
using Steady = std::chrono::steady_clock;
}  // namespace

std::int64_t SteadyClock::now_ns() const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Steady::now().time_since_epoch()).count();
}

void SteadyClock::sleepUntil(std::int64_t time_ns) {
  std::unique_lock lock(mutex_);
  const auto woken = [this] { return woken_; };
  if (time_ns == std::numeric_limits<std::int64_t>::max()) {
    changed_.wait(lock, woken);  // the end of time does not fit into a time_point's arithmetic
  } else {
    changed_.wait_until(lock, Steady::time_point(std::chrono::nanoseconds(time_ns)), woken);
  }
  woken_ = false;
}

void SteadyClock::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  changed_.notify_one();
}

}  // namespace tenon::runtime
