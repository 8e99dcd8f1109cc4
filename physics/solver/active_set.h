// Solves a complementarity problem from a guess of which contacts touch.
//
// The primal-dual active set method (Hintermüller, Ito, Kunisch 2002): a semismooth Newton method on
// min(y, z) = 0. Solve z_S = 0 on the guessed set S, set S to {y > z}, repeat until S stays. With the
// compliance E of a normal form that is Newton's method on the convex piecewise quadratic
//     φ(ũ) = ½ |ũ|² + ½ Σ min(0, r_k)²/ε_k,   r = c + H ũ,
// whose minimum is the solution, so that a line search along its steps keeps it from circling. Near a
// solution it ends after one or two factorisations, exact to rounding; from far it may take one for every few
// contacts that come in. The smoothed Newton method uses it to finish, and every step to start: the contacts
// that carried load in the last step mostly do in this one.
#pragma once

#include <vector>

#include "physics/solver/shifted_system.h"

namespace tenon::physics {

class ActiveSet {
 public:
  /// From the guess S = {k : y_k > z_k(y)} to the solution y (K entries, in and out). True where the
  /// natural residual is at most `tolerance` [√J]; else `y` is left as it was. `iterations` grows by
  /// the factorisations done, of which there are at most `limit`.
  bool settle(const ScaledProblem& form, std::vector<double>& y, double tolerance, int limit,
              int& iterations);

 private:
  /// Solves z_S = 0 for the set in subset_: y_, v_ and r_.
  bool solveSubset(const ScaledProblem& form);
  /// From the last point towards v_ and r_ to where φ is least on the way; false: at once there.
  bool lineSearch(const ScaledProblem& form);
  double slope(const ScaledProblem& form, double t) const;

  ShiftedSystem system_;
  std::vector<int> subset_, last_;
  std::vector<double> shift_, x_, y_, v_, z_, r_;
  std::vector<double> fromV_, fromR_, stepV_, stepR_;
  double alongStep_ = 0, squaredStep_ = 0;  ///< ũ · Δũ and |Δũ|² of a line search
};

}  // namespace tenon::physics
