// How well the forces of a solution fit the distances of the state they lead to: 0 ≤ f ⟂ δ(σ(f)) ≥ 0 and
// Coulomb's law, on the true geometry.
#pragma once

#include <limits>

#include "physics/math/nan_max.h"
#include "physics/math/tolerances.h"
#include "physics/solver/contact_solver.h"

namespace tenon::physics {

/// How far a state is from the condition. Worse than any before something was reached.
struct Residuals {
  double penetration = std::numeric_limits<double>::infinity();  ///< [m]
  double gap = std::numeric_limits<double>::infinity();          ///< worst |δ| of a contact with force [m]
  /// The same of contacts with more than kSignificantForce, but for those that have slid off an edge, so that
  /// their pair has none on that side any more, and for those kept from earlier trials.
  double significantGap = std::numeric_limits<double>::infinity();
  /// The same of those whose feature is still found.
  double matchedGap = std::numeric_limits<double>::infinity();
  double joints = std::numeric_limits<double>::infinity();  ///< largest |φ| of a joint [m or rad]
  bool accepted = false;       ///< within tolerances.h, by forces that solve their linearised problem
  bool isLargeIsland = false;  ///< judged by kLargeIslandPenetration and kLargeIslandGap

  double size() const { return nanMax(nanMax(penetration, isLargeIsland ? matchedGap : gap), joints); }
  /// No part overlaps by more than is let be.
  bool isWithinPenetrationLimit() const {
    return penetration <= (isLargeIsland ? kLargeIslandPenetration : kAcceptedPenetration);
  }
  bool betterThan(const Residuals& other) const {
    if (accepted != other.accepted) return accepted;
    return isWithinPenetrationLimit() != other.isWithinPenetrationLimit() ? isWithinPenetrationLimit()
                                                                          : size() < other.size();
  }
};

/// Compares the forces of `solution` with the distances `problem` has now; leaves `accepted` false.
Residuals evaluate(const LinearizedContacts& problem, const ContactSolution& solution);

/// What solved contacts have become in the state reached. Both are in the order of their keys, and are walked
/// through once; asked in another order the walk begins anew.
class ContactMatcher {
 public:
  explicit ContactMatcher(const LinearizedContacts& problem) : rows_(problem.rows) {}

  /// The contact that `solved` has become: the same feature, or, where that no longer faces the other part,
  /// the pair's contact nearest to touching - a rim that has rolled on touches with another of its points.
  /// Null where the pair has none.
  const ContactRow* of(const ContactRow& solved);

 private:
  std::span<const ContactRow> rows_;
  std::size_t first_ = 0;  // of the last pair asked for
};

/// Natural residual of the forces on the distances the problem has now [N]; overlaps without force count.
/// A force whose pair no longer has any contact counts whole.
double residualInNewtons(const LinearizedContacts& problem, const ContactSolution& solution);

}  // namespace tenon::physics
