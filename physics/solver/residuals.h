// Residuals of a solution's forces on the distances of the state they lead to: 0 ≤ f ⟂ δ(σ(f)) ≥ 0 and
// Coulomb's law, on the true geometry.
#pragma once

#include <limits>

#include "physics/math/nan_max.h"
#include "physics/math/tolerances.h"
#include "physics/solver/contact_solver.h"
#include "physics/solver/solver_options.h"

namespace tenon::physics {

/// Residuals of a state; infinite before any state was reached.
struct Residuals {
  double penetration = std::numeric_limits<double>::infinity();  ///< [m]
  double gap = std::numeric_limits<double>::infinity();          ///< worst |δ| of a contact with force [m]
  /// The same of contacts with more than kSignificantForce whose own feature is still found.
  double significantGap = std::numeric_limits<double>::infinity();
  double joints = std::numeric_limits<double>::infinity();  ///< largest |φ| of a joint [m or rad]
  bool answered = false;                                    ///< the forces solve their linearized problem
  bool compliant = false;                                   ///< but as contacts that yield (LinearReport)
  bool accepted = false;                                    ///< and the state is within tolerances.h
  Accuracy accuracy = Accuracy::exact;                      ///< whose limits count

  double size() const {
    return nanMax(nanMax(penetration, accuracy == Accuracy::fast ? significantGap : gap), joints);
  }
  /// No part overlaps by more than the limit.
  bool isWithinPenetrationLimit() const {
    return penetration <= (accuracy == Accuracy::fast ? kFastPenetration : kAcceptedPenetration);
  }
  /// Forces that do not solve their problem may throw bodies apart and leave no overlap.
  bool betterThan(const Residuals& other) const {
    if (accepted != other.accepted) return accepted;
    if (answered != other.answered) return answered;
    return isWithinPenetrationLimit() != other.isWithinPenetrationLimit() ? isWithinPenetrationLimit()
                                                                          : size() < other.size();
  }
};

/// Compares the forces of `solution` with the distances `problem` has now; leaves `answered` and `accepted`
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
