// Snap turns with the thumbsticks, which avoid motion sickness.
#pragma once

#include <array>

#include "xr/hands/controller.h"

namespace tenon::runtime {

class SnapTurn {
 public:
  static constexpr double kPressThreshold = 0.7,
                          kReleaseThreshold = 0.4;  ///< hysteresis of the stick

  /// `step`: angle of a turn [rad]; 0: off.
  explicit SnapTurn(double step) : step_(step) {}

  /// The turn of this frame, to the right [rad]. 0 while a hand is closed, because held parts would swing.
  double update(const std::array<xr::Controller, 2>& hands, const std::array<bool, 2>& closed);

 private:
  double step_;
  std::array<bool, 2> pushed_{};
};

/// The room after the user with head pose X_SH has turned right by `angle` about the world's z axis.
physics::Pose turnedRoom(const physics::Pose& X_WS, const physics::Pose& X_SH, double angle);

}  // namespace tenon::runtime
