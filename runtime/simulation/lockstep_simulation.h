// A scene that a program steps itself, with its goals assessed: the Simulation of the Python module, and a
// session of the service.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/assess/goal_watch.h"
#include "runtime/simulation/commanded_hands.h"
#include "runtime/simulation/simulation.h"

namespace tenon::runtime {

/// Hands follow their scripts until a command moves, opens or closes them; from then on they follow commands
/// and live samples alone, until the scene is reset. Without commands its states are those of `tenon run`,
/// bit for bit.
class LockstepSimulation {
 public:
  /// `scripted` false: no hand follows its script.
  LockstepSimulation(std::shared_ptr<const content::Scene> scene, const physics::WorldOptions& options,
                     bool scripted);

  /// Queues a command for the next step; Reset restores the start immediately. Throws std::invalid_argument
  /// for an unknown hand; World::apply() checks the rest when the step begins.
  void apply(const physics::Command& command);
  /// From the next step on the hand follows its newest sample. The target of a hand that keeps holding moves
  /// there within `moveDuration_ns` of simulated time. Throws std::invalid_argument for an unknown hand.
  void follow(physics::HandId hand, const xr::HandSample& sample, std::int64_t moveDuration_ns);
  /// The hand has no more samples: it is untracked, and keeps its target and what it holds.
  void unfollow(physics::HandId hand);
  /// Computes one step. `gathered` gets the step's commands just before they act; snapshot() is then still
  /// the state before the step. If a command is invalid, throws as World::apply() does: no step is made, and
  /// all commands queued for it are dropped.
  const physics::StepResult& step(
      const std::function<void(const std::vector<physics::Command>&)>& gathered = {});
  /// Continues with other options at the same time (to the nearest step), grasps kept. Drops queued commands.
  void changeOptions(const physics::WorldOptions& options);
  /// Guides hands into holes from the next step on.
  void setGuidance(bool on) { simulation_.setGuidance(on); }

  /// The state after the last step, as a value; queued commands are not part of it.
  struct Snapshot {
    std::shared_ptr<const content::Scene> scene;
    Simulation::State simulation;
    std::vector<GoalWatch> watches;
    CommandedFlags commanded;
  };
  Snapshot snapshot() const;
  /// Drops queued commands. The next steps have the same bytes as those after the snapshot. A hand with live
  /// samples that holds a part in it keeps holding; any other one must be opened before it grasps. Throws
  /// std::invalid_argument for a snapshot of another scene.
  void restore(const Snapshot& snapshot);
  /// Restores the start.
  void reset() { restore(start_); }

  const content::Scene& scene() const { return *scene_; }
  const std::shared_ptr<const content::Scene>& sharedScene() const { return scene_; }
  const physics::World& world() const { return simulation_.world(); }
  /// Commands and hand samples of the last step.
  const std::vector<physics::Command>& commands() const { return simulation_.commands(); }
  const std::vector<xr::HandSample>& samples() const { return simulation_.samples(); }
  std::uint64_t stateHash() const { return world().stateHash(); }
  /// After the last step, in the order of the scene's goals.
  std::vector<GoalResult> goals() const;
  /// Of the last step, with the commands queued since.
  const physics::Dynamics& dynamics() const { return dynamics_; }
  /// The last target of a hand, with the commands queued since.
  const physics::Pose& handTarget(physics::HandId hand) const;

 private:
  void takeOver(physics::HandId hand);
  /// Forgets what was queued: dynamics and targets are those of the last step.
  void refreshQueued();

  std::shared_ptr<const content::Scene> scene_;
  std::shared_ptr<CommandedFlags> commanded_;
  std::shared_ptr<LiveSamples> live_;
  std::int64_t step_ns_;  ///< simulated time of a step
  Simulation simulation_;
  std::vector<GoalWatch> watches_;
  physics::Dynamics dynamics_;
  std::vector<physics::Pose> targets_;  ///< by HandId
  Snapshot start_;
};

}  // namespace tenon::runtime
