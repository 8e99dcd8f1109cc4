// See remote_state.h.
#include "runtime/python/remote_state.h"

namespace tenon::python::remote {

namespace {

void store(const v1::Vector3& v, double (&out)[3]) {
  out[0] = v.x();
  out[1] = v.y();
  out[2] = v.z();
}

void store(const v1::Quaternion& q, double (&out)[4]) {
  out[0] = q.w();
  out[1] = q.x();
  out[2] = q.y();
  out[3] = q.z();
}

PartRow rowOf(const v1::PartState& part) {
  PartRow row{};
  store(part.pose().position(), row.position);
  store(part.pose().orientation(), row.quaternion);
  store(part.velocity(), row.velocity);
  store(part.angular_velocity(), row.angularVelocity);
  return row;
}

ContactRow rowOf(const v1::ContactState& contact) {
  ContactRow row{};
  row.partA = contact.part_a();
  row.partB = contact.part_b();
  store(contact.position(), row.position);
  store(contact.normal(), row.normal);
  row.separation = contact.separation();
  row.force = contact.force();
  store(contact.friction(), row.friction);
  store(contact.impulse(), row.impulse);
  row.mu = contact.mu();
  return row;
}

HandRow rowOf(const v1::HandState& hand) {
  HandRow row{};
  store(hand.target().position(), row.position);
  store(hand.target().orientation(), row.quaternion);
  row.part = hand.part();
  row.lost = hand.lost();
  store(hand.force(), row.force);
  store(hand.torque(), row.torque);
  return row;
}

JointRow rowOf(const v1::JointState& joint) {
  JointRow row{};
  row.angle = joint.angle();
  row.travel = joint.travel();
  store(joint.force(), row.force);
  store(joint.torque(), row.torque);
  return row;
}

GoalRow rowOf(const v1::GoalState& goal) {
  GoalRow row{};
  storeText(goal.verdict(), row.verdict);
  row.depth = goal.depth();
  row.tilt = goal.tilt();
  row.time = goal.time();
  row.push = goal.push();
  row.maxPush = goal.max_push();
  return row;
}

}  // namespace

std::shared_ptr<State> stateOf(const std::shared_ptr<const SceneHandle>& scene, const v1::State& message) {
  auto state = std::make_shared<State>();
  state->scene = scene;
  state->step = message.step();
  state->time = message.time();
  state->stateHash = message.state_hash();
  for (const auto& part : message.parts()) state->parts.push_back(rowOf(part));
  for (const auto& contact : message.contacts()) state->contacts.push_back(rowOf(contact));
  for (const auto& hand : message.hands()) state->hands.push_back(rowOf(hand));
  for (const auto& joint : message.joints()) state->joints.push_back(rowOf(joint));
  for (const auto& goal : message.goals()) state->goals.push_back(rowOf(goal));
  state->converged = message.converged();
  state->penetration = message.penetration();
  state->residual = message.residual();
  return state;
}

void store(const PoseNumbers& x, v1::Pose* pose) {
  pose->mutable_position()->set_x(x[0]);
  pose->mutable_position()->set_y(x[1]);
  pose->mutable_position()->set_z(x[2]);
  pose->mutable_orientation()->set_w(x[3]);
  pose->mutable_orientation()->set_x(x[4]);
  pose->mutable_orientation()->set_y(x[5]);
  pose->mutable_orientation()->set_z(x[6]);
}

}  // namespace tenon::python::remote
