// See lockstep_simulation.h.
#include "runtime/simulation/lockstep_simulation.h"

#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>

#include "xr/hands/scripted_hands.h"

namespace tenon::runtime {

namespace {

std::vector<GoalWatch> watchesOf(const content::Scene& scene) {
  std::vector<GoalWatch> watches;
  for (int g = 0; g < static_cast<int>(scene.goals.size()); ++g) watches.emplace_back(scene, g);
  return watches;
}

}  // namespace

LockstepSimulation::LockstepSimulation(std::shared_ptr<const content::Scene> scene,
                                       const physics::WorldOptions& options, bool scripted)
    : scene_(std::move(scene)),
      commanded_(std::make_shared<CommandedFlags>(scene_->hands.size(), !scripted)),
      live_(std::make_shared<LiveSamples>(scene_->hands.size())),
      step_ns_(std::llround(options.dt * 1e9)),
      simulation_(*scene_, options,
                  std::make_unique<CommandedHands>(std::make_unique<xr::ScriptedHands>(scene_->hands),
                                                   commanded_, live_, step_ns_)),
      watches_(watchesOf(*scene_)),
      start_(snapshot()) {
  refreshQueued();
}

void LockstepSimulation::takeOver(physics::HandId hand) {
  if (hand.value < 0 || static_cast<std::size_t>(hand.value) >= commanded_->size())
    throw std::invalid_argument("the scene has no such hand");
  (*commanded_)[static_cast<std::size_t>(hand.value)] = true;
}

void LockstepSimulation::apply(const physics::Command& command) {
  if (std::holds_alternative<physics::Reset>(command)) return reset();
  std::visit(
      [this](const auto& c) {
        if constexpr (requires { c.hand; }) {
          takeOver(c.hand);
          unfollow(c.hand);
        }
        if constexpr (requires { c.X_WH; }) targets_[static_cast<std::size_t>(c.hand.value)] = c.X_WH;
        if constexpr (requires { c.dynamics; }) dynamics_ = c.dynamics;
      },
      command);
  simulation_.queue(command);
}

void LockstepSimulation::follow(physics::HandId hand, const xr::HandSample& sample,
                                std::int64_t moveDuration_ns) {
  takeOver(hand);
  std::unique_ptr<HandMailbox>& mailbox = (*live_)[static_cast<std::size_t>(hand.value)];
  if (!mailbox) mailbox = std::make_unique<HandMailbox>(1);
  mailbox->put(std::span(&sample, 1), 0, moveDuration_ns);
}

void LockstepSimulation::unfollow(physics::HandId hand) {
  if (hand.value >= 0 && static_cast<std::size_t>(hand.value) < live_->size())
    (*live_)[static_cast<std::size_t>(hand.value)].reset();
}

const physics::StepResult& LockstepSimulation::step(
    const std::function<void(const std::vector<physics::Command>&)>& gathered) {
  try {
    const std::vector<physics::Command>& commands = simulation_.gather();
    if (gathered) gathered(commands);
    const physics::StepResult& tick = simulation_.advance();
    for (GoalWatch& watch : watches_) watch.add(tick);
    refreshQueued();
    return tick;
  } catch (...) {
    simulation_.abandonStep();
    refreshQueued();
    throw;
  }
}

void LockstepSimulation::changeOptions(const physics::WorldOptions& options) {
  simulation_.abandonStep();
  simulation_.changeOptions(*scene_, options);
  step_ns_ = std::llround(options.dt * 1e9);
  refreshQueued();
}

LockstepSimulation::Snapshot LockstepSimulation::snapshot() const {
  return {scene_, simulation_.state(), watches_, *commanded_};
}

void LockstepSimulation::restore(const Snapshot& snapshot) {
  if (snapshot.scene != scene_) throw std::invalid_argument("the snapshot is of another scene");
  simulation_.restore(snapshot.simulation, true);
  watches_ = snapshot.watches;
  *commanded_ = snapshot.commanded;
  for (std::size_t k = 0; k < live_->size(); ++k) {
    HandMailbox* const mailbox = (*live_)[k].get();
    if (mailbox == nullptr) continue;
    const physics::HandState& hand = world().stepResult().hands[k];
    if (hand.body.valid())
      mailbox->resume(0, hand.X_WH);
    else
      mailbox->begin(1);
  }
  refreshQueued();
}

void LockstepSimulation::refreshQueued() {
  const physics::StepResult& tick = world().stepResult();
  dynamics_ = tick.dynamics;
  targets_.clear();
  for (const physics::HandState& hand : tick.hands) targets_.push_back(hand.X_WH);
}

std::vector<GoalResult> LockstepSimulation::goals() const {
  std::vector<GoalResult> results;
  for (const GoalWatch& watch : watches_) results.push_back(watch.result());
  return results;
}

const physics::Pose& LockstepSimulation::handTarget(physics::HandId hand) const {
  return targets_[static_cast<std::size_t>(hand.value)];
}

}  // namespace tenon::runtime
