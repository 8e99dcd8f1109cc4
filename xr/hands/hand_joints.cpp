// See hand_joints.h.
#include "xr/hands/hand_joints.h"

#include <algorithm>
#include <numeric>

#include "xr/hands/xr_hands.h"

namespace tenon::xr {

namespace {

using physics::Vector3d;

const Vector3d& at(const HandJoints& joints, Joint joint) {
  return joints[static_cast<std::size_t>(joint)].p;
}

double between(const HandJoints& joints, Joint a, Joint b) {
  return (at(joints, a) - at(joints, b)).norm();
}

/// kClose at the lower limit, kOpen at the upper one.
double closedness(double ratio, const std::array<double, 2>& limits) {
  const double share = (ratio - limits[0]) / (limits[1] - limits[0]);
  return std::clamp(XrHands::kClose + share * (XrHands::kOpen - XrHands::kClose), 0.0, 1.0);
}

double sizeOf(const HandJoints& joints) {
  return between(joints, Joint::wrist, Joint::middleProximal);
}

/// Of a hand that is told without size nothing is closed.
double ratioOf(double length, const HandJoints& joints) {
  const double size = sizeOf(joints);
  return size > 1e-3 ? length / size : 1e3;
}

}  // namespace

double pinchOf(const HandJoints& joints) {
  return closedness(ratioOf(between(joints, Joint::thumbTip, Joint::indexTip), joints), kPinched);
}

double graspOf(const HandJoints& joints) {
  constexpr std::array kTips{Joint::middleTip, Joint::ringTip, Joint::littleTip};
  const double mean =
      std::accumulate(kTips.begin(), kTips.end(), 0.0,
                      [&](double sum, Joint tip) { return sum + between(joints, tip, Joint::palm); }) /
      kTips.size();
  return closedness(ratioOf(mean, joints), kGrasped);
}

Controller controllerOf(const HandJoints& joints) {
  Controller hand;
  hand.tracked = true;
  hand.origin = HandOrigin::bareHand;
  hand.X_SH.q = joints[static_cast<std::size_t>(Joint::palm)].q;
  hand.X_SH.p = at(joints, Joint::indexProximal) +
                kGrip * sizeOf(joints) * (hand.X_SH.q * -(Vector3d::UnitY() + Vector3d::UnitZ()));
  hand.squeeze = std::max(pinchOf(joints), graspOf(joints));
  hand.pointing = -Vector3d::UnitZ();
  return hand;
}

Controller firstSeen(const Controller& controller, const Controller& bareHand) {
  if (controller.tracked) return controller;
  if (bareHand.tracked) return bareHand;
  return controller;
}

}  // namespace tenon::xr
