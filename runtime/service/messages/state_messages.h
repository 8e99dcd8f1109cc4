// Conversion of states and scenes to messages.
#pragma once

#include "content/model/scene.h"
#include "runtime/assess/session_event.h"
#include "runtime/simulation/lockstep_simulation.h"
#include "tenon/v1/scenes.pb.h"
#include "tenon/v1/state.pb.h"

namespace tenon::service {

/// Position and orientation; a message without one has the origin and the world's axes. The quaternion is
/// normalized: the caller has checked that its length is 1.
physics::Pose poseOf(const v1::Pose& message);
v1::Pose messageOf(const physics::Pose& X);

/// The state after the last step, without pace and events.
v1::State stateMessage(const runtime::LockstepSimulation& simulation);

v1::Event messageOf(const runtime::SessionEvent& event);

/// Names, parameters and suggestions of a scene, without id, name and size.
v1::Scene describe(const content::Scene& scene);

}  // namespace tenon::service
