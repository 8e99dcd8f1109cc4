// Stage 6 of a step: the new state and the StepResult.
#include <algorithm>
#include <tuple>

#include "physics/body/gyroscopic.h"
#include "physics/step/report_step.h"
#include "physics/step/stages.h"

namespace tenon::physics {

namespace {

/// The body's state at the end of the step.
BodyState stateAfter(const WorldModel& model, const WorldState& state, const StepWorkspace& work,
                     std::size_t i) {
  const int body = static_cast<int>(i);
  const Vector6d u =
      work.impact.changed[i] ? work.impact.velocity[i] : velocityAfter(model, state, work, body);
  return {endPose(work, body), u.head<3>(), u.tail<3>()};
}

void moveBodies(const WorldModel& model, WorldState& state, StepWorkspace& work) {
  work.report.notFinite = 0;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].description.motion == MotionType::fixed ||
        isSleeping(work.islands, {static_cast<int>(i)}))
      continue;
    const BodyState next = stateAfter(model, state, work, i);
    if (next.X_WC.isFinite() && next.v.allFinite() && next.omega.allFinite())
      state.bodies[i] = next;
    else
      ++work.report.notFinite;
  }
}

/// Of bodies that did the whole step.
void storeContactAccelerations(const WorldModel& model, WorldState& state, const StepWorkspace& work) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    Vector6d& a = state.contactAcceleration[i];
    a.setZero();
    if (!model.dynamic[i] || displacementFraction(work, static_cast<int>(i)) < 1) continue;
    a = (work.islands.velocity[i] - work.free.velocity[i]) / work.substep.dt;
    if (!a.allFinite()) a.setZero();
  }
}

void updateHands(const WorldModel& model, WorldState& state, const StepWorkspace& work) {
  for (std::size_t h = 0; h < state.hands.size(); ++h) {
    HandSlot& hand = state.hands[h];
    hand.state.force.setZero();
    hand.state.torque.setZero();
    hand.lastTarget = targetOf(hand, work.substep);
    if (!hand.state.body.valid()) continue;
    const int body = hand.state.body.value;
    Vector6d wrench = work.free.couplings[h].wrench(work.substep.dt, work.islands.velocity[body]);
    if (!wrench.allFinite()) wrench.setZero();  // of a state that was rejected and counted in notFinite
    hand.state.force = wrench.head<3>();
    hand.state.torque = wrench.tail<3>();
    const Vector3d point = state.bodies[body].X_WC * hand.state.X_CH.p;
    if ((hand.lastTarget.p - point).norm() > model.handParameters[h].breakDistance) {
      hand.state.body = BodyId{};
      hand.state.lost = true;
    }
  }
}

/// The contacts at the end of this step are those at the start of the next one.
void storeContacts(WorldState& state, const StepWorkspace& work) {
  state.contacts.clear();
  for (int k = 0; k < work.islands.count; ++k) {
    if (work.islands.slots[k]->isSleeping) continue;
    for (const ContactRow& row : work.islands.slots[k]->problem.rows)
      if (!row.key.isLimit() && !row.key.isSwept()) state.contacts.push_back(row.contact);
  }
  const auto before = [](const Contact& x, const Contact& y) {
    return std::tie(x.i, x.j, x.feature) < std::tie(y.i, y.j, y.feature);
  };
  if (!std::is_sorted(state.contacts.begin(), state.contacts.end(), before))
    std::sort(state.contacts.begin(), state.contacts.end(), before);
}

/// Adds up the forces of equal keys in a sorted list.
void mergeEqualKeys(std::vector<WarmForce>& warm) {
  if (warm.empty()) return;
  std::size_t last = 0;
  for (std::size_t k = 1; k < warm.size(); ++k) {
    if (warm[k].key == warm[last].key) {
      warm[last].f += warm[k].f;
      warm[last].friction += warm[k].friction;
    } else {
      warm[++last] = warm[k];
    }
  }
  warm.resize(last + 1);
}

}  // namespace

double displacementFraction(const StepWorkspace& work, int body) {
  if (work.sweep.heldBack[body]) return 0;
  const int k = work.islands.partition.islandOf({body});
  return k >= 0 && !work.islands.slots[k]->isSleeping ? work.islands.slots[k]->report.solve.fraction : 1;
}

Vector6d velocityAfter(const WorldModel& model, const WorldState& state, const StepWorkspace& work,
                       int body) {
  const BodyState& start = state.bodies[body];
  Vector6d u = work.islands.velocity[body];
  if (!model.dynamic[body]) {
    u << start.v, start.omega;
  } else {
    u.tail<3>() = integrateSpin(model.bodies[body].inertia, start.X_WC.q, endPose(work, body).q, start.omega,
                                work.free.meanSpin[body], u.tail<3>());
  }
  return u;
}

Pose endPose(const StepWorkspace& work, int body) {
  const Vector6d& u = work.islands.velocity[body];
  return advance(work.free.start[body], u.head<3>(), u.tail<3>(),
                 displacementFraction(work, body) * work.substep.dt);
}

// By feature: where several points of one feature carry force, their sum.
void storeForces(WorldState& state, StepWorkspace& work) {
  std::swap(state.warm, work.report.lastWarm);
  state.warm.clear();
  for (const WarmForce& force : work.report.lastWarm)
    if (!force.key.isLimit() && keepsContacts(work, force.key.i(), force.key.j()))
      state.warm.push_back(force);
  for (int k = 0; k < work.islands.count; ++k) {
    if (work.islands.slots[k]->isSleeping) continue;
    const ContactSolution& solution = work.islands.slots[k]->solution;
    for (std::size_t c = 0; c < solution.f.size(); ++c) {
      const ContactRow& row = solution.solved[c];
      if (solution.f[c] > 0)
        state.warm.push_back({row.key.withoutCut(), solution.f[c], solution.friction[c], row.contact.p});
    }
  }
  std::sort(state.warm.begin(), state.warm.end(),
            [](const WarmForce& a, const WarmForce& b) { return a.key < b.key; });
  mergeEqualKeys(state.warm);
}

void acceptState(const WorldModel& model, WorldState& state, StepWorkspace& work) {
  moveBodies(model, state, work);
  countStillSteps(model, state, work);
  updateHands(model, state, work);
  state.step += work.substep.isLast();

  reportContacts(state, work);
  storeForces(state, work);
  storeContactAccelerations(model, state, work);
  storeContacts(state, work);
  reportJoints(model, state, work);
  reportDrivers(model, state, work);

  StepResult& result = state.result;
  result.step = state.step;
  result.time = static_cast<double>(state.step) * model.options.dt;
  result.bodies = state.bodies;
  result.hands.resize(state.hands.size());
  for (std::size_t h = 0; h < state.hands.size(); ++h) result.hands[h] = state.hands[h].state;
  result.dynamics = state.dynamics;
  result.thrusters = state.thrusters;
  result.report = reportNumerics(state, work);
}

}  // namespace tenon::physics
