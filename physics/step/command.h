// Everything that may enter a running world: a closed list. Hands, scripts, replay and undo all
// speak it, so the same scene and the same commands give the same bytes.
#pragma once

#include <string>
#include <variant>

#include "physics/math/ids.h"
#include "physics/math/pose.h"

namespace tenon::physics {

/// Hand takes hold of a dynamic body. Both keep the offset they have at this moment: the spring is
/// unstretched if `X_WH` is the pose the hand was moved to last.
struct Grab {
  HandId hand;  ///< that closes
  BodyId body;  ///< dynamic
  Pose X_WH;    ///< pose of the hand when it closes; its origin is the grabbed point
};

/// Hand's target for the end of the next step. Its velocity is taken from its two last targets.
struct MoveHand {
  HandId hand;  ///< holding a body or not
  Pose X_WH;    ///< its target
};

/// Hand lets go; the part keeps its velocity.
struct Release {
  HandId hand;  ///< that opens
};

/// Puts a body without joints at rest at a pose of its part frame P. The caller answers for free room there.
struct SetPose {
  BodyId body;  ///< dynamic, without joints
  Pose X_WP;    ///< new pose of its part frame
};

/// Back to the state at time 0, hands empty.
struct Reset {};

using Command = std::variant<Grab, MoveHand, Release, SetPose, Reset>;

}  // namespace tenon::physics
