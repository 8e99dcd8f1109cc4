// What is recorded of one step, on its way from the simulation to the file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "physics/world.h"
#include "runtime/assess/goal_watch.h"
#include "runtime/record/world_change.h"
#include "xr/hands/hand_source.h"

namespace tenon::runtime {

/// How a goal stands after a step.
struct GoalState {
  Verdict verdict = Verdict::pending;
  double depth = 0;              ///< [m]
  double tilt = 0;               ///< [rad]
  double push = 0, maxPush = 0;  ///< in this step, and the peak so far [N]
};

/// The head of who wears a headset, midway between the eyes, looking along −z.
struct HeadSample {
  std::optional<physics::Pose> pose;  ///< in the world; nothing: it is seen nowhere at present
};

struct StepRecord {
  /// False: no step, but marks that were set after the last one.
  bool isStep = true;
  physics::StepResult tick;
  std::vector<WorldChange> changes;        ///< of the world before its commands
  std::vector<physics::Command> commands;  ///< that entered the world at its start
  std::vector<xr::HandSample> samples;     ///< that they come from
  std::optional<HeadSample> head;          ///< if there is a new one
  std::vector<GoalState> goals;            ///< in the order of the scene's
  std::vector<SessionMark> marks;          ///< that were set with it
  double step_us = 0;                      ///< how long the step took [µs]

  /// What is now does not follow from what was before the step: an undo, a redo, a reset.
  bool isDiscontinuous() const {
    return std::any_of(changes.begin(), changes.end(),
                       [](const WorldChange& c) { return std::holds_alternative<ReturnTo>(c); }) ||
           std::any_of(commands.begin(), commands.end(),
                       [](const physics::Command& c) { return std::holds_alternative<physics::Reset>(c); });
  }

  /// About how much memory it takes.
  std::size_t bytes() const {
    std::size_t texts = 0;
    for (const SessionMark& mark : marks) texts += sizeof(SessionMark) + mark.text.size();
    return sizeof(StepRecord) + texts + changes.capacity() * sizeof(WorldChange) +
           tick.bodies.capacity() * sizeof(physics::BodyState) +
           tick.hands.capacity() * sizeof(physics::HandState) +
           tick.contacts.capacity() * sizeof(physics::ContactForce) +
           tick.joints.capacity() * sizeof(physics::JointState) +
           commands.capacity() * sizeof(physics::Command) + samples.capacity() * sizeof(xr::HandSample) +
           goals.capacity() * sizeof(GoalState);
  }
};

}  // namespace tenon::runtime
