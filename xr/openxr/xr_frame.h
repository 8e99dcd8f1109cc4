// What a headset tells of one moment. Free of OpenXR's headers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "xr/hands/controller.h"
#include "xr/view.h"

namespace tenon::xr {

/// As OpenXR has them. Pictures are wanted in `visible` and `focused`, hands are known in `focused` alone.
/// Headset and runtime that have gone are `lost`: that is for whoever tells of it.
enum class HeadsetState {
  unknown,
  idle,
  ready,
  synchronized,
  visible,
  focused,
  stopping,
  exiting,
  lossPending,
  lost
};

const char* toText(HeadsetState state);

/// S is the room's frame: metres, y up.
struct XrFrame {
  HeadsetState state = HeadsetState::unknown;
  bool shouldRender = false;          ///< and knows where the eyes are
  std::vector<View> eyes;             ///< left and right, with X_SE in the place of X_WC; empty: not known
  physics::Pose X_SH;                 ///< of the head, midway between the eyes
  std::array<Controller, 2> hands;    ///< left and right
  std::int64_t displayTime_ns = 0;    ///< when the picture is to be seen, by the runtime's clock
  std::int64_t displayPeriod_ns = 0;  ///< from one picture to the next
  int rejected =
      0;  ///< poses and fields of view that were not finite, or no rotation: these count as not tracked
  bool recentered = false;  ///< the person has asked for a new middle of the room since the last moment
};

}  // namespace tenon::xr
