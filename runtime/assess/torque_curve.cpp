// See torque_curve.h.
#include "runtime/assess/torque_curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::runtime {

using physics::Pose;
using physics::Vector3d;

TorqueCurve::TorqueCurve(const content::ThreadPair& threads, const content::Goal& goal, bool isPartFixed)
    : moved_(isPartFixed ? goal.into : goal.part),
      tightening_(threads.internal.isLeftHanded ? 1 : -1),
      side_(isPartFixed ? -1 : 1) {}

void TorqueCurve::add(const SessionEvent& event) {
  if (event.kind == "driver-on" && event.other == moved_) drivers_.push_back(event.body);
  if (event.kind == "driver-off") std::erase(drivers_, event.body);
}

std::optional<AngleTorque> TorqueCurve::add(const Keyframe& frame, const Pose& X_WH, const Pose& X_WP) {
  const physics::Quaterniond now = X_WH.q.conjugate() * X_WP.q;
  if (last_) {
    const physics::Quaterniond turn = now * last_->conjugate();
    angle_ += tightening_ * std::remainder(2 * std::atan2(turn.z(), turn.w()), 2 * std::numbers::pi);
  }
  last_ = now;
  bool isTurned = false;
  Vector3d torque = Vector3d::Zero();
  for (const physics::HandState& hand : frame.hands) {
    const int body = hand.body.value;
    if (!hand.body.valid() ||
        (body != moved_ && std::find(drivers_.begin(), drivers_.end(), body) == drivers_.end()))
      continue;
    isTurned = true;
    const Pose& X_WC = frame.bodies[static_cast<std::size_t>(body)].X_WC;
    torque += hand.torque + (X_WC * hand.X_CH.p - X_WH.p).cross(hand.force);
  }
  if (!isTurned || !frame.converged) return std::nullopt;
  return AngleTorque{frame.time, angle_, tightening_ * side_ * torque.dot(X_WH.q * Vector3d::UnitZ())};
}

}  // namespace tenon::runtime
