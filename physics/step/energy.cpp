// Energy of an island before and after a step. Contact forces of a step act along fixed directions: while a
// body turns far, or in a state that is no solution, they may do work. Such islands get their velocities from
// the impact stage, whose impulses act at one state and never add energy.
#include <algorithm>

#include "physics/step/stages.h"

namespace tenon::physics {

namespace {

/// Rotation of a body in a step from which the energy of a solved island is checked [rad].
constexpr double kLargeRotation = 0.25;
/// Relative gain of energy above which an island counts that failed, met others or is free, and one that was
/// solved with a body that forces do not move [-]: the first step on a curved track may add (angle)²/4.
constexpr double kFailedGain = 1e-9, kSolvedGain = 1e-3;
/// Speed whose energy is no gain [m/s]: a step removes overlaps of nanometers in a millisecond.
constexpr double kCorrectionSpeed = 1e-4;

/// 2 × kinetic energy of a body with velocity `u` at a pose with rotation `q` [J].
double doubleEnergy(const Body& body, const Quaterniond& q, const Vector6d& u) {
  const Vector3d omega = q.conjugate() * Vector3d(u.tail<3>());
  return body.mass * u.head<3>().squaredNorm() + omega.dot(body.inertia * omega);
}

/// Work of the given forces on a body in the step, along the velocity `u` that it has at its end [J].
double givenWork(const Body& body, const Vector6d& u, const Vector6d& given, const Quaterniond& q) {
  return body.mass * u.head<3>().dot(given.head<3>()) +
         (q.conjugate() * Vector3d(u.tail<3>()))
             .dot(body.inertia * (q.conjugate() * Vector3d(given.tail<3>())));
}

bool isFree(const WorldState& state, const IslandSlot& slot) {
  if (!slot.problem.jointIds().empty()) return false;
  const auto& rows = slot.solution.solved;
  if (std::any_of(rows.begin(), rows.end(), [](const ContactRow& row) { return row.normalBias != 0; }))
    return false;
  const auto ids = slot.problem.bodyIds();
  return std::none_of(state.hands.begin(), state.hands.end(), [&](const HandSlot& hand) {
    return std::binary_search(ids.begin(), ids.end(), hand.state.body);
  });
}

}  // namespace

bool gainsEnergy(const WorldModel& model, const WorldState& state, const StepWorkspace& work,
                 const IslandSlot& slot, const ImpactSolver* impact) {
  const bool failed =
      !slot.report.solve.solved || slot.report.solve.fraction < 1 || slot.problem.hasSweptContacts();
  const auto ids = slot.problem.bodyIds();
  const bool turns = std::any_of(ids.begin(), ids.end(), [&](BodyId id) {
    return work.substep.dt * work.islands.velocity[id.value].tail<3>().norm() > kLargeRotation;
  });
  if (!(failed || turns) || slot.solution.f.empty() || !isFree(state, slot)) return false;
  const auto& rows = slot.solution.solved;
  double before = 0, after = 0, mass = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (impact && impact->takesPart(static_cast<int>(i))) continue;
    const BodyId id = ids[i];
    const Body& body = model.bodies[id.value];
    const BodyState& start = state.bodies[id.value];
    const Vector6d &u = work.islands.velocity[id.value], &free = work.free.velocity[id.value];
    Vector6d u0, given;
    u0 << start.v, start.omega;
    given << free.head<3>() - start.v, free.tail<3>() - work.free.meanSpin[id.value];
    before += doubleEnergy(body, start.X_WC.q, u0) + 2 * givenWork(body, u, given, start.X_WC.q);
    after += doubleEnergy(body, endPose(work, id.value).q, velocityAfter(model, state, work, id.value));
    mass += body.mass;
  }
  const bool meetsFixed =
      std::any_of(rows.begin(), rows.end(), [](const ContactRow& row) { return row.a < 0 || row.b < 0; });
  const double tolerance = (failed || !meetsFixed ? kFailedGain : kSolvedGain) * std::max(0.0, before);
  return after - before > tolerance + mass * kCorrectionSpeed * kCorrectionSpeed;
}

}  // namespace tenon::physics
