// What is recorded of one step, on its way from the simulation to the file.
#pragma once

#include <cstddef>
#include <vector>

#include "physics/world.h"
#include "runtime/assess/goal_watch.h"
#include "xr/hands/hand_source.h"

namespace tenon::runtime {

/// How a goal stands after a step.
struct GoalStand {
  Verdict verdict = Verdict::pending;
  double depth = 0;              ///< [m]
  double tilt = 0;               ///< [rad]
  double push = 0, maxPush = 0;  ///< in this step, and the peak so far [N]
};

struct TickRecord {
  physics::Tick tick;
  std::vector<physics::Command> commands;  ///< that entered the world at its start
  std::vector<xr::HandSample> samples;     ///< that they come from
  std::vector<GoalStand> goals;            ///< in the order of the scene's
  double step_us = 0;                      ///< how long the step took [µs]

  /// About how much memory it takes.
  std::size_t bytes() const {
    return sizeof(TickRecord) + tick.bodies.capacity() * sizeof(physics::BodyState) +
           tick.hands.capacity() * sizeof(physics::HandState) +
           tick.contacts.capacity() * sizeof(physics::ContactForce) +
           tick.joints.capacity() * sizeof(physics::JointState) +
           commands.capacity() * sizeof(physics::Command) + samples.capacity() * sizeof(xr::HandSample) +
           goals.capacity() * sizeof(GoalStand);
  }
};

}  // namespace tenon::runtime
