// Solves a complementarity problem from a guess of which contacts touch.
//
// The primal-dual active set method (Hintermüller, Ito, Kunisch 2002): a semismooth Newton method on
// min(y, z) = 0. Solve z_S = 0 on the guessed set S, set S to {y > z}, repeat until S is unchanged. With the
// compliance E of a scaled problem that is Newton's method on the convex piecewise quadratic
//     φ(ũ) = ½ |ũ|² + ½ Σ min(0, r_k)²/ε_k,   r = c + H ũ,
// whose minimum is the solution, so that a line search along its steps prevents cycling. Near a solution it
// ends after one or two factorizations, exact to rounding; from far it may take one for every few contacts
// that are added. The smoothed Newton method uses it for the final digits, and every step without friction
// uses it first: the contacts that carried load in the last step usually do in this one.
//
// Contacts without compliance get the least one that the factors need, ε (y_k − y_ref,k) with the last
// solution as y_ref, and the problem is repeated until that term vanishes (the proximal point method, see
// proximal_newton.h).
#pragma once

#include <vector>

#include "physics/solver/shifted_system.h"

namespace tenon::physics {

class ActiveSet {
 public:
  /// From the guess S = {k : y_k > z_k(y)} to the solution y (K entries, in and out). True where the
  /// natural residual is at most `tolerance` [√J]; else `y` is left as it was. `iterations` grows by
  /// the factorizations done, of which there are at most `limit` for each proximal problem; contacts have
  /// at least `leastCompliance` there [-].
  bool settle(const ScaledProblem& scaled, std::vector<double>& y, double tolerance, int limit,
              int& iterations, double leastCompliance = 1e-9);

  /// The last point of settle(), also where it failed.
  const std::vector<double>& last() const { return y_; }

 private:
  /// ε of the proximal term of a contact [-].
  double proximalShift(const ScaledProblem::Row& row) const;
  /// The contact's compliance in the factors [-].
  double compliance(const ScaledProblem::Row& row) const;
  /// The proximal problem at reference_; y_ is its solution.
  bool settleShifted(const ScaledProblem& scaled, double tolerance, int limit, int& iterations);
  /// Fills z_ with the distances at y_ and v_, proximal term included; returns the natural residual without
  /// it.
  double evaluate(const ScaledProblem& scaled);
  /// Solves z_S = 0 for the set in subset_: y_, v_ and r_.
  bool solveSubset(const ScaledProblem& scaled);
  /// Moves v_ and r_ to the minimum of φ on the segment from the last point to them; false: the whole step is
  /// taken.
  bool lineSearch(const ScaledProblem& scaled);
  double slope(const ScaledProblem& scaled, double t) const;

  ShiftedSystem system_;
  std::vector<int> subset_, lastSubset_;
  std::vector<double> reference_, shift_, x_, y_, v_, z_, r_;
  std::vector<double> fromV_, fromR_, stepV_, stepR_;
  double leastCompliance_ = 0;              ///< in the factors [-]
  double alongStep_ = 0, squaredStep_ = 0;  ///< ũ · Δũ and |Δũ|² of a line search
};

}  // namespace tenon::physics
