// A session's state after one step: poses, grasps with their forces, and the state of the goals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "physics/world.h"

namespace tenon::runtime {

/// State of a goal at a keyframe.
struct RecordedGoalState {
  std::string verdict;
  double depth = 0, tilt = 0;    ///< [m], [rad]
  double push = 0, maxPush = 0;  ///< in that step, and the peak up to it [N]
};

struct Keyframe {
  std::int64_t tick = 0;
  double time = 0;  ///< of the session [s]
  bool converged = true;
  std::vector<physics::BodyState> bodies;
  std::vector<physics::HandState> hands;  ///< X_WH, body, force and torque
  std::optional<physics::Pose> head;      ///< in the world, viewing along −z; empty without a headset
  std::vector<RecordedGoalState> goals;
};

}  // namespace tenon::runtime
