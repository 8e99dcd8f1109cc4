// An inner solver: one linearised problem in normal form, y ≥ 0 ⟂ z(y) ≥ 0.
#pragma once

#include <vector>

#include "physics/solver/scaled_problem.h"
#include "physics/solver/solver_statistics.h"

namespace tenon::physics {

struct LinearReport {
  bool solved = false;   ///< verified: natural residual ≤ tolerance
  int iterations = 0;    ///< factorisations, pivots or sweeps
  bool stopped = false;  ///< short of the tolerance, by a rule that somebody asked for
  SolverStatistics statistics{};
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  /// Solves to a natural residual ≤ tolerance [√J]. `y` (form.size() entries) is a starting guess and becomes
  /// the solution, normal forces ≥ 0; where it fails, it is finite and they are ≥ 0 all the same.
  virtual LinearReport solve(const ScaledProblem& form, std::vector<double>& y, double tolerance) = 0;

  /// How exact distances need be for this method [m]; 0: as exact as rounding lets them.
  virtual double accuracy() const { return 0; }
};

}  // namespace tenon::physics
