// A clock that tests set, so that none of them depends on how fast the machine is.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "runtime/simulation/clock.h"

namespace tenon::tests {

class ManualClock final : public runtime::Clock {
 public:
  std::int64_t now_ns() const override {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  void sleepUntil(std::int64_t time_ns) override {
    std::unique_lock lock(mutex_);
    until_ = time_ns;
    asleep_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return woken_ || now_ >= until_; });
    asleep_ = woken_ = false;
  }
  void wake() override {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    changed_.notify_all();
  }

  void advance(std::int64_t by_ns) {
    const std::lock_guard lock(mutex_);
    now_ += by_ns;
    changed_.notify_all();
  }
  /// Returns when the other thread has done all that is due, and sleeps.
  void waitUntilIdle() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return asleep_ && !woken_ && now_ < until_; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t now_ = 0, until_ = 0;
  bool asleep_ = false, woken_ = false;
};

}  // namespace tenon::tests
