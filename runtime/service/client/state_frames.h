// Converts the states of a stream to frames for a window or a headset.
#pragma once

#include <memory>
#include <vector>

#include "physics/world.h"
#include "runtime/assess/goal_watch.h"
#include "runtime/simulation/simulation_frame.h"
#include "tenon/v1/state.pb.h"

namespace tenon::service {

class StateFrames {
 public:
  explicit StateFrames(std::shared_ptr<const content::Scene> scene);

  /// Fills in all of `frame` but its number and its times by the clock. Throws StatusError if the state does
  /// not have the parts and hands of the scene.
  void fill(const v1::State& state, runtime::SimulationFrame& frame) const;

 private:
  void requireSameScene(const v1::State& state) const;
  physics::StepResult stepOf(const v1::State& state) const;
  runtime::GoalResult goalOf(std::size_t goal, const v1::State& state, const physics::StepResult& tick) const;

  std::shared_ptr<const content::Scene> scene_;
  physics::World world_;                     ///< for the transforms between bodies and parts
  std::vector<runtime::GoalWatch> watches_;  ///< in their initial state
};

}  // namespace tenon::service
