// SceneView 5 of a step: impacts. Parts that met in the step end it touching; with restitution they part
// again, and bodies that touch them may be thrown off.
#include "physics/body/gyroscopic.h"
#include "physics/step/step_state.h"

namespace tenon::physics {

namespace {

/// Velocity of a body after its impact. Its spin is told as that of other steps is: by what turned it, on top
/// of the share of the free spin that came before.
Vector6d reboundOf(const StepState& s, int body, int index, double share) {
  Vector6d after = block(std::span(s.impacts.velocity()), index);
  const Vector3d &omega = s.states[body].omega, &meanFree = s.meanFreeSpin[body];
  const Vector3d turned = after.tail<3>() - omega - share * (meanFree - omega);
  const Vector6d& u = s.velocity[body];
  const Pose next = advance(s.start[body], u.head<3>(), u.tail<3>(), s.options.dt);
  after.tail<3>() =
      integrateSpin(s.bodies[body].inertia, s.start[body].q, next.q, omega, meanFree, meanFree + turned);
  return after;
}

}  // namespace

void resolveImpacts(StepState& s) {
  s.rebounds.assign(s.bodies.size(), 0);
  s.impactsSolved = true;
  for (int k = 0; k < s.islandCount; ++k) {
    IslandSlot& slot = *s.islandSlots[k];
    slot.impulse.clear();
    if (slot.isSleeping || slot.report.solve.stopped) continue;
    const ImpactReport report = s.impacts.solve(slot.problem);
    if (!report.happened) continue;
    s.impactsSolved = s.impactsSolved && report.solved;
    if (!report.solved) continue;
    const auto ids = slot.problem.bodyIds();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!s.impacts.changed(static_cast<int>(i))) continue;
      s.rebounds[ids[i].value] = 1;
      s.rebound[ids[i].value] = reboundOf(s, ids[i].value, static_cast<int>(i), report.share);
    }
    for (std::size_t row = 0; row < slot.problem.rows.size(); ++row)
      slot.impulse.push_back(s.impacts.impulse(row) * slot.problem.rows[row].contact.n +
                             s.impacts.frictionImpulse(row));
  }
}

}  // namespace tenon::physics
