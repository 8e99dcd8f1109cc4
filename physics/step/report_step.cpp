// See report_step.h.
#include "physics/step/report_step.h"

#include <algorithm>

#include "physics/step/stages.h"

namespace tenon::physics {

namespace {

/// Adds the contacts of one island. A contact with a force is reported at the point and normal where the
/// force acted: at kilonewtons of clamping force, the normals of the accepted state differ visibly. Its
/// separation is that of the accepted state, or the linearized one if its feature is no longer found there.
/// Rows with the same key (FrozenFriction::writeFriction) are one contact with the sum of their forces, at
/// the point of the first.
void addContacts(const IslandSlot& slot, std::vector<ContactForce>& contacts) {
  const auto& rows = slot.problem.rows;
  const auto& solved = slot.solution.solved;
  const auto& f = slot.solution.f;
  const auto addSolved = [&](std::size_t k, double separation) {
    if (solved[k].key.isLimit()) return;
    contacts.push_back({.contact = solved[k].contact,
                        .force = f[k],
                        .friction = slot.solution.friction[k],
                        .mu = solved[k].mu});
    Contact& contact = contacts.back().contact;
    contact.separation = separation;
    contact.p = solved[k].point;
    contact.n = solved[k].normal();
  };
  const auto addEqualKeys = [&](std::size_t& k) {
    for (; k + 1 < f.size() && solved[k + 1].key == solved[k].key; ++k) {
      contacts.back().force += f[k + 1];
      contacts.back().friction += slot.solution.friction[k + 1];
    }
  };
  const auto firstActing = [&](std::size_t k) {
    while (!slot.solution.acts(k) && k + 1 < f.size() && solved[k + 1].key == solved[k].key) ++k;
    return k;
  };
  const auto addNotFound = [&](std::size_t& k) {
    k = firstActing(k);
    if (!slot.solution.acts(k)) return;
    addSolved(k, slot.problem.distance(solved[k], slot.solution.u));
    if (!solved[k].key.isLimit()) addEqualKeys(k);
  };
  std::size_t k = 0;
  for (std::size_t r = 0; r < rows.size() && !rows[r].key.isLimit(); ++r) {
    for (; k < f.size() && solved[k].key < rows[r].key; ++k) addNotFound(k);
    const bool same = k < f.size() && solved[k].key == rows[r].key;
    if (same) k = firstActing(k);
    if (same && slot.solution.acts(k)) {
      addSolved(k, rows[r].contact.separation);
      addEqualKeys(k);
    } else if (rows[r].key.isSwept() && (slot.impulse.empty() || slot.impulse[r].isZero(0))) {
      k += same;
      continue;
    } else
      contacts.push_back({.contact = rows[r].contact, .mu = rows[r].mu});
    if (!slot.impulse.empty()) contacts.back().impulse = slot.impulse[r];
    if (same) ++k;
  }
  for (; k < f.size(); ++k) addNotFound(k);
}

/// The joints' share of an island's velocity change, M̂ (u⁺ − u_free) minus the contacts' share, times L⁻¹.
void computeJointVelocityChange(const IslandSlot& slot, std::vector<double>& scaledChange) {
  const LinearizedContacts& problem = slot.problem;
  const ContactSolution& solution = slot.solution;
  scaledChange.assign(problem.freeVelocity.size(), 0.0);
  const std::span<double> share(scaledChange);
  for (int i = 0; i < problem.bodies(); ++i) {
    const Vector6d change = block(std::span(solution.u), i) - block(std::span(problem.freeVelocity), i);
    block(share, i) = problem.massFactor[i].triangularView<Eigen::Lower>().transpose() * change;
  }
  const auto subtract = [&](int body, const Vector6d& wrench) {
    if (body >= 0)
      block(share, body) -=
          problem.dt * problem.massFactor[body].triangularView<Eigen::Lower>().solve(wrench);
  };
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    const ContactRow& row = solution.solved[k];
    const Eigen::Vector2d t = row.directions().transpose() * solution.friction[k];
    subtract(row.a, row.Ga * solution.f[k] + row.Ta() * t);
    subtract(row.b, row.Gb * solution.f[k] + row.Tb() * t);
  }
}

/// Adds a wrench on body j of a joint. `wrench` is about the body's center of mass, `joint` about the origin
/// of B; `arm` leads from the former to the latter.
void addWrench(const Vector6d& wrench, const Vector3d& arm, JointState& joint) {
  joint.force += wrench.head<3>();
  joint.torque += wrench.tail<3>() - arm.cross(Vector3d(wrench.head<3>()));
}

/// Adds the forces of one island's joints, their limits and thread flanks.
void addJointForces(const WorldModel& model, const FreeMotion& free, IslandSlot& slot, ReportWork& work,
                    std::vector<JointState>& joints) {
  const auto ids = slot.problem.jointIds();
  if (slot.isSleeping || ids.empty()) return;
  // From the center of mass of body j to the origin of B.
  const auto armOf = [&](JointId id) {
    const PlacedJoint& joint = model.joints[id.value];
    return Vector3d(free.start[joint.description.j.value].q * joint.X_CB.p);
  };
  computeJointVelocityChange(slot, work.jointVelocityChange);
  work.lambda.resize(ids.size());
  slot.problem.space.forces(work.jointVelocityChange, model.options.dt, work.lambda);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const JointRows& rows = slot.problem.joints[k];
    addWrench(rows.Gb.leftCols(rows.count) * work.lambda[k].head(rows.count), armOf(ids[k]),
              joints[ids[k].value]);
  }
  for (std::size_t k = 0; k < slot.solution.f.size(); ++k) {
    const ContactRow& row = slot.solution.solved[k];
    if (!row.key.isLimit() || slot.solution.f[k] == 0) continue;
    const JointId id{row.key.joint()};
    const Vector6d friction = row.Tb() * (row.directions().transpose() * slot.solution.friction[k]);
    addWrench(slot.solution.f[k] * row.Gb + friction, armOf(id), joints[id.value]);
  }
}

}  // namespace

void reportContacts(WorldState& state, StepWorkspace& work) {
  std::vector<ContactForce>& contacts = state.result.contacts;
  std::swap(contacts, work.report.lastContacts);
  contacts.clear();
  for (int k = 0; k < work.islands.count; ++k)
    if (!work.islands.slots[k]->isSleeping) addContacts(*work.islands.slots[k], contacts);
  for (const ContactForce& c : work.report.lastContacts)
    if (keepsContacts(work, c.contact.i, c.contact.j)) contacts.push_back(c);
}

void reportJoints(const WorldModel& model, WorldState& state, StepWorkspace& work) {
  state.result.joints.resize(model.joints.size());
  for (std::size_t n = 0; n < model.joints.size(); ++n) {
    const PlacedJoint& placed = model.joints[n];
    const BodyId i = placed.description.i, j = placed.description.j;
    const Pose X_WI = i.valid() ? state.bodies[i.value].X_WC : Pose(), &X_WJ = state.bodies[j.value].X_WC;
    JointState& joint = state.result.joints[n];
    joint = state.screwJoints[n].phase == JointPhase::apart
                ? JointState()
                : jointStateAt(work.joints.engaged[n], X_WI, X_WJ);
    joint.phase = state.screwJoints[n].phase;
    if (placed.description.entry) joint.travel = jointTravel(jointFrames(placed, X_WI, X_WJ));
  }
  for (int k = 0; k < work.islands.count; ++k)
    addJointForces(model, work.free, *work.islands.slots[k], work.report, state.result.joints);
}

void reportNumerics(WorldState& state, const StepWorkspace& work) {
  StepReport& report = state.result.report;
  report = StepReport{};
  report.converged = work.search.withinMargin && work.impact.solved && work.report.notFinite == 0;
  report.notFinite = work.report.notFinite;
  report.islands = work.islands.count;
  report.sweptPairs = work.sweep.queries;
  report.energyGuarded = work.impact.energyGuarded;
  report.sweptContacts = static_cast<int>(work.sweep.contacts.size());
  report.heldBack = static_cast<int>(std::count(work.sweep.heldBack.begin(), work.sweep.heldBack.end(), 1));
  report.converged = report.converged && report.heldBack == 0;
  std::size_t largest = 0;
  for (int k = 0; k < work.islands.count; ++k) {
    const IslandSlot& slot = *work.islands.slots[k];
    if (slot.isSleeping) continue;
    const SolveReport& solve = slot.report.solve;
    const auto contacts =
        static_cast<std::size_t>(std::count_if(slot.solution.solved.begin(), slot.solution.solved.end(),
                                               [](const ContactRow& row) { return !row.key.isLimit(); }));
    report.converged = report.converged && solve.solved;
    if (slot.report.accuracy == Accuracy::fast) report.accuracy = Accuracy::fast;
    report.backedOff += solve.fraction < 1;
    report.yielding += solve.compliant;
    report.fraction = std::min(report.fraction, solve.fraction);
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
  for (std::size_t i = 0; i < state.accuracy.size(); ++i)  // sleeping bodies keep what they were solved to
    if (isSleeping(work.islands, {static_cast<int>(i)}) && state.accuracy[i] == Accuracy::fast)
      report.accuracy = Accuracy::fast;
  for (const ContactForce& c : state.result.contacts) {
    if (!keepsContacts(work, c.contact.i, c.contact.j)) continue;
    ++report.contacts;
    report.penetration = std::max(report.penetration, -c.contact.separation);
  }
}

}  // namespace tenon::physics
