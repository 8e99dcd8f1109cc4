// Ctrl-C while a call of the OpenXR runtime does not return.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "runtime/session/interrupt.h"

namespace tenon::runtime {

/// A runtime whose service hangs keeps the thread that called it. Where Ctrl-C has been pressed and one call
/// has not returned kPatience later, a thread of this ends the program with kInterrupted, after `onAbort`.
class RuntimeWatch {
 public:
  static constexpr std::chrono::milliseconds kPatience{5000};

  RuntimeWatch(const InterruptGuard& interrupt, std::function<void()> initialOnAbort);
  ~RuntimeWatch();
  RuntimeWatch(const RuntimeWatch&) = delete;
  RuntimeWatch& operator=(const RuntimeWatch&) = delete;

  /// What is to be done before the program ends there: it may use whatever the thread that hangs has. Set by
  /// that thread, outside of its calls.
  std::function<void()> onAbort;

  /// While one lives, its thread is in a call of the runtime.
  class Call {
   public:
    explicit Call(RuntimeWatch& watch) : watch_(watch) { watch_.set(true); }
    ~Call() { watch_.set(false); }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    RuntimeWatch& watch_;
  };
  /// While one lives, the runtime's call has called back: the thread does the program's own work.
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
  void work();

  const InterruptGuard& interrupt_;
  std::mutex mutex_;  ///< held by the thread that ends the program: the other one then goes no further
  std::condition_variable changed_;
  bool inCall_ = false, over_ = false;
  Clock::time_point since_;  ///< of the call
  std::thread thread_;
};

}  // namespace tenon::runtime
