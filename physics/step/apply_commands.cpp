// SceneView 1 of a step: commands. The only way into a running world.
#include "physics/step/step_state.h"

namespace tenon::physics {

namespace {

struct Apply {
  StepState& s;

  void operator()(const Grab& grab) const {
    HandSlot& hand = s.hands[grab.hand.value];
    hand.state.X_WH = grab.X_WH;
    hand.lastTarget = grab.X_WH;
    hand.state.body = grab.body;
    hand.state.X_CH = s.states[grab.body.value].X_WC.inverse() * grab.X_WH;
  }
  void operator()(const MoveHand& move) const { s.hands[move.hand.value].state.X_WH = move.X_WH; }
  void operator()(const Release& release) const { s.hands[release.hand.value].state.body = BodyId{}; }
  void operator()(const SetPose& place) const {
    s.states[place.body.value] = restingAt(s.bodies[place.body.value], place.X_WP);
    wakeAll(s);
    for (HandSlot& hand : s.hands)
      if (hand.state.body == place.body) hand.state.body = BodyId{};
    for (std::size_t n = 0; n < s.joints.size(); ++n) {
      const JointDescription& joint = s.joints[n].description;
      if (joint.entry && (joint.i == place.body || joint.j == place.body))
        s.screwJoints[n].phase = JointPhase::apart;
    }
  }
  void operator()(const Reset&) const {
    s.step = s.initial->step;
    s.states = s.initial->bodies;
    s.hands = s.initial->hands;
    s.warm = s.initial->warm;
    s.screwJoints = s.initial->screwJoints;
    wakeAll(s);
    s.tick.joints = s.initial->tick.joints;
    s.tick.contacts.clear();
  }
};

}  // namespace

BodyState restingAt(const Body& body, const Pose& X_WP) {
  const Pose X{X_WP.q.normalized(), X_WP.p};
  BodyState state;
  state.X_WC = {X.q, X * -body.p_CP};
  return state;
}

void applyCommands(StepState& s) {
  for (HandSlot& hand : s.hands) {
    hand.state.force.setZero();
    hand.state.torque.setZero();
    hand.state.lost = false;
  }
  for (const Command& command : s.commands) std::visit(Apply{s}, command);
  s.commands.clear();
}

}  // namespace tenon::physics
