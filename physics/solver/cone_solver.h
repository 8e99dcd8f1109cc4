// The inner solver of `auto` and proximal-newton: linearized contact problems with and without friction.
//
// Problems of a step differ little from those of the last one, so most end after one factorization from the
// contacts that carried force there. With friction these methods in order, until the natural residual is
// within the tolerance:
//   Newton's method from a guess (proximal_newton.h), in a few steps;
//   sweeps from it (gauss_seidel.h): seventy of them cost as much as one or two factorizations, and
//      their forces are bounded for any guess;
//   A  the proximal Newton method from where they end (proximal_newton.h): nearly all problems of a moving
//      pile end here;
//   B  the interior point method, with A from its points as soon as they are near the solution
//      (conic_interior_point.h).
// Without friction the problem is a convex quadratic program: the active set method from the guess
// (active_set.h), then the smoothed Newton method (fischer_newton.h).
//
// All are sparse in the bodies and work in a fixed order of operations. Known limit: problems without a
// solution, such as a clamped body without compliance, cost all attempts.
#pragma once

#include "physics/solver/active_set.h"
#include "physics/solver/fischer_newton.h"
#include "physics/solver/gauss_seidel.h"

namespace tenon::physics {

/// An unsolved problem with friction returns the point of the least natural residual that Newton's method, A
/// or B reached: it leads to a state near that of the solution, at which the caller linearizes again. Where
/// that residual is at most sufficient(), the problem is `nearly` solved; B is not tried where A reaches it.
class ConeSolver final : public LinearSolver {
 public:
  LinearReport solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) override;
  bool mayYield() const override { return true; }

 private:
  LinearReport solveFrictional(const ScaledProblem& scaled, std::vector<double>& y, double tolerance);
  LinearReport solveNormals(const ScaledProblem& scaled, std::vector<double>& y, double tolerance);

  AndersonGaussSeidel sweeps_;
  ProximalNewton newton_;
  ConicPath path_;
  ActiveSet activeSet_;
  FischerNewton fischer_;
  LeastResidual least_;
};

}  // namespace tenon::physics
