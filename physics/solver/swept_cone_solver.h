// The inner solver of `auto`: sweeps find the neighborhood of a solution, Newton's method the digits.
#pragma once

#include "physics/solver/anderson_gauss_seidel.h"
#include "physics/solver/cone_solver.h"

namespace tenon::physics {

/// With friction: the sweeps of AndersonGaussSeidel from the guess, the proximal Newton method from where
/// they end, and one ConicPath from there where that fails. Seventy sweeps cost as much as one or two
/// factorizations, and their forces are sane whatever the guess: nearly all problems of a moving pile end
/// here. Without friction, and where joints couple a row with more than two blocks, ConeSolver alone.
///
/// Where Newton's method leaves at most sufficient() or kPenetrationTolerance, its best point is returned as
/// `nearly` solved, without the path. Any other unsolved problem returns the forces of the sweeps. Both lead
/// to a state near that of the solution, at which the caller linearizes again.
class SweptConeSolver final : public LinearSolver {
 public:
  LinearReport solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) override;

 private:
  AndersonGaussSeidel sweeps_;
  ProximalNewton newton_;
  ConicPath path_;
  ConeSolver cone_;
  std::vector<double> swept_, best_;
};

}  // namespace tenon::physics
