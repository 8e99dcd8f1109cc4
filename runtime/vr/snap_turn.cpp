// Edge detection of the sticks, and the turned room.
#include "runtime/vr/snap_turn.h"

#include <cmath>

namespace tenon::runtime {

using physics::Pose;
using physics::Vector3d;

double SnapTurn::update(const std::array<xr::Controller, 2>& hands, const std::array<bool, 2>& closed) {
  double turn = 0;
  for (std::size_t side = 0; side < hands.size(); ++side) {
    const double stick = hands[side].thumbstickX;
    const bool before = pushed_[side];
    pushed_[side] = std::abs(stick) >= (before ? kReleaseThreshold : kPressThreshold);
    if (pushed_[side] && !before) turn += std::copysign(step_, stick);
  }
  return closed[0] || closed[1] ? 0 : turn;
}

Pose turnedRoom(const Pose& X_WS, const Pose& X_SH, double angle) {
  const Vector3d head = X_WS * X_SH.p;
  const physics::Quaterniond turn = physics::exponential(-angle * Vector3d::UnitZ());
  return {(turn * X_WS.q).normalized(), head + turn * (X_WS.p - head)};
}

}  // namespace tenon::runtime
