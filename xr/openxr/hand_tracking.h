// Bare hands by XR_EXT_hand_tracking, where the runtime supports it.
#pragma once

#include <array>

#include "xr/hands/hand_joints.h"
#include "xr/openxr/xr_session.h"

namespace tenon::xr {

class HandTracking {
 public:
  /// The reference must outlive it. Without the extension, or if the runtime refuses a tracker, hands are
  /// never tracked. Throws HeadsetLost.
  explicit HandTracking(const OpenXrSession& session);
  ~HandTracking();
  HandTracking(const HandTracking&) = delete;
  HandTracking& operator=(const HandTracking&) = delete;

  /// The left and right hand as controllers, predicted for `time`; untracked if palm, wrist or a joint is
  /// not, or if a joint's pose is invalid, which is counted in `rejected`.
  std::array<Controller, 2> sample(XrTime time, int& rejected) const;

 private:
  Controller sample(std::size_t hand, XrTime time, int& rejected) const;

  const OpenXrSession& session_;
  std::array<XrHandTrackerEXT, 2> trackers_{};
};

}  // namespace tenon::xr
