// A session with a headset: its states, its room, and its frames. With OpenXR's headers.
#pragma once

#include <optional>

#include "xr/openxr/headset_moment.h"
#include "xr/openxr/xr_system.h"

namespace tenon::xr {

physics::Pose poseOf(const XrPosef& pose);
XrPosef poseOf(const physics::Pose& pose);

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
  bool askForExit();
  HeadsetState state() const { return state_; }
  /// Frames are to be waited for, begun and ended.
  bool running() const { return running_; }
  /// Whether the room has been recentred since the last call.
  bool takeRecentred() { return std::exchange(recentred_, false); }

  const XrCalls& calls() const { return system_.calls(); }
  XrSession handle() const { return session_; }
  /// The room: its floor where onFloor(), else from where the head was at the start.
  XrSpace room() const { return room_; }
  bool onFloor() const { return onFloor_; }
  XrEnvironmentBlendMode blendMode() const { return blendMode_; }

  /// Both eyes, at the time of display. Fills in eyes and head of `moment` where they are known, and the
  /// views of the layer.
  void locateEyes(XrTime time, HeadsetMoment& moment, std::array<XrView, 2>& views) const;

 private:
  void makeRoom();
  void chooseBlendMode();
  void take(const XrEventDataSessionStateChanged& event);

  const OpenXrSystem& system_;
  XrSession session_ = XR_NULL_HANDLE;
  XrSpace room_ = XR_NULL_HANDLE;
  bool onFloor_ = false, running_ = false, recentred_ = false;
  XrEnvironmentBlendMode blendMode_ = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;
  HeadsetState state_ = HeadsetState::unknown;
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
  /// With this layer; none: without a picture. Throws OpenXrError, HeadsetLost.
  void end(const XrCompositionLayerProjection* layer);

 private:
  XrResult close(const XrCompositionLayerProjection* layer);

  const OpenXrSession& session_;
  XrFrameState state_{};
  bool open_ = false;
};

}  // namespace tenon::xr
