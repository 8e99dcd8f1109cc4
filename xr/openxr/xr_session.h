// An OpenXR session: its states, its reference space, and its frames. Includes OpenXR's headers.
#pragma once

#include <functional>
#include <optional>

#include "xr/openxr/xr_frame.h"
#include "xr/openxr/xr_system.h"

namespace tenon::xr {

class OpenXrSession {
 public:
  /// `passthrough`: prefers a blend mode that shows the real room. The references must outlive it. Throws
  /// OpenXrError, HeadsetLost.
  OpenXrSession(OpenXrSystem& system, const vk::raii::Instance& instance, const ChosenDevice& chosen,
                const vk::raii::Device& device, bool passthrough);
  ~OpenXrSession();
  OpenXrSession(const OpenXrSession&) = delete;
  OpenXrSession& operator=(const OpenXrSession&) = delete;

  /// Called before the session ends, to complete a frame that is being waited for.
  std::function<void()> beforeEnd;

  /// Processes events; begins and ends the session as the runtime requests. A session that does not begin
  /// with insets begins without: views() may change. Throws OpenXrError, HeadsetLost.
  void poll();
  /// Requests the end of the session, which poll() then processes. False: the session is not running.
  bool requestExit();
  HeadsetState state() const { return state_; }
  /// All states since the last call, in order.
  std::vector<HeadsetState> drainStates() { return std::exchange(states_, {}); }
  /// True while frames must be waited for, begun and ended.
  bool running() const { return running_; }
  /// True once after the room was recentered, from the first display time at which that applies.
  bool consumeRecentered(XrTime time);
  /// True once after the runtime changed the interaction profile of a hand.
  bool consumeProfileChange() { return std::exchange(profileChanged_, false); }

  /// True once after the runtime changed which models XR_EXT_interaction_render_model lists.
  bool consumeModelsChange() { return std::exchange(modelsChanged_, false); }
  /// True once after the runtime changed what the lenses show.
  bool consumeVisibilityChange() { return std::exchange(visibilityChanged_, false); }
  /// False while the user has taken the headset off, where the runtime reports that.
  bool isUserPresent() const { return userPresent_; }
  /// Requests the highest performance that processor and graphics card can sustain, where the runtime lets an
  /// application do so. Throws OpenXrError, HeadsetLost.
  void requestPerformance() const;
  /// What the runtime reports to slow down frames since the last call, such as heat, as one line; "":
  /// nothing.
  std::string consumePerformanceWarning() { return std::exchange(performanceWarning_, {}); }

  const XrCalls& calls() const { return system_.calls(); }
  const ViewConfiguration& views() const { return system_.views(); }
  XrSession handle() const { return session_; }
  /// The room's reference space: origin on the floor if hasFloorOrigin(), else at the head's start position.
  XrSpace room() const { return room_; }
  bool hasFloorOrigin() const { return roomSpace_ != XR_REFERENCE_SPACE_TYPE_LOCAL; }
  /// True if later sessions have the same origin.
  bool isRoomPersistent() const { return roomSpace_ == XR_REFERENCE_SPACE_TYPE_STAGE; }
  /// Not opaque: the display shows the real room where the image is transparent or black.
  XrEnvironmentBlendMode blendMode() const { return blendMode_; }

  // Refresh rates. They throw OpenXrError, HeadsetLost; the session can continue without them.

  /// The supported rates [Hz]; empty: unknown.
  std::vector<double> refreshRates() const;
  /// The current rate [Hz]; 0: unknown.
  double refreshRate() const;
  /// Requests the supported rate nearest to `rate` [Hz]; does nothing if they are unknown.
  void requestRefreshRate(double rate) const;

  /// Locates all views of the eyes at display time `time`. Sets eyes, insets and head of `frame` if they are
  /// tracked, counts invalid views there, and returns the views of the layer. An invalid inset is the view of
  /// its eye.
  void locateEyes(XrTime time, XrFrame& frame, std::vector<XrView>& views) const;
  /// Finds out whether the inset can follow the person's gaze in the frame of this display time, for the
  /// calls of locateEyes() from now on. Throws OpenXrError, HeadsetLost; the inset then stays in the middle,
  /// for the rest of the session if there is no space of the gaze.
  void updateGaze(XrTime time);
  bool isGazeKnown() const { return gazeKnown_; }

 private:
  void begin();
  void makeRoom();
  XrSpace makeSpace(XrReferenceSpaceType type) const;
  void chooseBlendMode(bool passthrough);
  void handle(const XrEventDataSessionStateChanged& event);
  void handle(const XrEventDataReferenceSpaceChangePending& event);
  void handle(const XrEventDataPerfSettingsEXT& event);

  OpenXrSystem& system_;
  XrSession session_ = XR_NULL_HANDLE;
  XrSpace room_ = XR_NULL_HANDLE;
  XrReferenceSpaceType roomSpace_ = XR_REFERENCE_SPACE_TYPE_LOCAL;
  XrSpace head_ = XR_NULL_HANDLE, gaze_ = XR_NULL_HANDLE;  ///< only where an inset follows the gaze
  bool gazeKnown_ = false, gazeFailed_ = false;
  bool running_ = false, profileChanged_ = false, modelsChanged_ = false, visibilityChanged_ = false,
       userPresent_ = true;
  std::string performanceWarning_;
  std::optional<XrTime> recenterTime_;  ///< display time from which a new origin applies
  XrEnvironmentBlendMode blendMode_ = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;
  HeadsetState state_ = HeadsetState::unknown;
  std::vector<HeadsetState> states_;
};

}  // namespace tenon::xr
