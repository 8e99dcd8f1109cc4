// A scene being run: hands in, ticks out. Headless commands step it directly.
#pragma once

#include <cstdint>
#include <memory>

#include "content/scene/scene.h"
#include "physics/world.h"
#include "xr/hands/hand_source.h"
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
  const physics::Tick& step();

  const physics::World& world() const { return world_; }
  /// What the hands did in the last step, and what entered the world by it.
  const std::vector<xr::HandSample>& samples() const { return samples_; }
  const std::vector<physics::Command>& commands() const { return commands_; }

 private:
  physics::World world_;
  std::unique_ptr<xr::HandSource> hands_;
  xr::Interaction interaction_;
  std::vector<xr::HandSample> samples_;
  std::vector<physics::Command> commands_;
};

}  // namespace tenon::runtime
