// A screw and the thread it is brought to. A thread is drawn and not collided: until the screw's tip B is at
// the mouth A of the thread, straight enough, its joint is apart; there it catches, and from then on travel
// is pitch · turns. SolidOfRevolution out, it lets go again. SolidOfRevolution home with its tightening
// torque it is fast, and turned the other way with as much, loose again. A fast screw keeps what is under its
// head by its place and not by a clamping force, which between rigid parts would be undetermined.
#pragma once

#include "physics/joint/joint_equations.h"

namespace tenon::physics {

/// A thread between steps; of any other joint, that it holds.
struct ScrewJointState {
  JointPhase phase = JointPhase::holds;
  /// What is left of where the screw was off the axis, and leant, when the thread caught; in A.
  Vector3d axisOffset = Vector3d::Zero();
  Quaterniond tiltRotation = Quaterniond::Identity();
  double catchAngle = 0;  ///< of B's frame against A: where on its way round the thread caught [rad]
  Pose X_AB;              ///< while tight: where the screw is
};

/// Takes a thread one step further, from where its frames are (`at`, of the joint as described) and the
/// torque about z of A with which thread and contacts kept the screw from turning in the last step [N m]. A
/// thread catches wherever on its way round the screw comes; a screw off the axis is drawn onto it within
/// some 0.1 s.
void advance(const JointDescription& joint, const JointFrames& at, double resistance, double dt,
             ScrewJointState& screw);

/// The frame that B is held to, in A: A itself but for what ScrewJointState says. With it, jointError() of
/// the kind kindOf() is the thread's.
Pose screwFrame(const ScrewJointState& screw);
JointKind kindOf(const ScrewJointState& screw);

}  // namespace tenon::physics
