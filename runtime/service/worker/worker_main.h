// The process of a session.
#pragma once

namespace tenon::service {

/// Serves calls on the connected socket `channel` until the other end of the pipe `lifeline` is closed, even
/// by the server's death; then completes the record. Returns the exit code.
int runWorker(int channel, int lifeline);

}  // namespace tenon::service
