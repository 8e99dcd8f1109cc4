// Runs a question to other people's drivers in a process of its own, so that their crashes, hangs and
// chatter stay there.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace tenon::xr {

/// How a process apart came to its end, and what it had to say.
struct IsolatedResult {
  enum class End {
    finished,    ///< `output` is complete
    crashed,     ///< a signal or an exception ended it; `output` may be cut short
    timedOut,    ///< it was ended when `limit` had passed
    cancelled,   ///< it was ended because `shouldCancel` said so
    notStarted,  ///< the system gave no process or pipe
  };
  End end = End::notStarted;
  std::string output;  ///< what `question` returned
};

/// Calls `question` in a forked child whose stdin, stdout and stderr are /dev/null, and waits for at
/// most `limit`, or until `shouldCancel`, asked some times a second, says so. Never throws for what happens
/// in the child. The child sees a copy of this process with only the calling thread in it, so `question` must
/// not wait for other threads of ours.
IsolatedResult runIsolated(const std::function<std::string()>& task, std::chrono::milliseconds limit,
                           const std::function<bool()>& shouldCancel = {});

}  // namespace tenon::xr
