// Waits for frames on a thread of its own, so that the runtime's pacing overlaps drawing. Includes OpenXR's
// headers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "xr/openxr/xr_session.h"

namespace tenon::xr {

/// OpenXR allows xrWaitFrame of frame N + 1 as soon as frame N has begun: start() is called then, and take()
/// mostly finds the frame ready.
class FrameWaiter {
 public:
  /// Longest wait for a frame at the end of a session.
  static constexpr std::chrono::milliseconds kEndTimeout{3000};

  /// The reference must outlive it.
  explicit FrameWaiter(const OpenXrSession& session);
  /// Calls join().
  ~FrameWaiter();
  FrameWaiter(const FrameWaiter&) = delete;
  FrameWaiter& operator=(const FrameWaiter&) = delete;

  /// Begins to wait for the next frame, unless it is being waited for.
  void start();
  /// True between start() and take().
  bool isPending() const;
  /// The next frame, which must then be begun. `timeout`: none waits without limit. Throws OpenXrError, and
  /// HeadsetLost also after the timeout.
  XrFrameState take(std::optional<std::chrono::milliseconds> timeout = {});
  /// Ends the thread. False if its xrWaitFrame has not returned within kEndTimeout: the thread is then
  /// detached, and the session must not be destroyed, because that call still uses it.
  bool join();

 private:
  /// Shared with the thread, which may outlive the waiter.
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool pending = false, ready = false, stop = false, ended = false;
    XrFrameState frame{};
    XrResult result = XR_SUCCESS;
  };
  static void work(State& state, PFN_xrWaitFrame waitFrame, XrSession session);

  const OpenXrSession& session_;
  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::thread thread_;
};

}  // namespace tenon::xr
