// Runtime and headset are asked for anew, some times a second, until they are there.
#include "runtime/vr/headset_wait.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "runtime/session/terminal.h"

namespace tenon::runtime {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kPause = 0.25;  ///< between two attempts [s]

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void logMessage(const std::string& text) {
  say(text);
}

}  // namespace

HeadsetWait::HeadsetWait(std::optional<double> seconds, const InterruptGuard& interrupt, RuntimeWatch& watch,
                         xr::HeadsetOptions headset)
    : all_(seconds.value_or(kDefault)),
      before_(seconds.value_or(0)),
      left_(all_),
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

/// False: Ctrl-C came.
bool HeadsetWait::pauseFor(double seconds) const {
  const auto start = Clock::now();
  while (!interrupt_.requested() && secondsSince(start) < seconds) {
    if (whileWaiting) whileWaiting();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return !interrupt_.requested();
}

std::unique_ptr<xr::Headset> HeadsetWait::first() {
  const auto start = Clock::now();
  bool told = false;
  while (!interrupt_.requested()) {
    try {
      return attempt();
    } catch (const xr::HeadsetUnavailable& error) {
      if (interrupt_.requested()) return nullptr;
      if (secondsSince(start) >= before_) throw;
      if (!told)
        logMessage(fmt::format("{}; waiting for it up to {:g} s, Ctrl-C ends that", error.what(), before_));
      told = true;
    }
    pauseFor(kPause);
  }
  return nullptr;
}

std::unique_ptr<xr::Headset> HeadsetWait::again(const std::string& why) {
  frames_ = 0;
  gaveUp_ = left_ <= 0;
  if (gaveUp_) {
    logMessage(why);
    return nullptr;
  }
  logMessage(fmt::format(
      "{}; time stands still until it returns, for {:.0f} s at most; Ctrl-C ends the session", why, left_));
  const auto start = Clock::now();
  const double most = left_;
  while (!interrupt_.requested()) {
    try {
      std::unique_ptr<xr::Headset> headset = attempt();
      logMessage("the headset is back");
      left_ = most - secondsSince(start);
      return headset;
    } catch (const xr::GraphicsUnavailable& error) {  // also of a runtime that is only half there yet
      left_ = most - secondsSince(start) - kPause;
      if (left_ <= 0) {
        logMessage(fmt::format("it did not return: {}", error.what()));
        gaveUp_ = true;
        return nullptr;
      }
    }
    pauseFor(kPause);
  }
  return nullptr;
}

void HeadsetWait::countFrame() {
  if (++frames_ >= kFramesToResetTimeout) left_ = all_;
}

}  // namespace tenon::runtime
