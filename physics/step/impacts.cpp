// Stage 5 of a step: impacts. Parts that collide end the step in contact; with restitution they separate
// again, and bodies in contact with them may be thrown off.
#include <Eigen/Cholesky>
#include <algorithm>

#include "physics/body/gyroscopic.h"
#include "physics/step/stages.h"

namespace tenon::physics {

namespace {

/// Velocity of a body just before its impact: `share` of the change from the start of the step to `after`,
/// its velocity without the impact. The angular velocity is that of the pose reached with `after`, turned
/// with the body to `end`: so the body has the energy of that motion, whatever pose the contacts left it in.
Vector6d velocityBefore(const WorldModel& model, const WorldState& state, const StepWorkspace& work, int body,
                        const Pose& end, const Vector6d& after, double share) {
  const BodyState& start = state.bodies[body];
  const Vector3d& meanFree = work.free.meanSpin[body];
  const Vector3d mean = meanFree + share * (after.tail<3>() - meanFree);
  const Quaterniond undisturbed = advance(start.X_WC, start.v, mean, work.substep.dt).q;
  const Vector3d omega =
      integrateSpin(model.bodies[body].inertia, start.X_WC.q, undisturbed, start.omega, meanFree, mean);
  Vector6d before;
  before << start.v + share * (after.head<3>() - start.v), end.q * (undisturbed.conjugate() * omega);
  return before;
}

/// Cholesky factor of M̂ at the pose at the end of the step, from that at its start.
Matrix6d massFactorAt(const Pose& end, const Pose& start, const Matrix3d& inertia, const Matrix6d& factor) {
  const auto turned = [&inertia](const Pose& X) {
    const Matrix3d R = X.q.toRotationMatrix();
    return Matrix3d(R * inertia * R.transpose());
  };
  const Matrix6d L = factor.triangularView<Eigen::Lower>();
  Matrix6d mass = L * L.transpose();
  mass.bottomRightCorner<3, 3>() += turned(end) - turned(start);
  return Eigen::LLT<Matrix6d>(mass).matrixL();
}

bool mayBounce(const IslandSlot& slot) {
  const auto isImpact = [](const ContactRow& row) { return row.restitution > 0 || row.key.isSwept(); };
  const auto &now = slot.problem.rows, &solved = slot.solution.solved;
  return std::any_of(now.begin(), now.end(), isImpact) || std::any_of(solved.begin(), solved.end(), isImpact);
}

void resolveImpact(const WorldModel& model, const WorldState& state, StepWorkspace& work, IslandSlot& slot) {
  ImpactWork& impact = work.impact;
  // Impulses act at the end of the step, where the bodies are.
  const bool stopped = slot.report.solve.fraction == 0, isDirected = mayBounce(slot);
  if (isDirected) slot.problem.directAtTrial();
  const bool bounces = isDirected && impact.solver.begin(slot.problem, slot.solution, stopped, false);
  if (gainsEnergy(model, state, work, slot, bounces ? &impact.solver : nullptr)) {
    ++impact.energyGuarded;
    if (!isDirected) slot.problem.directAtTrial();
    if (!impact.solver.begin(slot.problem, slot.solution, stopped, true)) return;
  } else if (!bounces) {
    return;
  }
  const auto ids = slot.problem.bodyIds();
  const int bodies = slot.problem.bodies();
  for (int i = 0; i < bodies; ++i) {
    if (!impact.solver.takesPart(i)) continue;
    const int body = ids[i].value;
    const Pose end = endPose(work, body);
    const Vector6d after = block(std::span(impact.solver.velocityWithoutImpact()), i);
    impact.solver.setBody(
        i, velocityBefore(model, state, work, body, end, after, impact.solver.share()),
        massFactorAt(end, work.free.start[body], model.bodies[body].inertia, work.free.massFactor[body]));
  }
  const ImpactReport report = impact.solver.resolve(slot.problem);
  impact.solved = impact.solved && report.solved;
  for (int i = 0; i < bodies; ++i) {
    if (!impact.solver.takesPart(i)) continue;
    impact.changed[ids[i].value] = 1;
    impact.velocity[ids[i].value] = block(std::span(impact.solver.velocity()), i);
  }
  for (std::size_t row = 0; row < slot.problem.rows.size(); ++row)
    slot.impulse.push_back(impact.solver.impulse(row) * slot.problem.rows[row].contact.n +
                           impact.solver.frictionImpulse(row));
}

}  // namespace

void resolveImpacts(const WorldModel& model, const WorldState& state, StepWorkspace& work) {
  work.impact.changed.assign(model.bodies.size(), 0);
  work.impact.solved = true;
  work.impact.energyGuarded = 0;
  for (int k = 0; k < work.islands.count; ++k) {
    IslandSlot& slot = *work.islands.slots[k];
    slot.impulse.clear();
    if (!slot.isSleeping) resolveImpact(model, state, work, slot);
  }
}

}  // namespace tenon::physics
