// See thread_engagement.h.
#include "runtime/assess/thread_engagement.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "runtime/assess/goal_watch.h"

namespace tenon::runtime {
namespace {

using physics::Pose;

constexpr double kTurn = 2 * std::numbers::pi;
/// Over which advance and rotation are compared [turns].
constexpr double kQuarter = 0.25;

/// Angle about z of the rotation, of which the tilt of z is left out [rad].
double yawOf(const physics::Quaterniond& q) {
  return 2 * std::atan2(q.z(), q.w());
}

}  // namespace

std::string_view toText(ThreadPhase phase) {
  switch (phase) {
    case ThreadPhase::apart:
      return "apart";
    case ThreadPhase::atMouth:
      return "at-mouth";
    case ThreadPhase::started:
      return "started";
    case ThreadPhase::crossed:
      return "cross-threaded";
  }
  return "";
}

ThreadWatch::ThreadWatch(const content::ThreadPair& threads) : threads_(threads) {
  state_.external = threads.external;
  state_.internal = threads.internal;
  state_.isMatching = threads.isMatching();
  state_.freeTilt = std::max(0.0, threads.axialPlay()) / threads.external.pitchDiameter;
}

/// Tilt, and the complete turns side by side.
void ThreadWatch::measure(const Pose& X_IE) {
  const content::CompleteRange own = content::completeRangeOf(state_.external),
                               other = content::completeRangeOf(state_.internal);
  const Vector3d axis = X_IE.q * Vector3d::UnitZ();
  state_.tilt = std::atan2(axis.head<2>().norm(), std::abs(axis.z()));
  const Vector3d low = X_IE * Vector3d(0, 0, own.low), high = X_IE * Vector3d(0, 0, own.high);
  const double from = std::max(other.low, std::min(low.z(), high.z())),
               to = std::min(other.high, std::max(low.z(), high.z()));
  state_.turns = std::max(0.0, (to - from) / std::abs(state_.internal.lead()));
  // Where the axis passes the end of the internal thread nearest to the external one.
  const double middle = std::clamp(0.5 * (low.z() + high.z()), state_.internal.low, state_.internal.high);
  const double along = std::abs(axis.z()) > 0.1 ? (middle - X_IE.p.z()) / axis.z() : 0;
  const double offset = (X_IE.p + along * axis).head<2>().norm();
  isInHole_ = 2 * offset < state_.internal.majorDiameter - state_.external.minorDiameter;
  if (!isInHole_) state_.turns = 0;
}

/// Adds the rotation since the last step, and compares it with the advance at each quarter of a turn.
void ThreadWatch::follow(double yaw, double depth) {
  const double lead = state_.internal.lead();
  const double turned = std::remainder(yaw - lastYaw_, kTurn) / kTurn;
  lastYaw_ = yaw;
  if (!hasTouched_) {
    state_.driven = lastDriven_ = 0;
    lastDepth_ = depth;
    return;
  }
  state_.driven += lead > 0 ? -turned : turned;
  const double since = state_.driven - lastDriven_;
  if (std::abs(since) < kQuarter) return;
  const double advance = depth - lastDepth_, expected = since * std::abs(lead);
  follows_ = std::abs(advance - expected) < 0.5 * std::abs(expected);
  lastDriven_ = state_.driven;
  lastDepth_ = depth;
}

/// Force and torque on the part. Threads pull it in where their contacts act along −z of the hole.
void ThreadWatch::load(const std::vector<InsertionContactPoint>& points, double torque, bool converged) {
  double axial = 0;
  state_.force = 0;
  for (const InsertionContactPoint& point : points) {
    if (point.p_H.z() > threads_.internal.pitch ||
        2 * point.p_H.head<2>().norm() > threads_.internal.majorDiameter)
      continue;
    state_.force += point.force;
    axial += point.total_H().z();
  }
  const bool wasPulling = state_.preload > 0;
  state_.preload = state_.turns > 0 && -axial > kPushForce ? -axial : 0;
  if (converged) state_.maxPreload = std::max(state_.maxPreload, state_.preload);
  state_.torque = state_.internal.isLeftHanded ? torque : -torque;
  if (state_.preload == 0 || !wasPulling) {
    state_.maxTorque = 0;
    drivenToSeat_ = state_.driven;
  }
  state_.tightening = state_.driven - drivenToSeat_;
  if (state_.preload > 0) state_.maxTorque = std::max(state_.maxTorque, state_.torque);
}

bool ThreadWatch::isBinding(double time) const {
  const bool isStuck = time - turnedAt_ >= kStandstillTime && state_.torque >= kTurningTorque;
  return state_.force >= kPushForce && state_.tilt > kTiltFactor * state_.freeTilt &&
         (state_.turns > 0 || isStuck || (state_.driven >= kQuarter && !follows_));
}

void ThreadWatch::add(double time, const Pose& X_HP, const InsertionPose& stand,
                      const std::vector<InsertionContactPoint>& points, double torque, bool converged) {
  Pose X_IE = threads_.X_HI.inverse() * X_HP * threads_.X_PE;
  measure(X_IE);
  // Both z axes along that of the hole, so that the rotation is about it.
  const physics::Quaterniond over(0, 1, 0, 0);
  physics::Quaterniond q = (threads_.X_HI * X_IE).q;
  if ((q * Vector3d::UnitZ()).z() < 0) q = q * over;
  load(points, torque, converged);
  const double depth = stand.depth();
  const bool isTouching = isInHole_ && state_.force > 0;
  const bool isAway = !isInHole_ || (state_.turns == 0 && depth < -threads_.internal.pitch);
  if (isTouching) hasTouched_ = true;
  if (isAway && state_.force == 0) hasTouched_ = false;
  follow(yawOf(q), depth);
  if (!hasTouched_ || std::abs(state_.driven - turnedTo_) >= kStandstillTurns) {
    turnedAt_ = time;
    turnedTo_ = state_.driven;
  }
  const bool wasCrossed = state_.isCrossed();
  const bool wasBinding = std::exchange(isBinding_, isBinding(time));
  if (!isBinding_) freeSince_ = time;
  if (isBinding_ && !wasBinding && !wasCrossed) {
    state_.boundAt = state_.driven;
    state_.boundDepth = depth;
  }
  const bool isCrossed = time - freeSince_ >= kStandstillTime ||
                         (wasCrossed && hasTouched_ && state_.tilt > kTiltFactor * state_.freeTilt);
  state_.phase = !hasTouched_        ? ThreadPhase::apart
                 : isCrossed         ? ThreadPhase::crossed
                 : state_.turns >= 1 ? ThreadPhase::started
                                     : ThreadPhase::atMouth;
}

}  // namespace tenon::runtime
