// The dual active set method in velocity space, for few bodies without friction.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "physics/solver/scaled_problem.h"

namespace tenon::physics {

/// The solution of a scaled problem without compliance is the velocity nearest to the free one that violates
/// no row, min ½|ũ|² s.t. H ũ + c ≥ 0, and y are its multipliers.
///
/// From ũ = 0 the most violated row is added to the active ones; the step keeps those at zero, and one whose
/// multiplier would turn negative is removed where it reaches zero (D. Goldfarb, A. Idnani, A numerically
/// stable dual method for solving strictly convex quadratic programs, Mathematical Programming 27, 1983). The
/// active rows are stored as Q R, so that contacts which face each other up to an angle of 1e-6 remain
/// independent, where their product H Hᵀ loses twice as many digits.
///
/// Finite, as ½|ũ|² rises with each row added. O(K r + r²) for each of usually some r steps, r = 6n. Fails
/// where the distance of rows from dependence is near rounding.
class DualActiveSet {
 public:
  /// `y` (K entries) becomes the best point found, ≥ 0. True where its natural residual, with the compliance
  /// of `scaled`, is at most `tolerance` [√J]. `iterations` grows by the steps.
  bool solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance, int& iterations);

 private:
  void start(const ScaledProblem& scaled);
  /// Row k as a vector of ũ.
  void gather(const ScaledProblem& scaled, int k);
  /// Coordinates of row k in Q (d_), its orthogonal rest (rest_), and the change of the active multipliers by
  /// one unit of its own (response_).
  void project(const ScaledProblem& scaled, int k);
  /// First active row whose multiplier reaches zero as the step grows, at `step`; −1: none.
  int firstToEnd(double& step) const;
  void append(int k, double multiplier);
  void drop(int at);
  /// Raises z_k from −violation to zero. False where no active force makes room for a dependent row, or at
  /// the limit of steps.
  bool drive(const ScaledProblem& scaled, int k, double violation);
  /// The most violated row below −allowed; −1: none. Fills z_.
  int mostViolated(const ScaledProblem& scaled, double allowed);
  void refreshVelocity(const ScaledProblem& scaled);
  void solveUpper();
  void refineMultipliers(const ScaledProblem& scaled);
  bool finish(const ScaledProblem& scaled, std::vector<double>& y, double tolerance);

  int r_ = 0, active_ = 0, steps_ = 0, limit_ = 0;
  std::vector<int> rows_;       ///< the active ones
  std::vector<char> isActive_;  ///< by row
  Eigen::MatrixXd Q_, R_;       ///< in their leading parts
  Eigen::VectorXd multipliers_, d_, rest_, response_;
  std::vector<double> v_, z_, y_, own_;
};

}  // namespace tenon::physics
