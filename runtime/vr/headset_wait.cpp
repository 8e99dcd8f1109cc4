// Retries to create the headset session several times a second.
#include "runtime/vr/headset_wait.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "runtime/session/terminal.h"

namespace tenon::runtime {

namespace {

using WaitClock = std::chrono::steady_clock;
constexpr double kRetryInterval = 0.25;  ///< between two attempts [s]

double secondsSince(WaitClock::time_point start) {
  return std::chrono::duration<double>(WaitClock::now() - start).count();
}

void logMessage(const std::string& text) {
  printMessage(text);
}

}  // namespace

HeadsetWait::HeadsetWait(std::optional<double> seconds, const InterruptGuard& interrupt, RuntimeWatch& watch,
                         xr::HeadsetOptions headset)
    : timeout_(seconds.value_or(kDefaultTimeout)),
      initialTimeout_(seconds.value_or(0)),
      remaining_(timeout_),
      interrupt_(interrupt),
      watch_(watch),
      headset_(std::move(headset)) {
  headset_.logMessage = logMessage;
  headset_.shouldCancel = [this] { return interrupt_.requested(); };
}

std::unique_ptr<xr::Headset> HeadsetWait::attempt() const {
  const RuntimeWatch::Call call(watch_);
  return std::make_unique<xr::Headset>(headset_);
}

/// False after Ctrl-C.
bool HeadsetWait::pauseFor(double seconds) const {
  const auto start = WaitClock::now();
  while (!interrupt_.requested() && secondsSince(start) < seconds) {
    if (whileWaiting) whileWaiting();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return !interrupt_.requested();
}

std::unique_ptr<xr::Headset> HeadsetWait::waitForFirst() {
  const auto start = WaitClock::now();
  bool reported = false;
  while (!interrupt_.requested()) {
    try {
      return attempt();
    } catch (const xr::HeadsetUnavailable& error) {
      if (interrupt_.requested()) return nullptr;
      if (secondsSince(start) >= initialTimeout_) throw;
      if (!reported)
        logMessage(
            fmt::format("{}; waiting for it for up to {:g} s (Ctrl-C: stop)", error.what(), initialTimeout_));
      reported = true;
    }
    pauseFor(kRetryInterval);
  }
  return nullptr;
}

std::unique_ptr<xr::Headset> HeadsetWait::reconnect(const std::string& reason) {
  frames_ = 0;
  timedOut_ = remaining_ <= 0;
  if (timedOut_) {
    logMessage(reason);
    return nullptr;
  }
  logMessage(
      fmt::format("{}; simulation paused until it returns, for up to {:.0f} s (Ctrl-C: end the session)",
                  reason, remaining_));
  const auto start = WaitClock::now();
  const double available = remaining_;
  while (!interrupt_.requested()) {
    try {
      std::unique_ptr<xr::Headset> headset = attempt();
      logMessage("the headset is available again");
      remaining_ = available - secondsSince(start);
      return headset;
    } catch (const xr::GraphicsUnavailable& error) {  // also from a runtime that is still starting
      remaining_ = available - secondsSince(start) - kRetryInterval;
      if (remaining_ <= 0) {
        logMessage(fmt::format("it did not return: {}", error.what()));
        timedOut_ = true;
        return nullptr;
      }
    }
    pauseFor(kRetryInterval);
  }
  return nullptr;
}

void HeadsetWait::countFrame() {
  if (++frames_ >= kFramesToResetTimeout) remaining_ = timeout_;
}

}  // namespace tenon::runtime
