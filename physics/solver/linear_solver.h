// An inner solver: one linearized problem in scaled form, y ≥ 0 ⟂ z(y) ≥ 0.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "physics/solver/scaled_problem.h"
#include "physics/solver/solver_name.h"
#include "physics/solver/solver_options.h"
#include "physics/solver/solver_statistics.h"

namespace tenon::physics {

struct LinearReport {
  bool solved = false;  ///< verified: natural residual ≤ tolerance
  /// Where not solved: the natural residual is at most LinearSolver::sufficient(), as a distance. Such forces
  /// lead to a state near that of the solution, from which the next trial goes on; no step is accepted with
  /// them.
  bool nearly = false;
  int iterations = 0;    ///< factorizations, pivots or sweeps
  bool stopped = false;  ///< before the tolerance, by an option of the solver
  /// The forces are those of contacts that yield: the rigid ones have no solution, or none was found, as for
  /// a part that is clamped between others.
  bool compliant = false;
  SolverStatistics statistics{};
};

/// True where the starting forces `y` are a guess, as of the last step or trial: not all are zero. The one
/// decision about a warm start: solvers pass it on.
inline bool isGuess(const std::vector<double>& y) {
  return std::any_of(y.begin(), y.end(), [](double entry) { return entry != 0; });
}

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  /// Solves to a natural residual ≤ tolerance [√J]. `y` (scaled.size() entries) is a starting guess and
  /// becomes the solution, normal forces ≥ 0; on failure it is finite and they are ≥ 0 too.
  virtual LinearReport solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) = 0;

  /// Natural residual at which a problem may be left as `nearly` solved, as a distance [m]; 0: none, as after
  /// construction. Only ConeSolver uses it.
  void setSufficient(double residual) { sufficient_ = residual; }
  double sufficient() const { return sufficient_; }

  /// False: the problem is given up where a search from the guess fails, as a shorter step follows
  /// (ContactProblem::isDivisible). Only ConeSolver uses it.
  void setThorough(bool thorough) { thorough_ = thorough; }
  bool thorough() const { return thorough_; }

  /// True where contacts that have no rigid solution, or none that was found, may yield
  /// (LinearizedProblemSolver::solve); other methods report failure.
  virtual bool mayYield() const { return false; }

  /// Accuracy of distances to which this method converges [m]; 0: to rounding.
  virtual double accuracy() const { return 0; }

 private:
  double sufficient_ = 0;
  bool thorough_ = true;
};

/// An inner solver by name; ConeSolver where the name has none of its own.
std::unique_ptr<LinearSolver> makeLinearSolver(SolverName name, const SolverOptions& options = {});

}  // namespace tenon::physics
