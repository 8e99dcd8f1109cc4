// See thread.h.
#include "physics/joint/screw_joint.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::physics {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
/// A screw off its axis comes onto it by e^(−t / kCentring): slow enough for a hand to yield [s].
constexpr double kCentring = 0.02;
/// Less is nothing: below what the equations are kept to [m, rad].
constexpr double kCentred = 1e-11;

/// A fast screw stays so far short of where it was turned to: rigid parts under its head that it went on
/// pressing would bear any force, and one overlapping by rounding an endless one [m].
constexpr double kSlack = 1e-8;

bool catches(const JointDescription& joint, const Pose& X_AB) {
  const double lean = std::acos(std::min(1.0, (X_AB.q * Vector3d::UnitZ()).z()));
  return X_AB.p.z() >= 0 && X_AB.p.z() <= joint.travel.high &&
         X_AB.p.head<2>().norm() <= joint.entry->reach && lean <= joint.entry->tilt;
}

/// Holds the screw where it is, so that the equations begin with no error.
void hold(const JointDescription& joint, const Pose& X_AB, ScrewJointState& screw) {
  const Vector3d z_B = X_AB.q * Vector3d::UnitZ();
  const double way = X_AB.p.z();
  screw.phase = JointPhase::holds;
  screw.axisOffset = X_AB.p - way * z_B;
  screw.tiltRotation = shortestRotation(Vector3d::UnitZ(), z_B);
  const Quaterniond q = screw.tiltRotation.conjugate() * X_AB.q;  // about z alone
  screw.catchAngle = std::remainder(2 * std::atan2(q.z(), q.w()) - kTurn * way / joint.pitch, kTurn);
}

void center(double dt, ScrewJointState& screw) {
  const double rest = std::max(0.0, 1 - dt / kCentring);
  screw.axisOffset *= rest;
  screw.tiltRotation = Quaterniond::Identity().slerp(rest, screw.tiltRotation);
  if (screw.axisOffset.norm() < kCentred) screw.axisOffset.setZero();
  if (screw.tiltRotation.vec().norm() < kCentred) screw.tiltRotation.setIdentity();
}

}  // namespace

void advance(const JointDescription& joint, const JointFrames& at, double resistance, double dt,
             ScrewJointState& screw) {
  const Pose X_AB = at.X_WA.inverse() * at.X_WB;
  const double driving = joint.pitch > 0 ? -resistance : resistance;  // > 0 where it is turned in
  switch (screw.phase) {
    case JointPhase::apart:
      if (catches(joint, X_AB)) hold(joint, X_AB, screw);
      return;
    case JointPhase::holds:
      center(dt, screw);
      if (X_AB.p.z() < 0) {
        screw.phase = JointPhase::apart;
      } else if (driving >= joint.entry->tightening) {
        screw.phase = JointPhase::tight;
        screw.X_AB = {X_AB.q, X_AB.p - kSlack * Vector3d::UnitZ()};
      }
      return;
    case JointPhase::tight:
      if (driving <= -joint.entry->tightening) hold(joint, X_AB, screw);
  }
}

Pose screwFrame(const ScrewJointState& screw) {
  if (screw.phase == JointPhase::tight) return screw.X_AB;
  return {screw.tiltRotation * Quaterniond(Eigen::AngleAxisd(screw.catchAngle, Vector3d::UnitZ())),
          screw.axisOffset};
}

JointKind kindOf(const ScrewJointState& screw) {
  return screw.phase == JointPhase::tight ? JointKind::fixed : JointKind::helical;
}

}  // namespace tenon::physics
