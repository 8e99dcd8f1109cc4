// All inputs of a running world: a closed list. Hands, scripts, replay and undo use these commands and
// nothing else, so that the same scene and the same commands give the same bytes.
#pragma once

#include <string>
#include <variant>

#include "physics/math/ids.h"
#include "physics/math/pose.h"
#include "physics/step/dynamics.h"

namespace tenon::physics {

/// The hand grabs a dynamic body and keeps its present pose relative to it: the spring is unstretched if
/// `X_WH` is the pose to which the hand was moved last.
struct Grab {
  HandId hand;  ///< that closes
  BodyId body;  ///< dynamic
  Pose X_WH;    ///< pose of the hand when it closes; its origin is the grabbed point
};

/// The hand's target for the end of the next step. Its velocity is that from the last target to this one.
struct MoveHand {
  HandId hand;  ///< holding a body or not
  Pose X_WH;    ///< its target
};

/// The hand releases its part, which keeps its velocity.
struct Release {
  HandId hand;  ///< that opens
};

/// Places a body without joints at rest, with its part frame P at a pose. The caller ensures that it overlaps
/// nothing.
struct SetPose {
  BodyId body;  ///< dynamic, without joints
  Pose X_WP;    ///< new pose of its part frame
};

/// Returns to the state at time 0, with empty hands, the dynamics of that time and thrusters off.
struct Reset {};

/// Replaces gravity, damping and restitution, from this step on.
struct SetDynamics {
  Dynamics dynamics;  ///< all of them
};

/// Sets a thruster's force, from this step on.
struct SetThruster {
  ThrusterId thruster;  ///< of this world
  double level = 0;     ///< fraction of its force, 0 (off) to 1 [-]
};

using Command = std::variant<Grab, MoveHand, Release, SetPose, Reset, SetDynamics, SetThruster>;

}  // namespace tenon::physics
