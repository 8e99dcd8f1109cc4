// Threads that read and prepare while a window is shown or a simulation runs.
#pragma once

#include <sys/resource.h>

namespace tenon::runtime {

/// Lets other threads go before this one, and those that it starts from now on.
inline void lowerPriority() {
  setpriority(PRIO_PROCESS, 0, 10);
}

}  // namespace tenon::runtime
