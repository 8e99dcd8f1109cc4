// A scene being run: hands in, ticks out. Headless commands step it directly.
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

/// As many whole steps of `dt` as cover `duration` [s]; what rounding adds is not a step.
std::int64_t stepsFor(double duration, double dt);

class Simulation {
 public:
  /// `hands` gives one sample per hand of the scene.
  Simulation(const content::Scene& scene, const physics::WorldOptions& options,
             std::unique_ptr<xr::HandSource> hands);

  /// Samples the hands for the end of the next step (step k ends at k·Δt), turns them into commands
  /// and steps once. The reference is valid until the next call.
  const physics::StepResult& step();

  // --- step() in two, for those who look at the commands in between -----------------------------------
  /// Samples the hands. What they want comes after what was queued.
  const std::vector<physics::Command>& gather();
  /// Steps once with what was gathered.
  const physics::StepResult& advance();
  /// After gather() or advance() has thrown: the world as the last step left it, without the commands of the
  /// step that failed.
  void abandonStep();
  /// A command for the next step, ahead of the hands'.
  void queue(const physics::Command& command) { queued_.push_back(command); }

  /// The world at another moment of its own, and the hands' part in it, as they were remembered together.
  /// Hands that are closed now take nothing before they have been open, unless `includeHands`: a script's
  /// hands go back with the world. Throws std::invalid_argument for a snapshot of a world with other parts.
  struct State {
    std::shared_ptr<const physics::WorldState> world;
    xr::Interaction interaction;
  };
  /// As of the last step, whether or not the next one's commands have been gathered.
  State state() const { return {world_.snapshot(), gathered_ ? interactionBeforeGather_ : interaction_}; }
  void restore(const State& state, bool includeHands);
  /// Queues physics::Reset. `includeHands` as above.
  void reset(bool includeHands);

  /// Helps hands on their way into holes, or no longer, from the next step on.
  void setGuidance(bool on) { guidance_.setEnabled(on); }

  /// The same scene with other options, at the same moment (to the nearest step), with the same in hand.
  void changeOptions(const content::Scene& scene, const physics::WorldOptions& options);

  const physics::World& world() const { return world_; }
  /// What the hands did in the last step, and what entered the world by it.
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
