// See torque_curve.h.
#include "runtime/assess/torque_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tenon::runtime {

using physics::Pose;
using physics::Vector3d;

TorqueCurve::TorqueCurve(const content::ThreadPair& threads, const content::Goal& goal, bool isPartFixed)
    : moved_(isPartFixed ? goal.into : goal.part),
      tightening_(threads.internal.isLeftHanded ? 1 : -1),
      onPart_(isPartFixed ? -1 : 1) {}

void TorqueCurve::add(const SessionEvent& event) {
  constexpr double kOpen = std::numeric_limits<double>::infinity();
  if (event.kind == "driver-on" && event.other == moved_) fits_.push_back({event.body, event.time, kOpen});
  for (Fit& fit : fits_)
    if (event.kind == "driver-off" && fit.driver == event.body && fit.until == kOpen) fit.until = event.time;
  for (const char* kind : {"undo", "redo", "reset", "place"})
    if (event.kind == kind) restarts_.push_back(event.time);
}

bool TorqueCurve::isTurning(int body, double time) const {
  return body == moved_ || std::any_of(fits_.begin(), fits_.end(), [&](const Fit& fit) {
           return fit.driver == body && fit.from <= time && time <= fit.until;
         });
}

void TorqueCurve::add(const Keyframe& frame, const Pose& X_WH, const Pose& X_WP, bool isAtHole) {
  if (std::any_of(restarts_.begin(), restarts_.end(),
                  [&](double time) { return lastTime_ < time && time <= frame.time; })) {
    last_.reset();
    points_.clear();
    angle_ = 0;
  }
  lastTime_ = frame.time;
  const physics::Quaterniond now = X_WH.q.conjugate() * X_WP.q;
  if (last_) {
    const physics::Quaterniond turn = now * last_->conjugate();
    angle_ += tightening_ * std::remainder(2 * std::atan2(turn.z(), turn.w()), 2 * std::numbers::pi);
  }
  last_ = now;
  bool isTurned = false;
  Vector3d torque = Vector3d::Zero();
  for (const physics::HandState& hand : frame.hands) {
    if (!hand.body.valid() || !isTurning(hand.body.value, frame.time)) continue;
    isTurned = true;
    const Pose& X_WC = frame.bodies[static_cast<std::size_t>(hand.body.value)].X_WC;
    torque += hand.torque + (X_WC * hand.X_CH.p - X_WH.p).cross(hand.force);
  }
  if (isTurned && isAtHole && frame.converged)
    points_.push_back({frame.time, angle_, tightening_ * onPart_ * torque.dot(X_WH.q * Vector3d::UnitZ())});
}

}  // namespace tenon::runtime
