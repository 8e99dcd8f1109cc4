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
/// Of the present substep, over all islands.
StepReport reportNumerics(const WorldState& state, const StepWorkspace& work);

/// Begins the sums over the substeps of a step, after an attempt to solve it as a whole, which was dropped.
void beginSubsteps(const StepReport& dropped, StepResult& sums);
/// Adds the result of the present substep to the sums, without contacts of sleeping islands, which stay.
void addSubstep(const StepResult& result, const StepWorkspace& work, StepResult& sums);
/// Of the last of `count` substeps makes that of the step: forces become means over the substeps, impulses
/// sums. Contacts of one feature are one contact, as it was last; those that are lost come last.
void completeSubsteps(StepResult& sums, int count, const StepWorkspace& work, StepResult& result);

}  // namespace tenon::physics
