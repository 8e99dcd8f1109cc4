// The watchdog thread.
#include "runtime/vr/runtime_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "runtime/session/exit_code.h"

namespace tenon::runtime {

namespace {

constexpr std::chrono::milliseconds kPollInterval{50};  ///< of the Ctrl-C flag

}  // namespace

RuntimeWatch::RuntimeWatch(const InterruptGuard& interrupt, std::function<void()> initialOnAbort)
    : onAbort(std::move(initialOnAbort)), interrupt_(interrupt), thread_([this] { runThread(); }) {}

RuntimeWatch::~RuntimeWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void RuntimeWatch::set(bool inCall) {
  const std::lock_guard lock(mutex_);
  inCall_ = inCall;
  since_ = Clock::now();
}

void RuntimeWatch::limitCalls(int exitCode) {
  const std::lock_guard lock(mutex_);
  exitCode_ = exitCode;
}

void RuntimeWatch::runThread() {
  std::unique_lock lock(mutex_);
  std::optional<Clock::time_point> requested;
  while (!stopping_) {
    changed_.wait_for(lock, kPollInterval);
    const Clock::time_point now = Clock::now();
    if (!requested && (exitCode_ || interrupt_.requested())) requested = now;
    const auto limit = interrupt_.requested() ? kCallTimeout : kEndTimeout;
    if (stopping_ || !requested || !inCall_ || now - std::max(since_, *requested) < limit) continue;
    fmt::print(stderr, "tenon: the OpenXR runtime does not answer; ending the session without it\n");
    if (onAbort) onAbort();
    _exit(exitCode_.value_or(kInterrupted));  // does not wait for the blocked thread
  }
}

}  // namespace tenon::runtime
