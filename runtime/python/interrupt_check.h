// Ctrl-C during long calls, which run without Python's global interpreter lock.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

namespace tenon::python {

/// Ends runs of other threads.
struct StopFlag {
  std::atomic<bool> set{false};
};

/// Looks for signals at most every 50 ms. Use one for each call.
class InterruptCheck {
 public:
  explicit InterruptCheck(std::shared_ptr<const StopFlag> stop = nullptr) : stop_(std::move(stop)) {}

  /// Call it without the interpreter lock. True once a signal handler has raised an exception or the flag is
  /// set.
  bool requested() {
    if (raised_ || (stop_ && stop_->set)) return true;
    const Clock::time_point now = Clock::now();
    if (now < next_) return false;
    next_ = now + kInterval;
    const pybind11::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) raised_.emplace();
    return raised_.has_value();
  }
  /// Call it with the interpreter lock: throws the exception of the signal handler, if any.
  void rethrow() {
    if (raised_) throw *raised_;  // NOLINT(*-err09-cpp,*-err61-cpp,misc-throw-by-*): kept since requested()
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kInterval{50};

  std::shared_ptr<const StopFlag> stop_;
  Clock::time_point next_ = Clock::now() + kInterval;
  std::optional<pybind11::error_already_set> raised_;
};

}  // namespace tenon::python
