// Contact problems whose distances are exactly linear in the motion, as bodies, contacts and masses: what
// the solvers of linearised problems are tested on; and a dense referee that shares no code with them.
#pragma once

#include <random>

#include "physics/contact/contact_problem.h"
#include "tests/support/contact_problems.h"

namespace tenon::tests {

/// δ_k = gaps[k] + Δt G_kᵀ u, wherever it is linearised.
class LinearContacts : public physics::ContactProblem {
 public:
  void linearize(const std::vector<double>& u) override;

  std::vector<double> gaps;  ///< distances at the start of the step [m]
};

/// About `contacts` contacts of a family (whole boxes, opposite pairs), with masses of parts in a hand,
/// rotated at random, Δt = 1 ms; linearised at u = 0. Solvable: without motion nothing overlaps.
LinearContacts makeLinearContacts(ContactFamily family, int contacts, std::mt19937& random);

/// The same of a body that two walls press: no motion makes all distances ≥ 0.
LinearContacts makePressedContacts(int contacts, std::mt19937& random);

/// What forces do to a problem, by dense matrices.
struct DenseOutcome {
  Eigen::VectorXd u;           ///< u_free + Δt M̂⁻¹ G f [m/s, rad/s]
  Eigen::VectorXd wrench;      ///< G f, summed on every body [N, N m]
  Eigen::VectorXd separation;  ///< distances at the end of the step [m]
  double residual = 0;         ///< ‖min(D f, δ/D + ε D f)‖∞ with D_k = Δt √A_kk [√J]
};
DenseOutcome denseOutcome(const LinearContacts& problem, const std::vector<double>& f, double epsilon);

}  // namespace tenon::tests
