// Newton's method on Coulomb's law, dense.
#pragma once

#include "physics/solver/lcp/dense_lu.h"
#include "physics/solver/lcp/dense_problem.h"

namespace tenon::physics {

/// The equation of contact/coulomb_law.h for all triples at once, by semismooth Newton steps
///     P Δf + Q (A + ε1) Δf = r
/// with 3 × 3 blocks P and Q by the state of each contact; where that fails, by continuation from compliant
/// contacts, ε, to rigid ones: the same method as solver/coulomb_newton.h (with its source and measurements),
/// on an explicit matrix, which need not be symmetric. O(K³) a step. From a good guess exact to rounding in a
/// few steps; otherwise it may cycle, and fails.
class DenseCoulomb {
 public:
  void reserve(int size);

  /// From the guess `f` to a natural residual ≤ `absoluteTolerance`, directly or softened and hardened again.
  /// Adds its steps to `iterations`. Where false, `f` is unchanged. `problem` has a unit diagonal.
  bool redistribute(const DenseProblem& problem, double absoluteTolerance, Eigen::VectorXd& f,
                    int& iterations);

  /// From zero forces, by continuation. Where false, `f` is the solution of the stiffest problem solved.
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
