// The state of headset and hands for one frame. Without OpenXR's headers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "xr/hands/controller.h"
#include "xr/view.h"

namespace tenon::xr {

/// The session states of OpenXR. Frames are rendered in `visible` and `focused`, hands are tracked in
/// `focused` only. `lost` is set by the application after HeadsetLost.
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

/// S is the room's frame: meters, y up.
struct XrFrame {
  HeadsetState state = HeadsetState::unknown;
  bool shouldRender = false;  ///< the runtime requests an image and the eyes are tracked
  std::vector<View> eyes;     ///< left and right, with X_SE as X_WC; empty: not tracked
  /// Of left and right, the part that is drawn in more detail, with the poses of `eyes`; empty: none.
  std::vector<View> insets;
  physics::Pose X_SH;                 ///< of the head, midway between the eyes
  std::array<Controller, 2> hands;    ///< left and right
  std::int64_t displayTime_ns = 0;    ///< predicted display time, by the runtime's clock
  std::int64_t displayPeriod_ns = 0;  ///< between two frames
  int rejected = 0;         ///< number of invalid poses and fields of view, which count as untracked
  bool recentered = false;  ///< the user recentered the room since the last frame
};

}  // namespace tenon::xr
