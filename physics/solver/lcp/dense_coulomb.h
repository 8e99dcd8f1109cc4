// Newton's method on Coulomb's law, dense.
#pragma once

#include "physics/solver/lcp/dense_lu.h"
#include "physics/solver/lcp/dense_problem.h"

namespace tenon::physics {

/// The equation of solver/coulomb_law.h for all triples at once, by semismooth Newton steps
///     P Δf + Q (A + ε1) Δf = r
/// with 3 × 3 blocks P and Q for what each contact does, and where that is lost, by continuation from
/// compliant contacts, ε, to rigid ones: the same method as solver/coulomb_newton.h (its source and what was
/// measured are there), on a matrix written out, which need not be symmetric. O(K³) a step. From a good guess
/// exact to rounding in a few steps; otherwise it may circle, and says so.
class DenseCoulomb {
 public:
  void reserve(int size);

  /// From the guess `f` to a natural residual ≤ `wanted`, directly or softened and hardened again. Counts
  /// steps in `iterations`. Where false, `f` is as it was. `problem` has a unit diagonal.
  bool spread(const DenseProblem& problem, double absoluteTolerance, Eigen::VectorXd& f, int& iterations);

  /// From nothing, by continuation. Where false, `f` is the solution of the hardest problem reached.
  bool solve(const DenseProblem& problem, double absoluteTolerance, Eigen::VectorXd& f, int& iterations);

 private:
  bool newton(const DenseProblem& problem, double epsilon, double absoluteTolerance, int limit,
              int& iterations);
  double evaluate(const DenseProblem& problem, double epsilon);
  bool step(const DenseProblem& problem, double epsilon);
  bool harden(const DenseProblem& problem, double absoluteTolerance, double first, double ratio,
              int& iterations);

  double rho_ = 1;
  Eigen::VectorXd y_, z_, step_, last_;
  DenseLu lu_;
};

}  // namespace tenon::physics
