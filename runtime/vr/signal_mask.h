// Which threads take signals.
#pragma once

#include <csignal>

namespace tenon::runtime {

/// While one lives, Ctrl-C reaches other threads of the program and not this one: a runtime that waits for
/// its service in this thread would take a signal for the service's end.
class BlockSignals {
 public:
  BlockSignals() : BlockSignals(SIG_BLOCK) {}
  ~BlockSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockSignals(const BlockSignals&) = delete;
  BlockSignals& operator=(const BlockSignals&) = delete;

 protected:
  explicit BlockSignals(int how) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(how, &signals, &before_);
  }

 private:
  sigset_t before_;
};

/// While one lives, they reach this thread too, and for good the threads that it starts.
class UnblockSignals : BlockSignals {
 public:
  UnblockSignals() : BlockSignals(SIG_UNBLOCK) {}
};

}  // namespace tenon::runtime
