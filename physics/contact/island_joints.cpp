// Joints of an island: their equations, limits and thread flanks at a trial state. See island_problem.h.
#include <cmath>

#include "physics/contact/island_problem.h"
#include "physics/joint/thread_flanks.h"
#include "physics/math/tolerances.h"

namespace tenon::physics {

namespace {

/// Keys of a thread's flanks follow those of a joint's limits, 0 to 3.
constexpr int kFirstFlank = 4;

}  // namespace

void IslandProblem::linearizeJoints(std::span<const double> u) {
  if (jointIds_.empty()) return;
  for (std::size_t k = 0; k < jointIds_.size(); ++k) {
    const PlacedJoint& joint = view_.joints[jointIds_[k].value];
    const BodyId i = joint.description.i;
    JointRows& equations = joints[k];
    const JointFrames at = jointFrames(joint, i.valid() ? trialPose(i, equations.a) : Pose(),
                                       trialPose(joint.description.j, equations.b));
    equations.phi = jointError(joint.description, at);
    equations.b0 = equations.phi;
    if (equations.a >= 0) equations.b0 -= dt * equations.Ga.transpose() * block(u, equations.a);
    if (equations.b >= 0) equations.b0 -= dt * equations.Gb.transpose() * block(u, equations.b);
    addLimits(jointIds_[k], jointStarts_[k], at, u);
    if (hasFlanks(joint.description))
      addFlanks(jointIds_[k], jointStarts_[k], equations.phi[equations.count], u);
  }
  space.computeClosingVelocity(joints, freeVelocity, dt);
}

// Forces act along the directions at the start of the step, as those of the equations do: along these, the
// travel of a fine thread stays distinct from the rotation of the whole assembly.
void IslandProblem::addLimits(JointId id, const JointFrames& start, const JointFrames& at,
                              std::span<const double> u) {
  const JointDescription& joint = view_.joints[id.value].description;
  const auto add = [&](int end, const JointDirection& direction, double distance, double sign) {
    if (std::isfinite(distance))
      rows.push_back(jointRow(ContactKey::ofLimit(id.value, end), {sign * direction.Ga, sign * direction.Gb},
                              distance, u));
  };
  if (turns(joint.kind)) {
    const JointDirection direction = angleDirection(start);
    add(0, direction, jointAngle(at) - joint.angle.low, 1);
    add(1, direction, joint.angle.high - jointAngle(at), -1);
  }
  if (travels(joint.kind)) {
    const JointDirection direction = travelDirection(start);
    add(2, direction, jointTravel(at) - joint.travel.low, 1);
    add(3, direction, joint.travel.high - jointTravel(at), -1);
  }
}

ContactRow IslandProblem::jointRow(const ContactKey& key, const JointDirection& direction, double distance,
                                   std::span<const double> u) const {
  const JointDescription& joint = view_.joints[key.joint()].description;
  ContactRow row;
  row.key = key;
  row.a = joint.i.valid() ? local(joint.i) : -1;
  row.b = local(joint.j);
  row.Ga = direction.Ga;
  row.Gb = direction.Gb;
  row.contact.i = joint.i;
  row.contact.j = joint.j;
  row.contact.separation = row.b0 = distance;
  if (row.a >= 0) row.b0 -= dt * row.Ga.dot(block(u, row.a));
  if (row.b >= 0) row.b0 -= dt * row.Gb.dot(block(u, row.b));
  setBiases(row, joint.i, joint.j);
  return row;
}

void IslandProblem::addFlanks(JointId id, const JointFrames& start, double error, std::span<const double> u) {
  const JointDescription& joint = view_.joints[id.value].description;
  int end = kFirstFlank;
  for (const ThreadFlank& flank : threadFlanks(joint, start, error)) {
    const Vector3d ra = flank.p - start.c_I, rb = flank.p - start.c_J;
    JointDirection direction;
    direction.Ga << -flank.n, -ra.cross(flank.n);
    direction.Gb << flank.n, rb.cross(flank.n);
    ContactRow row = jointRow(ContactKey::ofLimit(id.value, end++), direction, flank.separation, u);
    row.point = row.contact.p = flank.p;
    row.contact.n = flank.n;
    row.ra = ra;
    row.rb = rb;
    row.slide = flank.slide;
    row.mu = kFlankFriction * joint.friction;
    // Solvers stiffen rigid contacts that yield too much. A stiffened flank could clamp a self-locking screw
    // between its flanks and what it bears on with any force.
    row.rigid = false;
    addFrictionalCompliance(row);
    setBiases(row, joint.i, joint.j);
    rows.push_back(row);
  }
}

}  // namespace tenon::physics
