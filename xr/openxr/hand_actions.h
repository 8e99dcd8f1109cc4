// Controllers and bare hands by OpenXR actions, with the bindings of interaction_profiles.h.
#pragma once

#include <array>
#include <optional>

#include "xr/openxr/action_bindings.h"
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
  /// Reads the devices of the hands and the names of their controls, after the runtime has changed them.
  /// Throws OpenXrError, HeadsetLost.
  void updateControls();
  /// Left and right, as of the last update.
  const std::array<ControlNames, 2>& controls() const { return controls_; }

 private:
  /// Spaces of the poses of a hand.
  struct Spaces {
    XrSpace grip = XR_NULL_HANDLE, aim = XR_NULL_HANDLE, palm = XR_NULL_HANDLE, position = XR_NULL_HANDLE;
  };

  XrActionSet makeSet(const char* name, const char* localizedName) const;
  XrAction make(XrActionSet set, const char* name, const char* localizedName, XrActionType type) const;
  void makeActions();
  void attach();
  void destroy();
  XrSpace spaceOf(XrAction action, std::size_t hand) const;
  std::optional<physics::Pose> locate(XrSpace space, XrTime time, int& rejected) const;
  void locatePoses(std::size_t hand, XrTime time, Controller& controller, int& rejected) const;
  Controller sample(std::size_t hand, XrTime time, int& rejected) const;
  XrActionStateGetInfo stateInfo(HandAction action, std::size_t hand) const;
  XrActionStateFloat valueOf(HandAction action, std::size_t hand) const;
  XrActionStateBoolean buttonOf(HandAction action, std::size_t hand) const;
  bool isPressed(HandAction action, std::size_t hand) const;

  const OpenXrSession& session_;
  std::array<XrActionSet, 3> sets_{};  ///< hands, moving around, menu
  HandActionHandles actions_;
  std::array<XrPath, 2> hands_{};
  std::array<Spaces, 2> spaces_;
  std::array<ControlNames, 2> controls_;
  std::array<HandOrigin, 2> origins_{HandOrigin::controller, HandOrigin::controller};
};

}  // namespace tenon::xr
