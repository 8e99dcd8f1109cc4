// What a tracked controller, or whatever stands in for one, says of a hand. Free of OpenXR.
#pragma once

#include "physics/math/pose.h"

namespace tenon::xr {

/// One of a person's two hands; S is the room's frame: metres, y up.
struct Controller {
  bool tracked = false;  ///< false: the pose means nothing
  physics::Pose X_SH;    ///< of the grip
  double squeeze = 0;    ///< 0 open … 1 closed; buttons know these two alone
  double trigger = 0;    ///< 0 let go … 1 pulled; 0 where there is none
  double stick = 0;      ///< −1 left … 1 right; 0 where there is none
};

}  // namespace tenon::xr
