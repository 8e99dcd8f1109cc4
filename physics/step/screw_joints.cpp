// Stage 2 of a step: screws engage in their threads, leave them, or are tightened.
#include <algorithm>

#include "physics/step/stages.h"

namespace tenon::physics {

namespace {

/// Torque on body j of a joint about the z axis of its frame A, from the joint and from all contacts of j in
/// the last step [N m]: friction under a screw's head exceeds that in its thread.
double resistanceOf(const WorldModel& model, const WorldState& state, std::size_t joint,
                    const JointFrames& at) {
  const BodyId j = model.joints[joint].description.j;
  Vector3d torque = state.result.joints[joint].torque;
  for (const ContactForce& c : state.result.contacts) {
    if (c.contact.i != j && c.contact.j != j) continue;
    const Vector3d moment = (c.contact.p - at.X_WB.p).cross(c.force * c.contact.n + c.friction);
    torque += c.contact.j == j ? moment : Vector3d(-moment);
  }
  return (at.X_WA.q * Vector3d::UnitZ()).dot(torque);
}

}  // namespace

void advanceScrewJoints(const WorldModel& model, WorldState& state, JointWork& joints) {
  joints.tightened.clear();
  for (std::size_t n = 0; n < model.joints.size(); ++n) {
    const PlacedJoint& joint = model.joints[n];
    if (!joint.description.entry) continue;
    const BodyId i = joint.description.i, j = joint.description.j;
    const JointFrames at =
        jointFrames(joint, i.valid() ? state.bodies[i.value].X_WC : Pose(), state.bodies[j.value].X_WC);
    ScrewJointState& screw = state.screwJoints[n];
    // The forces of a step that did not converge are not used.
    const bool hasForces = screw.phase != JointPhase::apart && state.result.report.converged;
    const double resistance = hasForces ? resistanceOf(model, state, n, at) : 0;
    advanceScrew(joint.description, at, resistance, model.options.dt, screw);
    joints.engaged[n].X_CA = joint.X_CA * screwFrame(screw);
    joints.engaged[n].description.kind = activeKind(screw);
    if (screw.phase == JointPhase::tight) joints.tightened.push_back({std::min(i, j), std::max(i, j)});
  }
}

}  // namespace tenon::physics
