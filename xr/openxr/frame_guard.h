// The frames of an OpenXR session: begun and ended on every path. Includes OpenXR's headers.
#pragma once

#include <span>

#include "xr/openxr/frame_waiter.h"

namespace tenon::xr {

/// Durations of the runtime's calls of a frame [ms].
struct FrameCallTimes {
  double wait = 0, begin = 0, end = 0;
};

/// Begins a frame and ends it on every path.
class FrameGuard {
 public:
  /// Whether the frame after this one is waited for. `none`: this is the last one, which is waited for at
  /// most FrameWaiter::kEndTimeout.
  enum class Next { awaited, none };

  /// Takes the next frame and begins it. Throws OpenXrError, HeadsetLost.
  FrameGuard(const OpenXrSession& session, FrameWaiter& waiter, Next next = Next::awaited);
  /// Ends the frame without layers if end() was not called.
  ~FrameGuard();
  FrameGuard(const FrameGuard&) = delete;
  FrameGuard& operator=(const FrameGuard&) = delete;

  const XrFrameState& state() const { return state_; }
  /// `end` is valid after end().
  const FrameCallTimes& times() const { return times_; }
  using Layers = std::span<const XrCompositionLayerBaseHeader* const>;
  /// Ends the frame with these layers, from back to front. Throws OpenXrError, HeadsetLost.
  void end(Layers layers);

 private:
  XrResult close(Layers layers);

  const OpenXrSession& session_;
  XrFrameState state_{};
  FrameCallTimes times_;
  bool open_ = false;
};

}  // namespace tenon::xr
