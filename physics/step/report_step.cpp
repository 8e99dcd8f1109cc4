// See report_step.h.
#include "physics/step/report_step.h"

#include <algorithm>
#include <limits>

#include "physics/step/stages.h"

namespace tenon::physics {

namespace {

/// Adds the contacts of one island. A contact with a force is reported at the point and normal where the
/// force acted: at kilonewtons of clamping force, the normals of the accepted state differ visibly. Its
/// separation is that of the accepted state, or the linearized one if its feature is no longer found there.
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
  const auto addNotFound = [&](std::size_t k) {
    if (f[k] > 0) addSolved(k, slot.problem.distance(solved[k], slot.solution.u));
  };
  std::size_t k = 0;
  for (std::size_t r = 0; r < rows.size() && !rows[r].key.isLimit(); ++r) {
    for (; k < f.size() && solved[k].key < rows[r].key; ++k) addNotFound(k);
    const bool same = k < f.size() && solved[k].key == rows[r].key;
    const bool hasImpulse = !slot.impulse.empty() && !slot.impulse[r].isZero(0);
    if (same && f[k] > 0)
      addSolved(k, rows[r].contact.separation);
    else if (hasImpulse || !rows[r].key.isSwept())
      contacts.push_back({.contact = rows[r].contact, .mu = rows[r].mu});
    if (hasImpulse) contacts.back().impulse = slot.impulse[r];
    k += same;
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
/// Those of coupled drivers are in reportDrivers().
void addJointForces(const WorldModel& model, const FreeMotion& free, IslandSlot& slot, ReportWork& work,
                    std::vector<JointState>& joints) {
  const auto ids = slot.problem.jointIds();
  if (slot.isSleeping || ids.empty() || joints.empty()) return;
  const auto isOfModel = [&joints](JointId id) { return id.value < static_cast<int>(joints.size()); };
  // From the center of mass of body j to the origin of B.
  const auto armOf = [&](JointId id) {
    const PlacedJoint& joint = model.joints[id.value];
    return Vector3d(free.start[joint.description.j.value].q * joint.X_CB.p);
  };
  computeJointVelocityChange(slot, work.jointVelocityChange);
  work.lambda.resize(ids.size());
  slot.problem.space.forces(work.jointVelocityChange, slot.problem.dt, work.lambda);
  for (std::size_t k = 0; k < ids.size() && isOfModel(ids[k]); ++k) {
    const JointRows& rows = slot.problem.joints[k];
    addWrench(rows.Gb.leftCols(rows.count) * work.lambda[k].head(rows.count), armOf(ids[k]),
              joints[ids[k].value]);
  }
  for (std::size_t k = 0; k < slot.solution.f.size(); ++k) {
    const ContactRow& row = slot.solution.solved[k];
    if (!row.key.isLimit() || slot.solution.f[k] == 0) continue;
    const JointId id{row.key.joint()};
    if (!isOfModel(id)) continue;
    const Vector6d friction = row.Tb() * (row.directions().transpose() * slot.solution.friction[k]);
    addWrench(slot.solution.f[k] * row.Gb + friction, armOf(id), joints[id.value]);
  }
}

/// The contact of the same feature whose point is the nearest; the end: there is none.
std::vector<ContactForce>::iterator sameContact(const Contact& contact, std::vector<ContactForce>& contacts) {
  auto nearest = contacts.end();
  double smallest = std::numeric_limits<double>::infinity();
  for (auto other = contacts.begin(); other != contacts.end(); ++other) {
    if (other->contact.i != contact.i || other->contact.j != contact.j ||
        other->contact.feature != contact.feature)
      continue;
    const double squared = (other->contact.p - contact.p).squaredNorm();
    if (!(squared < smallest)) continue;
    smallest = squared;
    nearest = other;
  }
  return nearest;
}

Vector3d forceOf(const ContactForce& contact) {
  return contact.force * contact.contact.n + contact.friction;
}

/// Adds the forces of a contact to that of the same feature, or as one more. The sum has the place and the
/// direction of `added`.
void addForces(const ContactForce& added, std::vector<ContactForce>& sums) {
  const auto same = sameContact(added.contact, sums);
  if (same == sums.end()) {
    sums.push_back(added);
    return;
  }
  const Vector3d force = forceOf(*same) + forceOf(added), impulse = same->impulse + added.impulse;
  *same = added;
  same->force = force.dot(added.contact.n);
  same->friction = force - same->force * added.contact.n;
  same->impulse = impulse;
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
    state.result.joints[n] = jointStateAt(placed, X_WI, X_WJ);
  }
  for (int k = 0; k < work.islands.count; ++k)
    addJointForces(model, work.free, *work.islands.slots[k], work.report, state.result.joints);
}

bool hasFailedIsland(const StepWorkspace& work) {
  const auto first = work.islands.slots.begin();
  return std::any_of(first, first + work.islands.count, [](const std::unique_ptr<IslandSlot>& slot) {
    return !slot->isSleeping && !slot->report.solve.solved;
  });
}

bool isSolved(const StepWorkspace& work) {
  return work.search.withinMargin && work.impact.solved && !hasFailedIsland(work);
}

StepReport reportNumerics(const WorldState& state, const StepWorkspace& work) {
  StepReport report;
  report.converged = isSolved(work) && work.report.notFinite == 0;
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
  return report;
}

void beginSubsteps(const StepReport& dropped, StepResult& sums) {
  sums.contacts.clear();
  sums.hands.clear();
  sums.joints.clear();
  sums.report = StepReport{};
  sums.report.substeps = 0;
  sums.report.addEffort(dropped);
}

void addSubstep(const StepResult& result, const StepWorkspace& work, StepResult& sums) {
  for (const ContactForce& c : result.contacts) {
    const bool acts = c.force != 0 || !c.friction.isZero(0) || !c.impulse.isZero(0);
    if (acts && !keepsContacts(work, c.contact.i, c.contact.j)) addForces(c, sums.contacts);
  }
  sums.hands.resize(result.hands.size());
  for (std::size_t h = 0; h < result.hands.size(); ++h) {
    sums.hands[h].force += result.hands[h].force;
    sums.hands[h].torque += result.hands[h].torque;
  }
  sums.joints.resize(result.joints.size());
  for (std::size_t n = 0; n < result.joints.size(); ++n) {
    sums.joints[n].force += result.joints[n].force;
    sums.joints[n].torque += result.joints[n].torque;
  }
  const StepReport before = sums.report;
  sums.report = result.report;
  sums.report.addSubsteps(before);
}

void completeSubsteps(StepResult& sums, int count, const StepWorkspace& work, StepResult& result) {
  for (ContactForce& contact : result.contacts) {
    if (keepsContacts(work, contact.contact.i, contact.contact.j)) continue;
    contact.force = 0;
    contact.friction.setZero();
    contact.impulse.setZero();
  }
  for (ContactForce& sum : sums.contacts) {
    sum.force /= count;
    sum.friction /= count;
    const auto same = sameContact(sum.contact, result.contacts);
    if (same == result.contacts.end()) {
      result.contacts.push_back(sum);
      continue;
    }
    const Vector3d force = forceOf(sum);
    same->force = force.dot(same->contact.n);
    same->friction = force - same->force * same->contact.n;
    same->impulse = sum.impulse;
  }
  for (std::size_t h = 0; h < result.hands.size(); ++h) {
    result.hands[h].force = sums.hands[h].force / count;
    result.hands[h].torque = sums.hands[h].torque / count;
  }
  for (std::size_t n = 0; n < result.joints.size(); ++n) {
    result.joints[n].force = sums.joints[n].force / count;
    result.joints[n].torque = sums.joints[n].torque / count;
  }
  result.report = sums.report;
}

}  // namespace tenon::physics
