// See runtime_watch.h.
#include "runtime/vr/runtime_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "runtime/session/exit_code.h"

namespace tenon::runtime {

namespace {

constexpr std::chrono::milliseconds kLook{50};  ///< between looks at the flag that Ctrl-C sets

}  // namespace

RuntimeWatch::RuntimeWatch(const InterruptGuard& interrupt, std::function<void()> initialOnAbort)
    : onAbort(std::move(initialOnAbort)), interrupt_(interrupt), thread_([this] { work(); }) {}

RuntimeWatch::~RuntimeWatch() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void RuntimeWatch::set(bool inCall) {
  const std::lock_guard lock(mutex_);
  inCall_ = inCall;
  since_ = Clock::now();
}

void RuntimeWatch::work() {
  std::unique_lock lock(mutex_);
  std::optional<Clock::time_point> requested;
  while (!over_) {
    changed_.wait_for(lock, kLook);
    const Clock::time_point now = Clock::now();
    if (!requested && interrupt_.requested()) requested = now;
    if (over_ || !requested || !inCall_ || now - std::max(since_, *requested) < kPatience) continue;
    fmt::print(stderr, "tenon: the OpenXR runtime does not answer; the session ends without it\n");
    if (onAbort) onAbort();
    _exit(kInterrupted);  // whatever the runtime holds in the other thread is not waited for
  }
}

}  // namespace tenon::runtime
