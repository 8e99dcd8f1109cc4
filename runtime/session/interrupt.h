// Ctrl-C requests a stop: the command finishes its current step and still prints its results.
#pragma once

namespace tenon::runtime {

/// During its lifetime the first SIGINT or SIGTERM sets a flag; a second one ends the program immediately.
/// At most one instance at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool requested() const;
};

}  // namespace tenon::runtime
