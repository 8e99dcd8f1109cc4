// The clock of a live session, passed in so that tests need no real time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace tenon::runtime {

/// Monotonic nanoseconds from any origin. One thread sleeps, any thread wakes it.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t now_ns() const = 0;
  /// Returns at `time_ns` or after wake(), including an earlier call; may return early.
  virtual void sleepUntil(std::int64_t time_ns) = 0;
  virtual void wake() = 0;
};

/// std::chrono::steady_clock.
class SteadyClock final : public Clock {
 public:
  std::int64_t now_ns() const override;
  void sleepUntil(std::int64_t time_ns) override;
  void wake() override;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = false;
};

}  // namespace tenon::runtime
