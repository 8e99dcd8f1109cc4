// What a tracked controller, or whatever stands in for one, says of a hand. Free of OpenXR.
#pragma once

#include <optional>

#include "physics/math/pose.h"

namespace tenon::xr {

/// What tells of a hand.
enum class HandOrigin { controller, bareHand };

/// One of a person's two hands; S is the room's frame: metres, y up.
struct Controller {
  bool tracked = false;    ///< false: the pose means nothing
  physics::Pose X_SH;      ///< of the grip
  double squeeze = 0;      ///< 0 open … 1 closed; buttons know these two alone
  double trigger = 0;      ///< 0 let go … 1 pulled; 0 where there is none
  double thumbstickX = 0;        ///< −1 left … 1 right; 0 where there is none
  double thumbstickY = 0;  ///< −1 towards the person … 1 away; 0 where there is none
  bool select = false;     ///< the button for choosing: A or X, where there is one
  bool menu = false;       ///< the button for the menu: B, Y, or what is called so
  /// Where it points, in the grip's frame, unit; none: not known.
  std::optional<physics::Vector3d> aimDirection = std::nullopt;
  HandOrigin origin = HandOrigin::controller;
};

}  // namespace tenon::xr
