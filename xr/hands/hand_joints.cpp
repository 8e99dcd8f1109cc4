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

double jointDistance(const HandJoints& joints, Joint a, Joint b) {
  return (at(joints, a) - at(joints, b)).norm();
}

/// kCloseThreshold at the lower limit, kOpenThreshold at the upper one, linear.
double strengthAt(double ratio, const std::array<double, 2>& limits) {
  const double fraction = (ratio - limits[0]) / (limits[1] - limits[0]);
  return std::clamp(
      XrHands::kCloseThreshold + fraction * (XrHands::kOpenThreshold - XrHands::kCloseThreshold), 0.0, 1.0);
}

double sizeOf(const HandJoints& joints) {
  return jointDistance(joints, Joint::wrist, Joint::middleProximal);
}

/// The ratio of a length to the hand's length; large, so open, if the hand's length is invalid.
double ratioOf(double length, const HandJoints& joints) {
  const double size = sizeOf(joints);
  return size > 1e-3 ? length / size : 1e3;
}

}  // namespace

double pinchStrength(const HandJoints& joints) {
  return strengthAt(ratioOf(jointDistance(joints, Joint::thumbTip, Joint::indexTip), joints),
                    kPinchThresholds);
}

double graspStrength(const HandJoints& joints) {
  constexpr std::array kTips{Joint::middleTip, Joint::ringTip, Joint::littleTip};
  const double mean =
      std::accumulate(kTips.begin(), kTips.end(), 0.0,
                      [&](double sum, Joint tip) { return sum + jointDistance(joints, tip, Joint::palm); }) /
      kTips.size();
  return strengthAt(ratioOf(mean, joints), kGraspThresholds);
}

Controller controllerOf(const HandJoints& joints) {
  Controller hand;
  hand.tracked = true;
  hand.origin = HandOrigin::bareHand;
  hand.X_SH.q = joints[static_cast<std::size_t>(Joint::palm)].q;
  hand.X_SH.p = at(joints, Joint::indexProximal) +
                kGripOffset * sizeOf(joints) * (hand.X_SH.q * -(Vector3d::UnitY() + Vector3d::UnitZ()));
  hand.squeeze = std::max(pinchStrength(joints), graspStrength(joints));
  hand.aimDirection = -Vector3d::UnitZ();
  for (const physics::Pose& joint : joints) hand.joints.push_back(joint.p);
  return hand;
}

Controller firstTracked(const Controller& controller, const Controller& bareHand) {
  if (!controller.tracked) return bareHand.tracked ? bareHand : controller;
  Controller first = controller;
  if (controller.origin == HandOrigin::bareHand) first.joints = bareHand.joints;
  return first;
}

}  // namespace tenon::xr
