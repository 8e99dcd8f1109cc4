// Stage 1 of a step: commands. Nothing else changes a running world from outside.
#include <utility>

#include "physics/step/stages.h"

namespace tenon::physics {

namespace {

/// Executes one command.
struct Apply {
  const WorldModel& model;
  WorldState& state;

  void operator()(const Grab& grab) const {
    HandSlot& hand = state.hands[grab.hand.value];
    hand.state.X_WH = grab.X_WH;
    hand.lastTarget = grab.X_WH;
    hand.state.body = grab.body;
    hand.state.X_CH = state.bodies[grab.body.value].X_WC.inverse() * grab.X_WH;
  }
  void operator()(const MoveHand& move) const { state.hands[move.hand.value].state.X_WH = move.X_WH; }
  void operator()(const Release& release) const { state.hands[release.hand.value].state.body = BodyId{}; }
  void operator()(const SetPose& set) const {
    state.bodies[set.body.value] = restingAt(model.bodies[set.body.value], set.X_WP);
    wakeAll(state);
    state.contactAcceleration[set.body.value].setZero();
    std::erase_if(state.contacts,
                  [&set](const Contact& contact) { return contact.i == set.body || contact.j == set.body; });
    for (HandSlot& hand : state.hands)
      if (hand.state.body == set.body) hand.state.body = BodyId{};
    uncoupleDrivers(model, state, set.body);
  }
  void operator()(const Reset&) const { state = *model.initial; }
  void operator()(const SetDynamics& set) const {
    state.dynamics = set.dynamics;
    wakeAll(state);
  }
  void operator()(const SetThruster& set) const {
    state.thrusters[set.thruster.value] = set.level;
    wakeAll(state);
  }
};

}  // namespace

BodyState restingAt(const Body& body, const Pose& X_WP) {
  const Pose X{X_WP.q.normalized(), X_WP.p};
  BodyState state;
  state.X_WC = {X.q, X * -body.p_CP};
  return state;
}

void applyCommands(const WorldModel& model, WorldState& state, StepWorkspace& work) {
  for (HandSlot& hand : state.hands) hand.state.lost = false;
  work.commands.clear();
  std::swap(state.commands, work.commands);
  for (const Command& command : work.commands) std::visit(Apply{model, state}, command);
}

}  // namespace tenon::physics
