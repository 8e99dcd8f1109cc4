// The dual active set method in velocity space.
#pragma once

#include <vector>

#include "physics/solver/lcp/pivoted_cholesky.h"
#include "physics/solver/lcp/scaled_solver.h"

namespace tenon::tests {

/// With A = H Hᵀ (H: K × r, r = rank A: six for one rigid body) the solution is the velocity nearest to the
/// free one that violates no row,
///     min ½|v|²   s.t.   H v + b ≥ 0 (= 0 in joint rows),   v = Hᵀ f,
/// and f are its multipliers.
///
/// Method: from v = 0 the most violated row is added to the active ones; the step keeps those at zero, and
/// one whose multiplier would turn negative is removed on the way (D. Goldfarb, A. Idnani, A numerically
/// stable dual method for solving strictly convex quadratic programs, Mathematical Programming 27, 1983).
/// Joint rows first. The active rows are stored as Q R, so that an orthogonal projection identifies dependent
/// ones.
///
/// Cost: O(K r²) for H, and O(K r) for each of some r steps: for one body with many contacts far less than
/// any method in force space. Finite, as the dual objective rises with each row added. Fails where the
/// distance of rows from dependence is between 1e-7 and rounding; where no solution exists, the final
/// multipliers prove it.
class DualActiveSet : public physics::ScaledSolver {
 public:
  std::string_view name() const override { return "dual-active-set"; }
  std::string_view unsupported(const physics::DenseProblem& problem) const override;

 protected:
  void reserveOwn(int size) override;
  Attempt attempt(const physics::DenseProblem& scaled, double absoluteTolerance, Eigen::VectorXd& f) override;

 private:
  enum class Drive { reached, impossible, limit };
  /// Raises w_p to zero.
  Drive drive(const physics::DenseProblem& problem, int p, double violation);
  /// The most violated row; −1: none.
  int mostViolated(const physics::DenseProblem& problem, double allowed);
  /// Coordinates of h in Q (d_), the orthogonal rest (z_), and the response of the active multipliers
  /// (response_).
  void project(int p);
  /// First active one-sided row whose multiplier reaches zero as the step grows, at `step`; −1: none.
  int firstToEnd(const physics::DenseProblem& problem, double& step) const;
  void append(int p, double multiplier);
  void drop(int at);
  void refreshVelocity(const physics::DenseProblem& problem);
  void solveUpper();
  void refineMultipliers(const physics::DenseProblem& problem);
  void finish(const physics::DenseProblem& problem, double absoluteTolerance, Eigen::VectorXd& f);
  void prove(int p);

  physics::PivotedCholesky factor_;
  int q_ = 0;                   // active rows
  std::vector<int> active_;     // their indices
  std::vector<char> isActive_;  // by row
  Eigen::VectorXd u_;           // their multipliers
  Eigen::MatrixXd Q_, R_;
  Eigen::VectorXd v_, d_, z_, response_, w_, proof_;
  double sign_ = 1;  // of the row driven: joint rows are driven from either side
  int steps_ = 0, limit_ = 0;
};

}  // namespace tenon::tests
