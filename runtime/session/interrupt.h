// Ctrl-C as a wish, not a blow: the command stops at the next good place and still tells its results.
#pragma once

namespace tenon::runtime {

/// While one lives, the first SIGINT or SIGTERM only sets a flag; a second one ends the program at
/// once. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool requested() const;
};

}  // namespace tenon::runtime
