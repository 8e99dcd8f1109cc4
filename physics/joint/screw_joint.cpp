// See screw_joint.h.
#include "physics/joint/screw_joint.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::physics {
namespace {

constexpr double kFullTurn = 2 * std::numbers::pi;
/// Time constant with which a screw off its axis is centered: slow enough for a hand to yield [s].
constexpr double kCenteringTime = 0.02;
/// Offsets and angles up to this are zero: below the tolerance of the equations [m, rad].
constexpr double kCentered = 1e-11;

/// A tightened screw stops this far short of its position: rigid parts under its head would otherwise bear
/// any force, and overlap by rounding an unlimited one [m].
constexpr double kTightSlack = 1e-8;

bool engages(const JointDescription& joint, const Pose& X_AB) {
  const double tilt = std::acos(std::min(1.0, (X_AB.q * Vector3d::UnitZ()).z()));
  return X_AB.p.z() >= 0 && X_AB.p.z() <= joint.travel.high &&
         X_AB.p.head<2>().norm() <= joint.entry->captureRadius && tilt <= joint.entry->captureAngle;
}

/// Engages the screw at its pose, so that the equations begin with zero error.
void engage(const JointDescription& joint, const Pose& X_AB, ScrewJointState& screw) {
  const Vector3d z_B = X_AB.q * Vector3d::UnitZ();
  const double travel = X_AB.p.z();
  screw.phase = JointPhase::holds;
  screw.axisOffset = X_AB.p - travel * z_B;
  screw.tiltRotation = shortestRotation(Vector3d::UnitZ(), z_B);
  const Quaterniond q = screw.tiltRotation.conjugate() * X_AB.q;  // about z alone
  screw.catchAngle =
      std::remainder(2 * std::atan2(q.z(), q.w()) - kFullTurn * travel / joint.pitch, kFullTurn);
}

void center(double dt, ScrewJointState& screw) {
  const double remaining = std::max(0.0, 1 - dt / kCenteringTime);
  screw.axisOffset *= remaining;
  screw.tiltRotation = Quaterniond::Identity().slerp(remaining, screw.tiltRotation);
  if (screw.axisOffset.norm() < kCentered) screw.axisOffset.setZero();
  if (screw.tiltRotation.vec().norm() < kCentered) screw.tiltRotation.setIdentity();
}

}  // namespace

void advanceScrew(const JointDescription& joint, const JointFrames& at, double resistance, double dt,
                  ScrewJointState& screw) {
  const Pose X_AB = at.X_WA.inverse() * at.X_WB;
  const double driving = joint.pitch > 0 ? -resistance : resistance;  // > 0 where it is screwed in
  switch (screw.phase) {
    case JointPhase::apart:
      if (engages(joint, X_AB)) engage(joint, X_AB, screw);
      return;
    case JointPhase::holds:
      center(dt, screw);
      if (X_AB.p.z() < 0) {
        screw.phase = JointPhase::apart;
      } else if (driving >= joint.entry->tightening) {
        screw.phase = JointPhase::tight;
        screw.X_AB = {X_AB.q, X_AB.p - kTightSlack * Vector3d::UnitZ()};
      }
      return;
    case JointPhase::tight:
      if (driving <= -joint.entry->tightening) engage(joint, X_AB, screw);
  }
}

Pose screwFrame(const ScrewJointState& screw) {
  if (screw.phase == JointPhase::tight) return screw.X_AB;
  return {screw.tiltRotation * Quaterniond(Eigen::AngleAxisd(screw.catchAngle, Vector3d::UnitZ())),
          screw.axisOffset};
}

JointKind activeKind(const ScrewJointState& screw) {
  return screw.phase == JointPhase::tight ? JointKind::fixed : JointKind::helical;
}

}  // namespace tenon::physics
