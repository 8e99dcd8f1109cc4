// See state_frames.h.
#include "runtime/service/client/state_frames.h"

#include <cmath>
#include <utility>

#include "content/model/build_world.h"
#include "runtime/service/messages/state_messages.h"
#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace {

physics::Vector3d vectorOf(const v1::Vector3& v) {
  return {v.x(), v.y(), v.z()};
}

runtime::Verdict verdictOf(const std::string& text) {
  for (const runtime::Verdict verdict : runtime::kVerdicts)
    if (toText(verdict) == text) return verdict;
  return runtime::Verdict::pending;
}

physics::ContactForce contactOf(const v1::ContactState& message) {
  physics::ContactForce contact;
  contact.contact.i = {message.part_a()};
  contact.contact.j = {message.part_b()};
  contact.contact.p = vectorOf(message.position());
  contact.contact.n = vectorOf(message.normal());
  contact.contact.separation = message.separation();
  contact.force = message.force();
  contact.friction = vectorOf(message.friction());
  contact.impulse = vectorOf(message.impulse());
  contact.mu = message.mu();
  return contact;
}

physics::Dynamics dynamicsOf(const v1::SetDynamics& message) {
  physics::Dynamics dynamics;
  dynamics.gravity = vectorOf(message.gravity());
  dynamics.linearDamping = message.linear_damping();
  dynamics.angularDamping = message.angular_damping();
  if (message.has_restitution()) dynamics.restitution = message.restitution();
  return dynamics;
}

void store(const v1::Settings& settings, const v1::Pace& pace, runtime::LiveStatus& status) {
  status.paused = !pace.playing();
  status.speed = pace.speed();
  status.steps = pace.steps();
  status.droppedSteps = pace.dropped_steps();
  status.failure = pace.failure();
  status.solver = physics::solverFromText(settings.solver()).value_or(physics::SolverName::automatic);
  status.rate = settings.rate();
  status.guidance = settings.guidance();
  status.recording = settings.recording();
  status.recordingEndedEarly = settings.record_failed();
  status.undoable = settings.undoable();
  status.redoable = settings.redoable();
  status.undoText = settings.undo_text();
  status.redoText = settings.redo_text();
  status.dynamics = dynamicsOf(settings.dynamics());
}

}  // namespace

StateFrames::StateFrames(std::shared_ptr<const content::Scene> scene)
    : scene_(std::move(scene)), world_(content::buildWorld(*scene_, {})) {
  for (int g = 0; g < static_cast<int>(scene_->goals.size()); ++g) watches_.emplace_back(*scene_, g);
}

void StateFrames::requireSameScene(const v1::State& state) const {
  const int parts = static_cast<int>(world_.bodyCount());
  bool isSame = state.parts_size() == parts && state.hands_size() == static_cast<int>(world_.handCount()) &&
                state.goals_size() == static_cast<int>(watches_.size());
  const auto isPart = [parts](int part) { return part >= 0 && part < parts; };
  for (const v1::HandState& hand : state.hands())
    isSame = isSame && (hand.part() == -1 || isPart(hand.part()));
  for (const v1::ContactState& contact : state.contacts())
    isSame = isSame && isPart(contact.part_a()) && isPart(contact.part_b());
  if (!isSame)
    throw StatusError(grpc::StatusCode::DATA_LOSS,
                      "the server's states are not of this scene; use programs of the same version");
}

physics::StepResult StateFrames::stepOf(const v1::State& state) const {
  physics::StepResult tick = world_.stepResult();
  tick.step = state.step();
  tick.time = state.time();
  for (std::size_t k = 0; k < tick.bodies.size(); ++k) {
    const v1::PartState& part = state.parts(static_cast<int>(k));
    const physics::Pose X_CP = world_.partPose({static_cast<int>(k)}, physics::BodyState());
    tick.bodies[k].X_WC = poseOf(part.pose()) * X_CP.inverse();
    tick.bodies[k].v = vectorOf(part.velocity());
    tick.bodies[k].omega = vectorOf(part.angular_velocity());
  }
  for (std::size_t h = 0; h < tick.hands.size(); ++h) {
    const v1::HandState& hand = state.hands(static_cast<int>(h));
    physics::HandState& out = tick.hands[h];
    out.X_WH = poseOf(hand.target());
    out.body = {hand.part()};
    out.lost = hand.lost();
    out.force = vectorOf(hand.force());
    out.torque = vectorOf(hand.torque());
    if (out.body.valid()) out.X_CH = world_.partPose(out.body, physics::BodyState()) * poseOf(hand.grip());
  }
  tick.contacts.clear();
  for (const v1::ContactState& contact : state.contacts()) tick.contacts.push_back(contactOf(contact));
  for (std::size_t j = 0; j < tick.joints.size() && j < static_cast<std::size_t>(state.joints_size()); ++j) {
    const v1::JointState& joint = state.joints(static_cast<int>(j));
    tick.joints[j].angle = joint.angle();
    tick.joints[j].travel = joint.travel();
    tick.joints[j].force = vectorOf(joint.force());
    tick.joints[j].torque = vectorOf(joint.torque());
  }
  tick.thrusters.assign(state.thrusters().begin(), state.thrusters().end());
  tick.dynamics = dynamicsOf(state.settings().dynamics());
  tick.report.converged = state.converged();
  tick.report.penetration = state.penetration();
  tick.report.residual = state.residual();
  tick.report.contacts = state.contacts_size();
  tick.report.islands = state.islands();
  return tick;
}

/// Verdict and figures are the server's; the diagnosis is that of this state alone.
runtime::GoalResult StateFrames::goalOf(std::size_t goal, const v1::State& state,
                                        const physics::StepResult& tick) const {
  runtime::GoalWatch watch = watches_[goal];
  watch.add(tick);
  runtime::GoalResult result = watch.result();
  const v1::GoalState& of = state.goals(static_cast<int>(goal));
  result.verdict = verdictOf(of.verdict());
  result.depth = of.depth();
  result.tilt = of.tilt();
  result.time = of.time();
  result.push = of.push();
  result.maxPush = of.max_push();
  result.standstill.reset();
  return result;
}

void StateFrames::fill(const v1::State& state, runtime::SimulationFrame& frame) const {
  requireSameScene(state);
  frame.scene = scene_;
  frame.sampled = true;
  frame.record = {};
  frame.record.tick = stepOf(state);
  frame.record.step_us = 1e6 * state.step_time();
  frame.goals.clear();
  for (std::size_t g = 0; g < watches_.size(); ++g) {
    frame.goals.push_back(goalOf(g, state, frame.record.tick));
    const runtime::GoalResult& goal = frame.goals.back();
    frame.record.goals.push_back({goal.verdict, goal.depth, goal.tilt, goal.push, goal.maxPush});
  }
  frame.X_WP.clear();
  for (const v1::PartState& part : state.parts()) frame.X_WP.push_back(poseOf(part.pose()));
  frame.time_ns = std::llround(state.time() * 1e9);
  frame.sampleTime_ns = -1;
  frame.status = {};
  store(state.settings(), state.pace(), frame.status);
}

}  // namespace tenon::service
