// A session with a headset: its states, its room, and its frames. With OpenXR's headers.
#pragma once

#include <optional>

#include "xr/openxr/xr_frame.h"
#include "xr/openxr/xr_system.h"

namespace tenon::xr {

class OpenXrSession {
 public:
  /// The references must outlive it. Throws OpenXrError, HeadsetLost.
  OpenXrSession(const OpenXrSystem& system, const vk::raii::Instance& instance, const ChosenDevice& chosen,
                const vk::raii::Device& device);
  ~OpenXrSession();
  OpenXrSession(const OpenXrSession&) = delete;
  OpenXrSession& operator=(const OpenXrSession&) = delete;

  /// Takes in what has happened: begins and ends the session as the runtime wants it. Throws HeadsetLost.
  void poll();
  /// Asks the runtime for the end, which comes by poll(). False: it does not run, so nothing will come.
  bool requestExit();
  HeadsetState state() const { return state_; }
  /// All that it has been since the last call, in order.
  std::vector<HeadsetState> drainStates() { return std::exchange(states_, {}); }
  /// Frames are to be waited for, begun and ended.
  bool running() const { return running_; }
  /// Whether the room has been recentred by then, a time of display, and that was not told before.
  bool consumeRecentered(XrTime time);

  const XrCalls& calls() const { return system_.calls(); }
  XrSession handle() const { return session_; }
  /// The room: its floor where hasFloorOrigin(), else from where the head was at the start.
  XrSpace room() const { return room_; }
  bool hasFloorOrigin() const { return roomSpace_ != XR_REFERENCE_SPACE_TYPE_LOCAL; }
  /// The next session will have it in the same place.
  bool isRoomPersistent() const { return roomSpace_ == XR_REFERENCE_SPACE_TYPE_STAGE; }
  XrEnvironmentBlendMode blendMode() const { return blendMode_; }

  // Pictures a second. Throw OpenXrError, HeadsetLost: a session can go on without.

  /// That the headset can show [Hz]; empty: it does not tell.
  std::vector<double> refreshRates() const;
  /// That it shows now [Hz]; 0: it does not tell.
  double refreshRate() const;
  /// Asks for the one of those that is nearest; nothing where it does not tell them.
  void requestRefreshRate(double rate) const;

  /// Both eyes, at the time of display. Fills in eyes and head of `moment` where they are known, counts what
  /// it rejects there, and gives the views of the layer.
  void locateEyes(XrTime time, XrFrame& moment, std::array<XrView, 2>& views) const;

 private:
  void makeRoom();
  void chooseBlendMode();
  void take(const XrEventDataSessionStateChanged& event);
  void take(const XrEventDataReferenceSpaceChangePending& event);

  const OpenXrSystem& system_;
  XrSession session_ = XR_NULL_HANDLE;
  XrSpace room_ = XR_NULL_HANDLE;
  XrReferenceSpaceType roomSpace_ = XR_REFERENCE_SPACE_TYPE_LOCAL;
  bool running_ = false;
  std::optional<XrTime> recenterTime_;  ///< at this time of display
  XrEnvironmentBlendMode blendMode_ = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;
  HeadsetState state_ = HeadsetState::unknown;
  std::vector<HeadsetState> states_;
};

/// How long the runtime's part of a frame took [ms].
struct FrameCallTimes {
  double wait = 0, begin = 0, end = 0;
};

/// A frame from its beginning to its end: whatever happens in between, it is ended.
class FrameGuard {
 public:
  /// Waits until it is time and begins. Throws OpenXrError, HeadsetLost.
  explicit FrameGuard(const OpenXrSession& session);
  /// Ends it without a picture where end() was not called.
  ~FrameGuard();
  FrameGuard(const FrameGuard&) = delete;
  FrameGuard& operator=(const FrameGuard&) = delete;

  const XrFrameState& state() const { return state_; }
  /// `end` is known after end().
  const FrameCallTimes& times() const { return times_; }
  /// With this layer; none: without a picture. Throws OpenXrError, HeadsetLost.
  void end(const XrCompositionLayerProjection* layer);

 private:
  XrResult close(const XrCompositionLayerProjection* layer);

  const OpenXrSession& session_;
  XrFrameState state_{};
  FrameCallTimes times_;
  bool open_ = false;
};

}  // namespace tenon::xr
