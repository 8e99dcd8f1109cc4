// Shared by the search for islands and the check of their solution.
#pragma once

#include "physics/step/step_workspace.h"
#include "physics/step/world_model.h"

namespace tenon::physics {

/// Upper bound on the displacement of any point of body i in the substep at velocity u [m].
double displacementBound(const WorldModel& model, const Substep& substep, std::size_t i, const Vector6d& u);

/// True if at least one body of the pair moves by forces, and neither a joint nor a coupled driver excludes
/// contacts between them.
bool canTouch(const WorldModel& model, const StepWorkspace& work, const BodyPair& pair);

}  // namespace tenon::physics
