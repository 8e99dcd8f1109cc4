// Controller input by OpenXR actions: one action set with bindings for several interaction profiles.
#pragma once

#include <array>
#include <optional>

#include "xr/openxr/xr_session.h"

namespace tenon::xr {

class HandActions {
 public:
  /// Construct it before the session runs; the reference must outlive it. Interaction profiles that the
  /// runtime does not support are skipped. Throws OpenXrError, HeadsetLost.
  explicit HandActions(const OpenXrSession& session);
  ~HandActions();
  HandActions(const HandActions&) = delete;
  HandActions& operator=(const HandActions&) = delete;

  /// The left and right controller, predicted for `time`. They are untracked while the session is not
  /// focused, and if a pose or squeeze value is invalid, which is counted in `rejected`.
  std::array<Controller, 2> sample(XrTime time, int& rejected) const;
  /// Vibrates a controller with `strength` 0…1, if it can. Throws OpenXrError, HeadsetLost.
  void hapticPulse(std::size_t hand, double strength, XrDuration duration) const;

 private:
  XrAction make(const char* name, const char* localizedName, XrActionType type) const;
  XrPath path(const std::string& text) const;
  void suggestBindings() const;
  XrSpace spaceOf(XrAction action, std::size_t hand) const;
  std::optional<physics::Pose> locate(XrSpace space, XrTime time, int& rejected) const;
  Controller sample(std::size_t hand, XrTime time, int& rejected) const;
  XrActionStateGetInfo stateInfo(XrAction action, std::size_t hand) const;
  XrActionStateFloat valueOf(XrAction action, std::size_t hand) const;
  bool isPressed(XrAction action, std::size_t hand) const;

  const OpenXrSession& session_;
  XrActionSet set_ = XR_NULL_HANDLE;
  XrAction grip_ = XR_NULL_HANDLE, aim_ = XR_NULL_HANDLE, squeeze_ = XR_NULL_HANDLE,
           haptics_ = XR_NULL_HANDLE;
  XrAction trigger_ = XR_NULL_HANDLE, stick_ = XR_NULL_HANDLE;
  XrAction select_ = XR_NULL_HANDLE, menu_ = XR_NULL_HANDLE;
  std::array<XrPath, 2> hands_{};
  std::array<XrSpace, 2> spaces_{}, aims_{};
};

}  // namespace tenon::xr
