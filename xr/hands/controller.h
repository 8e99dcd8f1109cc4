// The state of a tracked controller or bare hand. Independent of OpenXR.
#pragma once

#include <optional>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::xr {

/// The device that tracks a hand.
enum class HandOrigin { controller, bareHand };

/// One of the user's two hands; S is the room's frame: meters, y up.
struct Controller {
  bool tracked = false;    ///< false: the pose is invalid
  physics::Pose X_SH;      ///< of the grip (OpenXR grip pose)
  double squeeze = 0;      ///< 0 open … 1 closed; buttons report only these two
  double trigger = 0;      ///< 0 released … 1 pulled; 0 if there is none
  double thumbstickX = 0;  ///< −1 left … 1 right; 0 if there is none
  double thumbstickY = 0;  ///< −1 towards the user … 1 away; 0 if there is none
  bool select = false;     ///< the select button: A or X, if there is one
  bool menu = false;       ///< the menu button: B, Y or the one of that name
  /// Direction of the OpenXR aim pose in the grip's frame, unit; none: unknown.
  std::optional<physics::Vector3d> aimDirection = std::nullopt;
  /// Normal of the palm, away from the hand, in the grip's frame, unit; none: that of the OpenXR grip pose.
  std::optional<physics::Vector3d> palmNormal = std::nullopt;
  HandOrigin origin = HandOrigin::controller;
  std::vector<physics::Vector3d> joints = {};  ///< of a bare hand, in the room [m]; empty: unknown
};

}  // namespace tenon::xr
