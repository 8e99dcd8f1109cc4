// See simulation.h.
#include "runtime/simulation/simulation.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "content/model/build_world.h"
#include "physics/step/world_state.h"

namespace tenon::runtime {

namespace {

/// Replaces −0 by 0: a session file does not distinguish them, and simulation and record must be identical.
void forgetSignsOfZero(physics::Command& command) {
  const auto forget = [](physics::Pose& X) {
    X.p = X.p.array() + 0.0;
    X.q.coeffs() = X.q.coeffs().array() + 0.0;
  };
  std::visit(
      [&](auto& c) {
        if constexpr (requires { c.X_WH; }) forget(c.X_WH);
        if constexpr (requires { c.X_WP; }) forget(c.X_WP);
        if constexpr (requires { c.dynamics; }) c.dynamics.gravity = c.dynamics.gravity.array() + 0.0;
      },
      command);
}

}  // namespace

std::int64_t stepsFor(double duration, double dt) {
  return static_cast<std::int64_t>(std::ceil(duration / dt * (1 - 1e-12)));
}

Simulation::Simulation(const content::Scene& scene, const physics::WorldOptions& options,
                       std::unique_ptr<xr::HandSource> hands)
    : world_(content::buildWorld(scene, options)),
      hands_(std::move(hands)),
      interaction_(world_.handCount()),
      interactionBeforeGather_(interaction_),
      guidance_(scene) {}

const physics::StepResult& Simulation::step() {
  gather();
  return advance();
}

const std::vector<physics::Command>& Simulation::gather() {
  // Computed from the step count, so that rounding errors do not accumulate.
  const bool resets = std::any_of(queued_.begin(), queued_.end(), [](const physics::Command& command) {
    return std::holds_alternative<physics::Reset>(command);
  });
  const std::int64_t done = resets ? 0 : world_.stepResult().step;
  const double end = static_cast<double>(done + 1) * world_.options().dt;
  hands_->sample(std::llround(end * 1e9), samples_);
  interactionBeforeGather_ = interaction_;
  gathered_ = true;
  commands_ = queued_;
  queued_.clear();
  interaction_.commandsFor(samples_, world_, commands_);
  guidance_.apply(world_, commands_);
  return commands_;
}

const physics::StepResult& Simulation::advance() {
  for (physics::Command& command : commands_) {
    forgetSignsOfZero(command);
    world_.apply(command);
  }
  const physics::StepResult& tick = world_.step();
  gathered_ = false;
  return tick;
}

void Simulation::abandonStep() {
  physics::WorldState last = *world_.snapshot();
  last.bodies = last.result.bodies;
  last.step = last.result.step;
  last.dynamics = last.result.dynamics;
  last.thrusters = last.result.thrusters;
  last.contacts.clear();
  last.commands.clear();
  world_.restore(last);
  if (std::exchange(gathered_, false)) interaction_ = interactionBeforeGather_;
  queued_.clear();
}

void Simulation::restore(const State& state, bool includeHands) {
  world_.restore(*state.world);
  interaction_ = state.interaction;
  queued_.clear();
  gathered_ = false;
  if (!includeHands) interaction_.requireReopening(samples_);
}

void Simulation::reset(bool includeHands) {
  queue(physics::Reset{});
  interaction_ = xr::Interaction(world_.handCount());
  if (!includeHands) interaction_.requireReopening(samples_);
}

void Simulation::changeOptions(const content::Scene& scene, const physics::WorldOptions& options) {
  world_ = content::rebuildWorld(scene, options, world_);
}

}  // namespace tenon::runtime
