// The inner solver of `auto` and proximal-newton: linearized contact problems with and without friction.
//
// Problems of a step differ little from those of the last one, so most end after one factorization from the
// contacts that carried force there. These methods in order, until the natural residual is within the
// tolerance:
//   Newton's method from a guess (proximal_newton.h), in a few steps; without friction from zero too;
//   sweeps from it (gauss_seidel.h): seventy of them cost as much as one or two factorizations, and
//      their forces are bounded for any guess;
//   A  the proximal Newton method from where they end (proximal_newton.h): nearly all problems of a moving
//      pile end here;
//   B  the interior point method, with A from its points as soon as they are near the solution
//      (conic_interior_point.h).
//
// All are sparse in the bodies and work in a fixed order of operations. Known limit: problems without a
// solution, such as a clamped body without compliance, cost all attempts.
#pragma once

#include "physics/solver/conic_interior_point.h"
#include "physics/solver/gauss_seidel.h"
#include "physics/solver/least_residual.h"
#include "physics/solver/linear_solver.h"
#include "physics/solver/proximal_newton.h"

namespace tenon::physics {

/// An unsolved problem returns the point of the least natural residual that Newton's method, A
/// or B reached: it leads to a state near that of the solution, at which the caller linearizes again. Where
/// that residual is at most sufficient(), the problem is `nearly` solved; B is not tried where A reaches it.
class ConeSolver final : public LinearSolver {
 public:
  LinearReport solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) override;
  bool mayYield() const override { return true; }

 private:
  AndersonGaussSeidel sweeps_;
  ProximalNewton newton_;
  ConicPath path_;
  LeastResidual least_;
};

}  // namespace tenon::physics
