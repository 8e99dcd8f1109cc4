// The dual active set method in velocity space.
#pragma once

#include <vector>

#include "physics/solver/lcp/pivoted_cholesky.h"
#include "physics/solver/lcp/scaled_solver.h"

namespace tenon::physics {

/// With A = H Hᵀ (H: K × r, r = rank A: six for one rigid body) the problem is that of the velocity that is
/// nearest to the free one and violates nothing,
///     min ½|v|²   s.t.   H v + b ≥ 0 (= 0 in joint rows),   v = Hᵀ f,
/// and f are its multipliers.
///
/// Method: from v = 0 the most violated row is added to the active ones; the step keeps those at zero, and
/// one whose multiplier would turn negative is let go on the way (D. Goldfarb, A. Idnani, A numerically
/// stable dual method for solving strictly convex quadratic programs, Mathematical Programming 27, 1983).
/// Joint rows first. The active rows are kept as Q R, so that dependent ones are told from others by an
/// orthogonal projection.
///
/// Cost: O(K r²) for H, and O(K r) for each of some r steps: for one body with many contacts far less than
/// any method in force space. Finite, as the dual objective rises with each row added. Fails where rows are
/// dependent to between 1e-7 and rounding, and says so; where no solution exists, the multipliers it ends
/// with are a proof of that.
class DualActiveSet : public ScaledSolver {
 public:
  std::string_view name() const override { return "dual-active-set"; }
  std::string_view unsupported(const DenseProblem& problem) const override;

 protected:
  void reserveOwn(int size) override;
  Attempt attempt(const DenseProblem& scaled, double absoluteTolerance, Eigen::VectorXd& f) override;

 private:
  enum class Drive { reached, impossible, limit };
  /// Raises w_p to zero.
  Drive drive(const DenseProblem& problem, int p, double violation);
  /// The row that is violated most; −1: none is.
  int mostViolated(const DenseProblem& problem, double allowed);
  /// Coordinates of h in Q (d_) and the rest (z_), the active multipliers' answer (answer_).
  void project(int p);
  /// First active one-sided row whose multiplier ends as the step grows; −1: none. Its step in `step`.
  int firstToEnd(const DenseProblem& problem, double& step) const;
  void append(int p, double multiplier);
  void drop(int at);
  void refreshVelocity(const DenseProblem& problem);
  void solveUpper();
  void refineMultipliers(const DenseProblem& problem);
  void finish(const DenseProblem& problem, double absoluteTolerance, Eigen::VectorXd& f);
  void prove(int p);

  PivotedCholesky factor_;
  int q_ = 0;                   // active rows
  std::vector<int> active_;     // their indices
  std::vector<char> isActive_;  // by row
  Eigen::VectorXd u_;           // their multipliers
  Eigen::MatrixXd Q_, R_;
  Eigen::VectorXd v_, d_, z_, answer_, w_, proof_;
  double sign_ = 1;  // of the row driven: joint rows are driven from either side
  int steps_ = 0, limit_ = 0;
};

}  // namespace tenon::physics
