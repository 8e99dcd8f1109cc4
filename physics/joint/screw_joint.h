// A screw and the thread that it engages. Threads have no contacts: until the screw's tip B is at the mouth A
// of the thread, within radius and angle of capture, the joint's phase is `apart`; there it engages, and from
// then on travel = pitch · turns. Unscrewed completely it disengages. Screwed home with its tightening torque
// it is `tight`, and loosened by the same torque in the other direction. A tight screw holds the parts under
// its head by its position and not by a clamping force, which between rigid parts would be undetermined.
#pragma once

#include "physics/joint/joint_equations.h"

namespace tenon::physics {

/// State of a screw joint between steps; other joints always hold.
struct ScrewJointState {
  JointPhase phase = JointPhase::holds;
  /// Remaining offset and tilt of the screw's axis from when the thread engaged, in A.
  Vector3d axisOffset = Vector3d::Zero();
  Quaterniond tiltRotation = Quaterniond::Identity();
  double catchAngle =
      0;      ///< angle of B's frame in A at which the thread engaged, reduced to zero travel [rad]
  Pose X_AB;  ///< while tight: pose of the screw
};

/// Advances a screw joint by one step, from its frames (`at`, of the joint as described) and the torque about
/// z of A by which thread and contacts resisted rotation of the screw in the last step [N m]. A thread
/// engages at any angle; a screw off the axis is centered within some 0.1 s.
void advanceScrew(const JointDescription& joint, const JointFrames& at, double resistance, double dt,
                  ScrewJointState& screw);

/// The frame in A that B coincides with: A itself, corrected by ScrewJointState. With it, jointError() of
/// the kind activeKind() is that of the screw joint.
Pose screwFrame(const ScrewJointState& screw);
JointKind activeKind(const ScrewJointState& screw);

}  // namespace tenon::physics
