// Conversion of commands and hand samples from messages, with all checks: nothing from outside reaches a
// world unchecked.
#pragma once

#include "physics/step/command.h"
#include "runtime/simulation/lockstep_simulation.h"
#include "tenon/v1/state.pb.h"
#include "xr/hands/hand_source.h"

namespace tenon::service {

/// The hand that a command moves, opens or closes; -1: none.
int handOf(const v1::Command& message);

/// The command for the next step of `simulation`, which gives what the message leaves as it is. Throws
/// content::InputError for an index that is not in the scene, a part that cannot be moved, numbers that are
/// not finite or out of range, a quaternion whose length is not 1, and a message without an input.
physics::Command commandOf(const v1::Command& message, const runtime::LockstepSimulation& simulation);

/// Throws content::InputError as commandOf().
xr::HandSample sampleOf(const v1::HandSample& message, const content::Scene& scene);

/// Throws content::InputError unless `hand` is an index of the scene's hands.
void requireHand(const content::Scene& scene, int hand);

}  // namespace tenon::service
