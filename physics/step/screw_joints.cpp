// Before a step looks at its joints: which threads have caught their screws, or let them go.
#include <algorithm>

#include "physics/step/step_state.h"

namespace tenon::physics {

namespace {

/// Torque on body j of a joint, about z of its frame A, of the joint and of all contacts of j in the last
/// step: under its head a screw is braked harder than in its thread [N m].
double resistanceOf(const StepState& s, std::size_t joint, const JointFrames& at) {
  const BodyId j = s.joints[joint].description.j;
  Vector3d torque = s.tick.joints[joint].torque;
  for (const ContactForce& c : s.tick.contacts) {
    if (c.contact.i != j && c.contact.j != j) continue;
    const Vector3d moment = (c.contact.p - at.X_WB.p).cross(c.force * c.contact.n + c.friction);
    torque += c.contact.j == j ? moment : Vector3d(-moment);
  }
  return (at.X_WA.q * Vector3d::UnitZ()).dot(torque);
}

}  // namespace

void advanceScrewJoints(StepState& s) {
  s.tightened.clear();
  for (std::size_t n = 0; n < s.joints.size(); ++n) {
    const PlacedJoint& joint = s.joints[n];
    if (!joint.description.entry) continue;
    const BodyId i = joint.description.i, j = joint.description.j;
    const JointFrames at =
        jointFrames(joint, i.valid() ? s.states[i.value].X_WC : Pose(), s.states[j.value].X_WC);
    // The forces of a step that did not converge mean nothing.
    const bool told = s.screwJoints[n].phase != JointPhase::apart && s.tick.report.converged;
    const double resistance = told ? resistanceOf(s, n, at) : 0;
    advance(joint.description, at, resistance, s.options.dt, s.screwJoints[n]);
    s.engagedJoints[n].X_CA = joint.X_CA * screwFrame(s.screwJoints[n]);
    s.engagedJoints[n].description.kind = kindOf(s.screwJoints[n]);
    if (s.screwJoints[n].phase == JointPhase::tight) s.tightened.push_back({std::min(i, j), std::max(i, j)});
  }
}

}  // namespace tenon::physics
