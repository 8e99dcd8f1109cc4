// A scene with many independent motions: for tests of repeatability, threads and snapshots.
#pragma once

#include <vector>

#include "physics/world.h"

namespace tenon::tests {

/// Seven tumbling boxes over a floor, three pairs of balls that collide, two balls that bounce, boxes that
/// hang on each other, a door on two hinges, a nut on its thread, and a box that a hand presses to the floor
/// and lifts again: up to sixteen islands, with ExactCollider. `friction`: μ of all pairs.
struct ManyIslands {
  explicit ManyIslands(const physics::WorldOptions& options, double friction = 0);

  /// One step; the hand's target depends on the number of the step alone.
  const physics::StepResult& step();
  void run(int steps) {
    for (int k = 0; k < steps; ++k) step();
  }

  physics::World world;
  physics::HandId hand;
  physics::BodyId held;
};

/// All numbers of a result, for bitwise comparison.
std::vector<double> numbersOf(const physics::StepResult& result);

}  // namespace tenon::tests
