// See state_messages.h.
#include "runtime/service/messages/state_messages.h"

#include <string>

#include "runtime/report/event_text.h"

namespace tenon::service {

namespace {

void store(const physics::Vector3d& v, v1::Vector3* out) {
  out->set_x(v.x());
  out->set_y(v.y());
  out->set_z(v.z());
}

void store(const physics::Pose& X, v1::Pose* out) {
  store(X.p, out->mutable_position());
  v1::Quaternion* const q = out->mutable_orientation();
  q->set_w(X.q.w());
  q->set_x(X.q.x());
  q->set_y(X.q.y());
  q->set_z(X.q.z());
}

void store(const physics::ContactForce& contact, v1::ContactState* out) {
  out->set_part_a(contact.contact.i.value);
  out->set_part_b(contact.contact.j.value);
  store(contact.contact.p, out->mutable_position());
  store(contact.contact.n, out->mutable_normal());
  out->set_separation(contact.contact.separation);
  out->set_force(contact.force);
  store(contact.friction, out->mutable_friction());
  store(contact.impulse, out->mutable_impulse());
  out->set_mu(contact.mu);
}

void store(const physics::HandState& hand, v1::HandState* out) {
  store(hand.X_WH, out->mutable_target());
  out->set_part(hand.body.value);
  out->set_lost(hand.lost);
  store(hand.force, out->mutable_force());
  store(hand.torque, out->mutable_torque());
}

void store(const physics::JointState& joint, v1::JointState* out) {
  out->set_phase("holds");
  out->set_angle(joint.angle);
  out->set_travel(joint.travel);
  store(joint.force, out->mutable_force());
  store(joint.torque, out->mutable_torque());
}

void store(const runtime::GoalResult& goal, v1::GoalState* out) {
  out->set_verdict(std::string(runtime::toText(goal.verdict)));
  out->set_depth(goal.depth);
  out->set_tilt(goal.tilt);
  out->set_time(goal.time);
  out->set_push(goal.push);
  out->set_max_push(goal.maxPush);
}

}  // namespace

physics::Pose poseOf(const v1::Pose& message) {
  const v1::Vector3& p = message.position();
  physics::Pose X;
  X.p = {p.x(), p.y(), p.z()};
  if (!message.has_orientation()) return X;
  const v1::Quaternion& q = message.orientation();
  X.q = physics::Quaterniond(q.w(), q.x(), q.y(), q.z()).normalized();
  return X;
}

v1::Pose messageOf(const physics::Pose& X) {
  v1::Pose message;
  store(X, &message);
  return message;
}

v1::State stateMessage(const runtime::LockstepSimulation& simulation) {
  v1::State state;
  const physics::World& world = simulation.world();
  const physics::StepResult& tick = world.stepResult();
  state.set_step(tick.step);
  state.set_time(tick.time);
  state.set_state_hash(simulation.stateHash());
  for (std::size_t k = 0; k < tick.bodies.size(); ++k) {
    v1::PartState* const part = state.add_parts();
    part->set_part(static_cast<int>(k));
    store(world.partPose({static_cast<int>(k)}, tick.bodies[k]), part->mutable_pose());
    store(tick.bodies[k].v, part->mutable_velocity());
    store(tick.bodies[k].omega, part->mutable_angular_velocity());
  }
  for (const physics::ContactForce& contact : tick.contacts) store(contact, state.add_contacts());
  for (const physics::HandState& hand : tick.hands) {
    v1::HandState* const out = state.add_hands();
    store(hand, out);
    if (!hand.body.valid()) continue;
    const physics::Pose X_CP = world.partPose(hand.body, physics::BodyState());
    store(X_CP.inverse() * hand.X_CH, out->mutable_grip());
  }
  for (const physics::JointState& joint : tick.joints) store(joint, state.add_joints());
  for (const runtime::GoalResult& goal : simulation.goals()) store(goal, state.add_goals());
  for (const double level : tick.thrusters) state.add_thrusters(level);
  state.set_islands(tick.report.islands);
  state.set_converged(tick.report.converged);
  state.set_penetration(tick.report.penetration);
  state.set_residual(tick.report.residual);
  return state;
}

v1::Event messageOf(const runtime::SessionEvent& event) {
  v1::Event message;
  message.set_step(event.tick);
  message.set_time(event.time);
  message.set_kind(event.kind);
  message.set_hand(event.hand);
  message.set_part(event.body);
  message.set_other(event.other);
  message.set_goal(event.goal);
  message.set_text(event.text);
  return message;
}

v1::Scene describe(const content::Scene& scene) {
  v1::Scene message;
  message.set_title(scene.title);
  message.set_duration(scene.duration);
  message.set_rate(scene.rate);
  for (const content::Part& part : scene.parts) message.add_parts(part.name);
  for (const content::Hand& hand : scene.hands) message.add_hands(hand.name);
  for (const content::Joint& joint : scene.joints) message.add_joints(joint.name);
  for (int g = 0; g < static_cast<int>(scene.goals.size()); ++g)
    message.add_goals(runtime::goalName(scene, g));
  for (const content::Thruster* thruster : content::thrustersOf(scene)) message.add_thrusters(thruster->name);
  for (const content::Parameter& parameter : scene.parameters) {
    v1::Parameter* const out = message.add_parameters();
    out->set_name(parameter.name);
    out->set_unit(parameter.unit);
    out->set_description(parameter.description);
    out->set_default_value(parameter.defaultValue);
    out->set_minimum(parameter.minimum);
    out->set_maximum(parameter.maximum);
  }
  return message;
}

}  // namespace tenon::service
