// A session's state at one moment: poses, what hands hold and with what force, and the state of the goals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "physics/world.h"

namespace tenon::runtime {

/// How a goal stood at a keyframe.
struct RecordedGoalState {
  std::string verdict;
  double depth = 0, tilt = 0;    ///< [m], [rad]
  double push = 0, maxPush = 0;  ///< in that tick, and the peak up to it [N]
};

struct Keyframe {
  std::int64_t tick = 0;
  double time = 0;  ///< of the session [s]
  bool converged = true;
  std::vector<physics::BodyState> bodies;
  std::vector<physics::HandState> hands;  ///< X_WH, body, force and torque
  std::optional<physics::Pose> head;      ///< in the world, looking along −z; nothing without a headset
  std::vector<RecordedGoalState> goals;
};

}  // namespace tenon::runtime
