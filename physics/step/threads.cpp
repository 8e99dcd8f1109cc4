// Before a step looks at its joints: which threads have caught their screws, or let them go.
#include <algorithm>

#include "physics/step/step_state.h"

namespace tenon::physics {

void advanceThreads(StepState& s) {
  for (std::size_t n = 0; n < s.joints.size(); ++n) {
    const PlacedJoint& joint = s.joints[n];
    if (!joint.description.entry) continue;
    const BodyId i = joint.description.i;
    const JointPlace at =
        placeOf(joint, i.valid() ? s.states[i.value].X_WC : Pose(), s.states[joint.description.j.value].X_WC);
    advance(joint.description, at, s.tick.joints[n], s.options.dt, s.threads[n]);
    s.held[n].X_CA = joint.X_CA * threadFrame(s.threads[n]);
    s.held[n].description.kind = kindOf(s.threads[n]);
  }
}

bool isTight(const StepState& s, const BodyPair& pair) {
  for (std::size_t n = 0; n < s.joints.size(); ++n) {
    if (s.threads[n].phase != JointPhase::tight) continue;
    const BodyId i = s.joints[n].description.i, j = s.joints[n].description.j;
    if (pair.i == std::min(i, j) && pair.j == std::max(i, j)) return true;
  }
  return false;
}

}  // namespace tenon::physics
