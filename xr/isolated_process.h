// Runs calls into drivers in a child process, which isolates their crashes, hangs and console output.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace tenon::xr {

/// How an isolated process ended, and its output.
struct IsolatedResult {
  enum class End {
    finished,    ///< `output` is complete
    crashed,     ///< ended by a signal or an exception; `output` may be incomplete
    timedOut,    ///< killed after `limit`
    cancelled,   ///< killed because `shouldCancel` returned true
    notStarted,  ///< the system could not create a process or pipe
  };
  End end = End::notStarted;
  std::string output;  ///< the return value of `task`
};

/// Calls `task` in a forked child whose stdin, stdout and stderr are /dev/null. Waits at most `limit`, or
/// until `shouldCancel`, polled 20 times a second, returns true. Never throws for failures of the child. The
/// child is a copy of this process with the calling thread alone, so `task` must not wait for other threads.
IsolatedResult runIsolated(const std::function<std::string()>& task, std::chrono::milliseconds limit,
                           const std::function<bool()>& shouldCancel = {});

}  // namespace tenon::xr
