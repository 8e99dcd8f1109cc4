// Which threads take signals.
#pragma once

#include <csignal>

namespace tenon::runtime {

/// While one lives, Ctrl-C reaches other threads of the program and not this one: a runtime that waits for
/// its service in this thread would take a signal for the service's end.
class SignalsElsewhere {
 public:
  SignalsElsewhere() : SignalsElsewhere(SIG_BLOCK) {}
  ~SignalsElsewhere() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsElsewhere(const SignalsElsewhere&) = delete;
  SignalsElsewhere& operator=(const SignalsElsewhere&) = delete;

 protected:
  explicit SignalsElsewhere(int how) {
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
class SignalsHere : SignalsElsewhere {
 public:
  SignalsHere() : SignalsElsewhere(SIG_UNBLOCK) {}
};

}  // namespace tenon::runtime
