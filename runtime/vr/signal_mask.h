// Signal masks of threads.
#pragma once

#include <csignal>

namespace tenon::runtime {

/// Blocks Ctrl-C in this thread during its lifetime; other threads handle it. A runtime that waits for its
/// service would mistake the interrupted call for a lost service.
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

/// Unblocks the signals during its lifetime; threads started meanwhile inherit that.
class UnblockSignals : BlockSignals {
 public:
  UnblockSignals() : BlockSignals(SIG_UNBLOCK) {}
};

}  // namespace tenon::runtime
