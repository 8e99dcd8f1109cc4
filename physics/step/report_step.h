// The parts of the StepResult that are computed from the solved islands.
#pragma once

#include "physics/step/step_workspace.h"
#include "physics/step/world_model.h"
#include "physics/step/world_state.h"

namespace tenon::physics {

/// Contacts of the accepted state with their forces; those of sleeping islands, as in the last step, come
/// last.
void reportContacts(WorldState& state, StepWorkspace& work);
/// States and forces of the joints.
void reportJoints(const WorldModel& model, WorldState& state, StepWorkspace& work);
/// The StepReport, over all islands.
void reportNumerics(WorldState& state, const StepWorkspace& work);

}  // namespace tenon::physics
