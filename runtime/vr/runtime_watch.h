// Limits the calls of the OpenXR runtime after Ctrl-C and at the end of a session.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "runtime/session/interrupt.h"

namespace tenon::runtime {

/// A watchdog thread. If a runtime call has not returned kCallTimeout after Ctrl-C, or kEndTimeout after it
/// began at the end of a session, it calls `onAbort` and exits with kInterrupted or the session's exit code.
class RuntimeWatch {
 public:
  static constexpr std::chrono::milliseconds kCallTimeout{5000};
  /// Longer than a last frame takes that is drawn by software and saved.
  static constexpr std::chrono::milliseconds kEndTimeout{15000};

  RuntimeWatch(const InterruptGuard& interrupt, std::function<void()> initialOnAbort);
  ~RuntimeWatch();
  RuntimeWatch(const RuntimeWatch&) = delete;
  RuntimeWatch& operator=(const RuntimeWatch&) = delete;

  /// Limits calls from now on: the session is over, with this exit code.
  void limitCalls(int exitCode);

  /// Called before the exit; may use the data of the blocked thread. Set by that thread outside of its calls.
  std::function<void()> onAbort;

  /// During its lifetime the thread is in a call of the runtime.
  class Call {
   public:
    explicit Call(RuntimeWatch& watch) : watch_(watch) { watch_.set(true); }
    ~Call() { watch_.set(false); }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    RuntimeWatch& watch_;
  };
  /// During its lifetime the thread is in a callback of the runtime's call, doing the program's own work.
  class Callback {
   public:
    explicit Callback(RuntimeWatch& watch) : watch_(watch) { watch_.set(false); }
    ~Callback() { watch_.set(true); }
    Callback(const Callback&) = delete;
    Callback& operator=(const Callback&) = delete;

   private:
    RuntimeWatch& watch_;
  };

 private:
  using Clock = std::chrono::steady_clock;

  void set(bool inCall);
  void runThread();

  const InterruptGuard& interrupt_;
  std::mutex mutex_;  ///< held by the watchdog while it ends the program, which stops the other thread
  std::condition_variable changed_;
  bool inCall_ = false, stopping_ = false;
  Clock::time_point since_;      ///< start of the call
  std::optional<int> exitCode_;  ///< of a session that is over
  std::thread thread_;
};

}  // namespace tenon::runtime
