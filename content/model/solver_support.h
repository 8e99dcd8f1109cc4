// Which solvers can simulate a scene.
#pragma once

#include "content/model/scene.h"
#include "physics/solver/solver_name.h"

namespace tenon::content {

/// Throws InputError if `scene` has a property that `solver` does not model: baraff has no friction.
void requireSolverSupports(physics::SolverName solver, const Scene& scene);

}  // namespace tenon::content
