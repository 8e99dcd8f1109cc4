// Stage 6 of a step: impacts. Parts that collide end the step in contact; with restitution they separate
// again, and bodies in contact with them may be thrown off.
#include "physics/body/gyroscopic.h"
#include "physics/step/stages.h"

namespace tenon::physics {

namespace {

/// Velocity of a body after its impact. Its angular velocity is integrated as in other steps: the change by
/// the impact, on top of the share of the free rotation before it.
Vector6d reboundOf(const WorldModel& model, const WorldState& state, const StepWorkspace& work, int body,
                   int index, double share) {
  Vector6d after = block(std::span(work.impact.solver.velocity()), index);
  const Vector3d &omega = state.bodies[body].omega, &meanFree = work.free.meanSpin[body];
  const Vector3d turned = after.tail<3>() - omega - share * (meanFree - omega);
  const Vector6d& u = work.islands.velocity[body];
  const Pose next = advance(work.free.start[body], u.head<3>(), u.tail<3>(), model.options.dt);
  after.tail<3>() = integrateSpin(model.bodies[body].inertia, work.free.start[body].q, next.q, omega,
                                  meanFree, meanFree + turned);
  return after;
}

}  // namespace

void resolveImpacts(const WorldModel& model, const WorldState& state, StepWorkspace& work) {
  ImpactWork& impact = work.impact;
  impact.changed.assign(model.bodies.size(), 0);
  impact.solved = true;
  for (int k = 0; k < work.islands.count; ++k) {
    IslandSlot& slot = *work.islands.slots[k];
    slot.impulse.clear();
    if (slot.isSleeping || slot.report.solve.stopped) continue;
    const ImpactReport report = impact.solver.solve(slot.problem);
    if (!report.happened) continue;
    impact.solved = impact.solved && report.solved;
    if (!report.solved) continue;
    const auto ids = slot.problem.bodyIds();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!impact.solver.changed(static_cast<int>(i))) continue;
      impact.changed[ids[i].value] = 1;
      impact.velocity[ids[i].value] =
          reboundOf(model, state, work, ids[i].value, static_cast<int>(i), report.share);
    }
    for (std::size_t row = 0; row < slot.problem.rows.size(); ++row)
      slot.impulse.push_back(impact.solver.impulse(row) * slot.problem.rows[row].contact.n +
                             impact.solver.frictionImpulse(row));
  }
}

}  // namespace tenon::physics
