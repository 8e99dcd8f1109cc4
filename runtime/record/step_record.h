// Data of one step for the record.
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

/// State of a goal after a step.
struct GoalState {
  Verdict verdict = Verdict::pending;
  double depth = 0;              ///< [m]
  double tilt = 0;               ///< [rad]
  double push = 0, maxPush = 0;  ///< in this step, and the peak so far [N]
};

/// Pose of the head, midway between the eyes, viewing along −z.
struct HeadSample {
  std::optional<physics::Pose> pose;  ///< in the world; empty: not tracked
};

struct StepRecord {
  /// False: no step, only marks set after the last one.
  bool isStep = true;
  physics::StepResult tick;
  std::vector<WorldChange> changes;        ///< applied before the commands
  std::vector<physics::Command> commands;  ///< applied at the start of the step
  std::vector<xr::HandSample> samples;     ///< from which the commands follow
  std::optional<HeadSample> head;          ///< if there is a new sample
  std::vector<GoalState> goals;            ///< in the order of the scene's goals
  std::vector<SessionMark> marks;          ///< set with this step
  double step_us = 0;                      ///< step time [µs]

  /// True if the state does not follow from the previous one: undo, redo, reset.
  bool isDiscontinuous() const {
    return std::any_of(changes.begin(), changes.end(),
                       [](const WorldChange& c) { return std::holds_alternative<ReturnTo>(c); }) ||
           std::any_of(commands.begin(), commands.end(),
                       [](const physics::Command& c) { return std::holds_alternative<physics::Reset>(c); });
  }

  /// Approximate memory of the record.
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
