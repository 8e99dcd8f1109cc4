// Last stage of a step: the new state, and the StepResult that tells of it.
#include <algorithm>

#include "physics/body/gyroscopic.h"
#include "physics/step/step_state.h"

namespace tenon::physics {

namespace {

/// The body's state at the end of the step.
BodyState stateAfter(const StepState& s, std::size_t i) {
  BodyState state = s.states[i];
  const Vector6d& u = s.velocity[i];
  const Pose next = advance(state.X_WC, u.head<3>(), u.tail<3>(), s.options.dt);
  if (s.dynamic[i]) {
    state.omega =
        integrateSpin(s.bodies[i].inertia, state.X_WC.q, next.q, state.omega, s.meanFreeSpin[i], u.tail<3>());
    state.v = u.head<3>();
  }
  if (s.rebounds[i]) {
    state.v = s.rebound[i].head<3>();
    state.omega = s.rebound[i].tail<3>();
  }
  state.X_WC = next;
  return state;
}

void moveBodies(StepState& s) {
  s.notFinite = 0;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    if (s.bodies[i].description.motion == MotionType::fixed || isSleeping(s, {static_cast<int>(i)})) continue;
    const BodyState next = stateAfter(s, i);
    if (next.X_WC.isFinite() && next.v.allFinite() && next.omega.allFinite())
      s.states[i] = next;
    else
      ++s.notFinite;
  }
}

void updateHands(StepState& s) {
  for (std::size_t h = 0; h < s.hands.size(); ++h) {
    HandSlot& hand = s.hands[h];
    hand.lastTarget = hand.state.X_WH;
    if (!hand.state.body.valid()) continue;
    const int body = hand.state.body.value;
    Vector6d wrench = s.couplings[h].wrench(s.options.dt, s.velocity[body]);
    if (!wrench.allFinite()) wrench.setZero();  // of a motion that was not taken: notFinite
    hand.state.force = wrench.head<3>();
    hand.state.torque = wrench.tail<3>();
    const Vector3d point = s.states[body].X_WC * hand.state.X_CH.p;
    if ((hand.state.X_WH.p - point).norm() > s.handParameters[h].breakDistance) {
      hand.state.body = BodyId{};
      hand.state.lost = true;
    }
  }
}

/// Contacts of the accepted state, with their forces. Those that carry one are told with the point and the
/// normal along which it acted, those of the last trial, so that the forces told are those that moved the
/// bodies: a clamped part turns the normals of kilonewtons by enough to see. Their distance is that of the
/// accepted state, or where their feature is no longer found there, the linearised one.
void tellContacts(const IslandSlot& slot, std::vector<ContactForce>& contacts) {
  const auto& rows = slot.problem.rows;
  const auto& solved = slot.solution.solved;
  const auto& f = slot.solution.f;
  const auto tell = [&](std::size_t k, double separation) {
    if (solved[k].key.isLimit()) return;
    contacts.push_back({.contact = solved[k].contact,
                        .force = f[k],
                        .friction = slot.solution.friction[k],
                        .mu = solved[k].mu});
    contacts.back().contact.separation = separation;
  };
  const auto tellLost = [&](std::size_t k) {
    if (f[k] > 0) tell(k, slot.problem.distance(solved[k], slot.solution.u));
  };
  std::size_t k = 0;
  for (std::size_t r = 0; r < rows.size() && !rows[r].key.isLimit(); ++r) {
    for (; k < f.size() && solved[k].key < rows[r].key; ++k) tellLost(k);
    const bool same = k < f.size() && solved[k].key == rows[r].key;
    if (same && f[k] > 0)
      tell(k, rows[r].contact.separation);
    else
      contacts.push_back({.contact = rows[r].contact, .mu = rows[r].mu});
    if (!slot.impulse.empty()) contacts.back().impulse = slot.impulse[r];
    if (same) ++k;
  }
  for (; k < f.size(); ++k) tellLost(k);
}

/// Contacts of islands at rest stand behind the others, as the last step told them.
void tellAllContacts(StepState& s) {
  std::swap(s.tick.contacts, s.lastContacts);
  s.tick.contacts.clear();
  for (int k = 0; k < s.islandCount; ++k)
    if (!s.islandSlots[k]->isSleeping) tellContacts(*s.islandSlots[k], s.tick.contacts);
  for (const ContactForce& c : s.lastContacts)
    if (keepsContacts(s, c.contact.i, c.contact.j)) s.tick.contacts.push_back(c);
}

/// What the joints of an island gave its bodies: M̂ (u − u_free) less the contacts' share, in the scaled
/// measure L⁻¹.
void gatherJointRest(StepState& s, const IslandSlot& slot) {
  const ContactProblem& problem = slot.problem;
  const ContactSolution& solution = slot.solution;
  s.jointVelocityChange.assign(problem.freeVelocity.size(), 0.0);
  const std::span<double> rest(s.jointVelocityChange);
  for (int i = 0; i < problem.bodies(); ++i) {
    const Vector6d change = block(std::span(solution.u), i) - block(std::span(problem.freeVelocity), i);
    block(rest, i) = problem.massFactor[i].triangularView<Eigen::Lower>().transpose() * change;
  }
  const auto take = [&](int body, const Vector6d& wrench) {
    if (body >= 0)
      block(rest, body) -= problem.dt * problem.massFactor[body].triangularView<Eigen::Lower>().solve(wrench);
  };
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    const ContactRow& row = solution.solved[k];
    const Eigen::Vector2d t = row.directions().transpose() * solution.friction[k];
    take(row.a, row.Ga * solution.f[k] + row.Ta() * t);
    take(row.b, row.Gb * solution.f[k] + row.Tb() * t);
  }
}

/// The wrench on body j of a joint, from about its centre of mass to about the origin of B.
void addWrench(const Vector6d& wrench, const Vector3d& arm, JointState& joint) {
  joint.force += wrench.head<3>();
  joint.torque += wrench.tail<3>() - arm.cross(Vector3d(wrench.head<3>()));
}

void tellJointForces(StepState& s, IslandSlot& slot) {
  const auto ids = slot.problem.jointIds();
  if (slot.isSleeping || ids.empty() || slot.report.solve.stopped) return;
  // From the centre of mass of body j to the origin of B.
  const auto armOf = [&](JointId id, const Quaterniond& q) {
    return Vector3d(q * s.joints[id.value].X_CB.p);
  };
  const auto bodyOf = [&](JointId id) { return s.joints[id.value].description.j.value; };
  gatherJointRest(s, slot);
  s.lambda.resize(ids.size());
  slot.problem.space.forces(s.jointVelocityChange, s.options.dt, s.lambda);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const JointRows& rows = slot.problem.joints[k];
    addWrench(rows.Gb.leftCols(rows.count) * s.lambda[k].head(rows.count),
              armOf(ids[k], s.start[bodyOf(ids[k])].q), s.tick.joints[ids[k].value]);
  }
  for (std::size_t k = 0; k < slot.solution.f.size(); ++k) {
    const ContactRow& row = slot.solution.solved[k];
    if (!row.key.isLimit() || slot.solution.f[k] == 0) continue;
    const JointId id{row.key.joint()};
    const Vector6d friction = row.Tb() * (row.directions().transpose() * slot.solution.friction[k]);
    addWrench(slot.solution.f[k] * row.Gb + friction, armOf(id, s.start[bodyOf(id)].q),
              s.tick.joints[id.value]);
  }
}

void tellJoints(StepState& s) {
  s.tick.joints.resize(s.joints.size());
  for (std::size_t n = 0; n < s.joints.size(); ++n) {
    const PlacedJoint& joint = s.joints[n];
    const BodyId i = joint.description.i, j = joint.description.j;
    const Pose X_WI = i.valid() ? s.states[i.value].X_WC : Pose(), &X_WJ = s.states[j.value].X_WC;
    JointState& state = s.tick.joints[n];
    state = s.screwJoints[n].phase == JointPhase::apart ? JointState()
                                                        : jointStateAt(s.engagedJoints[n], X_WI, X_WJ);
    state.phase = s.screwJoints[n].phase;
    if (joint.description.entry) state.travel = jointTravel(jointFrames(joint, X_WI, X_WJ));
  }
  for (int k = 0; k < s.islandCount; ++k) tellJointForces(s, *s.islandSlots[k]);
}

void tellReport(StepState& s) {
  StepReport& report = s.tick.report;
  report = StepReport{};
  report.converged = s.withinMargin && s.impactsSolved && s.notFinite == 0;
  report.notFinite = s.notFinite;
  report.islands = s.islandCount;
  std::size_t largest = 0;
  for (int k = 0; k < s.islandCount; ++k) {
    const IslandSlot& slot = *s.islandSlots[k];
    if (slot.isSleeping) continue;
    const SolveReport& solve = slot.report.solve;
    const auto contacts =
        static_cast<std::size_t>(std::count_if(slot.solution.solved.begin(), slot.solution.solved.end(),
                                               [](const ContactRow& row) { return !row.key.isLimit(); }));
    report.converged = report.converged && solve.solved;
    report.stopped += solve.stopped;
    report.contacts += static_cast<int>(contacts);
    report.linearizations = std::max(report.linearizations, solve.linearizations);
    report.iterations += solve.iterations;
    report.statistics.add(solve.statistics);
    report.residual = std::max(report.residual, solve.residual);
    for (const ContactRow& row : slot.problem.rows)
      if (!row.key.isLimit()) report.penetration = std::max(report.penetration, -row.contact.separation);
    if (contacts > largest) {
      largest = contacts;
      report.solver = slot.report.solver;
    }
    for (std::size_t n = 0; n < report.fallbacks.size(); ++n) report.fallbacks[n] += slot.report.fallbacks[n];
  }
  for (const ContactForce& c : s.tick.contacts) {
    if (!keepsContacts(s, c.contact.i, c.contact.j)) continue;
    ++report.contacts;
    report.penetration = std::max(report.penetration, -c.contact.separation);
  }
}

}  // namespace

// Forces by feature, where several points of one carried some their sum.
void rememberForces(StepState& s) {
  std::swap(s.warm, s.lastWarm);
  s.warm.clear();
  for (const WarmForce& force : s.lastWarm)
    if (!force.key.isLimit() && keepsContacts(s, force.key.i(), force.key.j())) s.warm.push_back(force);
  for (int k = 0; k < s.islandCount; ++k) {
    if (s.islandSlots[k]->isSleeping) continue;
    const ContactSolution& of = s.islandSlots[k]->solution;
    for (std::size_t c = 0; c < of.f.size(); ++c) {
      if (of.f[c] > 0)
        s.warm.push_back({of.solved[c].key.asFound(), of.f[c], of.friction[c], of.solved[c].contact.p});
    }
  }
  std::sort(s.warm.begin(), s.warm.end(),
            [](const WarmForce& a, const WarmForce& b) { return a.key < b.key; });
  std::size_t last = 0;
  for (std::size_t k = 1; k < s.warm.size(); ++k) {
    if (s.warm[k].key == s.warm[last].key) {
      s.warm[last].f += s.warm[k].f;
      s.warm[last].friction += s.warm[k].friction;
    } else {
      s.warm[++last] = s.warm[k];
    }
  }
  if (!s.warm.empty()) s.warm.resize(last + 1);
}

void acceptState(StepState& s) {
  moveBodies(s);
  countStillSteps(s);
  updateHands(s);
  ++s.step;

  tellAllContacts(s);
  rememberForces(s);
  tellJoints(s);

  s.tick.step = s.step;
  s.tick.time = static_cast<double>(s.step) * s.options.dt;
  s.tick.bodies = s.states;
  s.tick.hands.resize(s.hands.size());
  for (std::size_t h = 0; h < s.hands.size(); ++h) s.tick.hands[h] = s.hands[h].state;
  tellReport(s);
}

}  // namespace tenon::physics
