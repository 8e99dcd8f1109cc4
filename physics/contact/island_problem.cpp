// See island_problem.h.
#include "physics/contact/island_problem.h"

#include <algorithm>
#include <cmath>

#include "physics/tolerances.h"

namespace tenon::physics {

void IslandProblem::begin(const StepView& view) {
  view_ = view;
  dt = view.dt;
  bodies_.clear();
  pairs_.clear();
  jointIds_.clear();
  jointStarts_.clear();
  rows.clear();
  joints.clear();
  massFactor.clear();
  freeVelocity.clear();
  predicted.clear();
  startVelocity.clear();
  stillWithin = 0;
  askedAt_.clear();
}

void IslandProblem::addBody(BodyId body) {
  bodies_.push_back(body);
  massFactor.push_back(view_.massFactor[body.value]);
  const Vector6d& u = view_.freeVelocity[body.value];
  freeVelocity.insert(freeVelocity.end(), u.data(), u.data() + 6);
  const Vector6d& guess = view_.predicted[body.value];
  predicted.insert(predicted.end(), guess.data(), guess.data() + 6);
  const BodyState& state = view_.states[body.value];
  startVelocity.insert(startVelocity.end(), state.v.data(), state.v.data() + 3);
  startVelocity.insert(startVelocity.end(), state.omega.data(), state.omega.data() + 3);
}

int IslandProblem::local(BodyId body) const {
  const auto at = std::lower_bound(bodies_.begin(), bodies_.end(), body);
  return at != bodies_.end() && *at == body ? static_cast<int>(at - bodies_.begin()) : -1;
}

Pose IslandProblem::trialPose(BodyId body, int index) const {
  return index >= 0 ? trial_[index] : view_.end[body.value];
}

struct IslandProblem::Arms {
  BodyPair pair;
  int a = -1, b = -1;  // index in the island
  Vector3d c_I, c_J;   // centres of mass
  SurfacePair surfaces;
  double compliance = 0;  // of each contact [m/N]
};

void IslandProblem::addRow(const Contact& contact, const Arms& arms, std::span<const double> u) {
  ContactRow row;
  row.contact = contact;
  row.key = {
      static_cast<std::uint64_t>(arms.pair.i.value) << 32 | static_cast<std::uint32_t>(arms.pair.j.value),
      contact.feature};
  row.a = arms.a;
  row.b = arms.b;
  const Vector3d& n = contact.n;
  const Vector3d r_I = contact.p - arms.c_I, r_J = contact.p - arms.c_J;
  row.Ga << -n, -r_I.cross(n);
  row.Gb << n, r_J.cross(n);
  row.b0 = contact.delta;
  if (row.a >= 0) row.b0 -= dt * row.Ga.dot(block(u, row.a));
  if (row.b >= 0) row.b0 -= dt * row.Gb.dot(block(u, row.b));
  if (row.a < 0) row.speed0 += row.Ga.dot(view_.freeVelocity[arms.pair.i.value]);
  if (row.b < 0) row.speed0 += row.Gb.dot(view_.freeVelocity[arms.pair.j.value]);
  row.restitution = arms.surfaces.restitution;
  row.compliance = arms.compliance;
  row.rigid = arms.compliance == 0;
  row.mu = arms.surfaces.friction;
  if (row.mu > 0) {
    row.compliance += std::min(kFrictionalCompliance, kFrictionalShare * give(row));
    const Vector3d first = n.unitOrthogonal();
    const Vector3d tangent[2] = {first, n.cross(first)};
    for (int t = 0; t < 2; ++t) {
      row.Ta.col(t) << -tangent[t], -r_I.cross(tangent[t]);
      row.Tb.col(t) << tangent[t], r_J.cross(tangent[t]);
    }
    if (row.a < 0) row.slip0 += row.Ta.transpose() * view_.freeVelocity[arms.pair.i.value];
    if (row.b < 0) row.slip0 += row.Tb.transpose() * view_.freeVelocity[arms.pair.j.value];
  }
  rows.push_back(row);
}

void IslandProblem::complete() {
  if (jointIds_.empty()) return;
  for (const JointId id : jointIds_) {
    const PlacedJoint& joint = view_.joints[id.value];
    const BodyId i = joint.description.i, j = joint.description.j;
    const JointPlace& at = jointStarts_.emplace_back(
        placeOf(joint, i.valid() ? view_.start[i.value] : Pose(), view_.start[j.value]));
    joints.push_back(jointRows(joint.description, at, i.valid() ? local(i) : -1, local(j),
                               i.valid() ? view_.freeVelocity[i.value] : Vector6d(Vector6d::Zero()),
                               view_.freeVelocity[j.value]));
  }
  space.build(massFactor, joints);
}

void IslandProblem::lineariseJoints(std::span<const double> u) {
  if (jointIds_.empty()) return;
  for (std::size_t k = 0; k < jointIds_.size(); ++k) {
    const PlacedJoint& joint = view_.joints[jointIds_[k].value];
    const BodyId i = joint.description.i;
    JointRows& of = joints[k];
    const JointPlace at =
        placeOf(joint, i.valid() ? trialPose(i, of.a) : Pose(), trialPose(joint.description.j, of.b));
    of.phi = jointError(joint.description, at);
    of.b0 = of.phi;
    if (of.a >= 0) of.b0 -= dt * of.Ga.transpose() * block(u, of.a);
    if (of.b >= 0) of.b0 -= dt * of.Gb.transpose() * block(u, of.b);
    addLimits(jointIds_[k], jointStarts_[k], at, u);
  }
  space.close(joints, freeVelocity, dt);
}

// Forces act along the directions at the start of the step, as those of the equations do: in these the way of
// a fine thread is told from the turning of all it is part of.
void IslandProblem::addLimits(JointId id, const JointPlace& start, const JointPlace& at,
                              std::span<const double> u) {
  const JointDescription& joint = view_.joints[id.value].description;
  const auto add = [&](int end, const JointDirection& way, double left, double sense) {
    if (std::isfinite(left)) addLimit(ContactKey::ofLimit(id.value, end), way, left, sense, u);
  };
  if (turns(joint.kind)) {
    const JointDirection way = angleDirection(start);
    add(0, way, jointAngle(at) - joint.angle.low, 1);
    add(1, way, joint.angle.high - jointAngle(at), -1);
  }
  if (travels(joint.kind)) {
    const JointDirection way = travelDirection(start);
    add(2, way, jointTravel(at) - joint.travel.low, 1);
    add(3, way, joint.travel.high - jointTravel(at), -1);
  }
}

void IslandProblem::addLimit(const ContactKey& key, const JointDirection& way, double left, double sense,
                             std::span<const double> u) {
  const JointDescription& joint = view_.joints[key.joint()].description;
  ContactRow row;
  row.key = key;
  row.a = joint.i.valid() ? local(joint.i) : -1;
  row.b = local(joint.j);
  row.Ga = sense * way.Ga;
  row.Gb = sense * way.Gb;
  row.contact.i = joint.i;
  row.contact.j = joint.j;
  row.contact.delta = row.b0 = left;
  if (row.a >= 0) row.b0 -= dt * row.Ga.dot(block(u, row.a));
  if (row.b >= 0) row.b0 -= dt * row.Gb.dot(block(u, row.b));
  if (row.a < 0 && joint.i.valid()) row.speed0 += row.Ga.dot(view_.freeVelocity[joint.i.value]);
  if (row.b < 0) row.speed0 += row.Gb.dot(view_.freeVelocity[joint.j.value]);
  rows.push_back(row);
}

void IslandProblem::addPairRows(const BodyPair& pair, std::span<const double> u) {
  Arms arms;
  arms.pair = pair;
  arms.a = local(pair.i);
  arms.b = local(pair.j);
  arms.surfaces = view_.surfaces->of(view_.material[pair.i.value], view_.material[pair.j.value]);
  const Pose X_I = trialPose(pair.i, arms.a);
  const Pose X_J = trialPose(pair.j, arms.b);
  arms.c_I = X_I.p;
  arms.c_J = X_J.p;
  const double range = view_.reach[pair.i.value] + view_.reach[pair.j.value];
  found_.clear();
  view_.collider->findContacts(pair, X_I, X_J, range, found_);
  // The points that touch share the pair's stiffness, so that it does not depend on how many there are.
  const auto touching = std::count_if(found_.begin(), found_.end(),
                                      [](const Contact& contact) { return contact.delta <= kGapTolerance; });
  arms.compliance = static_cast<double>(std::max<std::ptrdiff_t>(1, touching)) / arms.surfaces.stiffness;
  for (const Contact& contact : found_) addRow(contact, arms, u);
}

// A pair is asked when one of its bodies has moved by a quarter since it was asked itself; the other is then
// that far from its own place at most, and goes on by as much again.
void IslandProblem::findMoved(std::span<const double> u) {
  const bool first = askedAt_.empty();
  if (first) askedAt_.assign(u.begin(), u.end());
  moved_.assign(bodies_.size(), first);
  if (first) return;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const int at = static_cast<int>(i);
    const Vector6d change = block(u, at) - block(std::span(askedAt_), at);
    const double way =
        dt * (change.head<3>().norm() + view_.collider->radius(bodies_[i]) * change.tail<3>().norm());
    if (way <= 0.25 * stillWithin) continue;
    moved_[i] = true;
    block(std::span(askedAt_), at) = block(u, at);
  }
}

bool IslandProblem::keepRows(std::size_t pair, std::span<const double> u) {
  const auto moved = [this](BodyId body) {
    const int at = local(body);
    return at >= 0 && moved_[at];
  };
  if (lastEnds_.empty() || moved(pairs_[pair].i) || moved(pairs_[pair].j)) return false;
  const std::size_t first = pair > 0 ? lastEnds_[pair - 1] : 0, last = lastEnds_[pair];
  // A pair's stiffness is shared by the points that touch: these are counted where they are asked for.
  if (first < last && !lastRows_[first].rigid) return false;
  for (std::size_t k = first; k < last; ++k) {
    rows.push_back(lastRows_[k]);
    rows.back().contact.delta = distance(rows.back(), u);
  }
  return true;
}

void IslandProblem::linearise(const std::vector<double>& u) {
  trial_.resize(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const auto ui = block(std::span(u), static_cast<int>(i));
    trial_[i] = advance(view_.start[bodies_[i].value], ui.head<3>(), ui.tail<3>(), dt);
  }
  rows.clear();
  if (stillWithin > 0) {
    if (askedAt_.empty()) lastEnds_.clear();
    findMoved(u);
    ends_.clear();
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      if (!keepRows(p, u)) addPairRows(pairs_[p], u);
      ends_.push_back(rows.size());
    }
    lastRows_.assign(rows.begin(), rows.end());
    std::swap(lastEnds_, ends_);
  } else {
    for (const BodyPair& pair : pairs_) addPairRows(pair, u);
  }
  lineariseJoints(u);
}

}  // namespace tenon::physics
