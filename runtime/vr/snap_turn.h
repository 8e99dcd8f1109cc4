// A person who turns on the spot in steps, which makes nobody sick, by pushing a stick aside.
#pragma once

#include <array>

#include "xr/hands/controller.h"

namespace tenon::runtime {

class SnapTurn {
 public:
  static constexpr double kPushed = 0.7,
                          kBack = 0.4;  ///< a stick counts from here, and again when it was below

  /// `step` is the angle of one [rad]; 0: sticks turn nobody.
  explicit SnapTurn(double step) : step_(step) {}

  /// By how much to turn now, to the right [rad]. A hand that is closed turns nobody: what it holds would be
  /// swung about.
  double update(const std::array<xr::Controller, 2>& hands, const std::array<bool, 2>& closed);

 private:
  double step_;
  std::array<bool, 2> pushed_{};
};

/// The room when the person in it, whose head is at X_SH, has turned to the right on the spot, about the
/// world's z.
physics::Pose turnedRoom(const physics::Pose& X_WS, const physics::Pose& X_SH, double angle);

}  // namespace tenon::runtime
