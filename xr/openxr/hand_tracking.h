// Bare hands as the runtime sees them (XR_EXT_hand_tracking), where it can.
#pragma once

#include <array>

#include "xr/hands/hand_joints.h"
#include "xr/openxr/xr_session.h"

namespace tenon::xr {

class HandTracking {
 public:
  /// The reference must outlive it. Where extension or headset has no hand tracking, or the runtime refuses
  /// it, no hand is ever seen. Throws HeadsetLost.
  explicit HandTracking(const OpenXrSession& session);
  ~HandTracking();
  HandTracking(const HandTracking&) = delete;
  HandTracking& operator=(const HandTracking&) = delete;

  /// Left and right, as they will be at that time, in the place of controllers; untracked where not all that
  /// counts is seen, or a joint's pose is none, which is counted in `rejected`.
  std::array<Controller, 2> sample(XrTime time, int& rejected) const;

 private:
  Controller sample(std::size_t hand, XrTime time, int& rejected) const;

  const OpenXrSession& session_;
  std::array<XrHandTrackerEXT, 2> trackers_{};
};

}  // namespace tenon::xr
