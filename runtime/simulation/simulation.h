// Simulates a scene: hand samples in, step results out. Headless commands step it directly.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "xr/hands/hand_source.h"
#include "xr/interaction/guidance.h"
#include "xr/interaction/interaction.h"

namespace tenon::runtime {

/// Number of steps of `dt` [s] that cover `duration` [s], without a step due to rounding.
std::int64_t stepsFor(double duration, double dt);

class Simulation {
 public:
  /// `hands` returns one sample per hand of the scene.
  Simulation(const content::Scene& scene, const physics::WorldOptions& options,
             std::unique_ptr<xr::HandSource> hands);

  /// Samples the hands for the end of the next step (step k ends at k·Δt), turns them into commands
  /// and steps once. The reference is valid until the next call.
  const physics::StepResult& step();

  // --- step() in two parts, for access to the commands in between -----------------------------------
  /// Samples the hands and returns the queued commands followed by those of the hands.
  const std::vector<physics::Command>& gather();
  /// Steps once with the gathered commands.
  const physics::StepResult& advance();
  /// Call it after gather() or advance() has thrown: restores the world after the last step and drops the
  /// commands of the failed one.
  void abandonStep();
  /// A command for the next step, ahead of the hands'.
  void queue(const physics::Command& command) { queued_.push_back(command); }

  /// Snapshot of the world and of the hands' interaction. After restore(), closed hands must be opened before
  /// they grasp, unless `includeHands`: a script's hands are restored with the world. Throws
  /// std::invalid_argument for a snapshot of a world with other parts.
  struct State {
    std::shared_ptr<const physics::WorldState> world;
    xr::Interaction interaction;
  };
  /// State after the last step, whether or not the next commands have been gathered.
  State state() const { return {world_.snapshot(), gathered_ ? interactionBeforeGather_ : interaction_}; }
  void restore(const State& state, bool includeHands);
  /// Queues physics::Reset. `includeHands` as above.
  void reset(bool includeHands);

  /// Turns the alignment of hands with holes on or off from the next step.
  void setGuidance(bool on) { guidance_.setEnabled(on); }

  /// Continues the scene with other options at the same time (to the nearest step), grasps kept.
  void changeOptions(const content::Scene& scene, const physics::WorldOptions& options);

  const physics::World& world() const { return world_; }
  /// Hand samples of the last step, and its commands.
  const std::vector<xr::HandSample>& samples() const { return samples_; }
  const std::vector<physics::Command>& commands() const { return commands_; }

 private:
  physics::World world_;
  std::unique_ptr<xr::HandSource> hands_;
  xr::Interaction interaction_, interactionBeforeGather_;
  xr::Guidance guidance_;
  bool gathered_ = false;
  std::vector<xr::HandSample> samples_;
  std::vector<physics::Command> commands_, queued_;
};

}  // namespace tenon::runtime
