// Waits for frames on a thread of its own, so that the runtime's pacing overlaps drawing. Includes OpenXR's
// headers.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "xr/openxr/xr_session.h"

namespace tenon::xr {

/// OpenXR allows xrWaitFrame of frame N + 1 as soon as frame N has begun: start() is called then, and take()
/// mostly finds the frame ready.
class FrameWaiter {
 public:
  /// The reference must outlive it.
  explicit FrameWaiter(const OpenXrSession& session);
  /// Waits until a pending xrWaitFrame has returned.
  ~FrameWaiter();
  FrameWaiter(const FrameWaiter&) = delete;
  FrameWaiter& operator=(const FrameWaiter&) = delete;

  /// Begins to wait for the next frame, unless it is being waited for.
  void start();
  /// True between start() and take().
  bool isPending() const;
  /// The next frame, which must then be begun. Throws OpenXrError, HeadsetLost.
  XrFrameState take();

 private:
  void work();

  const OpenXrSession& session_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool pending_ = false, ready_ = false, stop_ = false;
  XrFrameState state_{};
  XrResult result_ = XR_SUCCESS;
  std::thread thread_;
};

}  // namespace tenon::xr
