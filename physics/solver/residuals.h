// Residuals of a solution's forces on the distances of the state they lead to: 0 ≤ f ⟂ δ(σ(f)) ≥ 0 and
// Coulomb's law, on the true geometry.
#pragma once

#include "physics/solver/contact_solver.h"

namespace tenon::physics {

/// Compares the forces of `solution` with the distances `problem` has now; leaves `answered` and `solved`
/// false.
Residuals evaluate(const LinearizedContacts& problem, const ContactSolution& solution);

/// Finds the contacts of the state reached that correspond to solved ones. Both are sorted by key, and rows
/// are searched onward from the last pair; a pair out of order restarts the search.
class ContactMatcher {
 public:
  explicit ContactMatcher(const LinearizedContacts& problem) : rows_(problem.rows) {}

  /// The contact that corresponds to `solved`: the same feature, or, where that no longer faces the other
  /// part, the contact of the pair nearest to touching (a rim that has rolled on touches with another of its
  /// points). Null where the pair has none.
  const ContactRow* match(const ContactRow& solved);

 private:
  std::span<const ContactRow> rows_;
  std::size_t first_ = 0;  // of the last pair matched
};

/// Natural residual of the forces on the distances the problem has now [N]; overlaps without force count.
/// The residual of a force whose pair no longer has any contact is the force itself.
double residualInNewtons(const LinearizedContacts& problem, const ContactSolution& solution);

}  // namespace tenon::physics
