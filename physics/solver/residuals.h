// Residuals of a solution's forces on the distances of the state they lead to: 0 ≤ f ⟂ δ(σ(f)) ≥ 0 and
// Coulomb's law, on the true geometry.
#pragma once

#include "physics/contact/contact_matcher.h"
#include "physics/solver/contact_solver.h"

namespace tenon::physics {

/// Compares the forces of `solution` with the distances `problem` has now; leaves `answered` and `solved`
/// false.
Residuals evaluate(const LinearizedContacts& problem, const ContactSolution& solution);

/// Natural residual of the forces on the distances the problem has now [N]; overlaps without force count.
/// The residual of a force whose pair no longer has any contact is the force itself.
double residualInNewtons(const LinearizedContacts& problem, const ContactSolution& solution);

}  // namespace tenon::physics
