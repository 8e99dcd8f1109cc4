// Preda and Florian's iteration, projected Gauss-Seidel.
#pragma once

#include <functional>

#include "physics/solver/lcp/scaled_solver.h"

namespace tenon::physics {

/// When to stop; whichever comes first.
struct GaussSeidelOptions {
  int sweeps = 20000;  ///< at most
  double change = 0;   ///< stop at this largest change of a force in a sweep, relative to the largest [-]
  bool untilSolved = true;      ///< stop when the tolerance is met; false: only the other rules stop it
  int maxEntries = 1000000000;  ///< limit of matrix entries read, bounds the time of large problems
  /// Called after each sweep; true stops it. For a time limit by the caller's clock; empty: none.
  std::function<bool()> outOfTime = nullptr;
};

/// One row after the other, with the others' forces fixed: q = b_i + Σ_{j≠i} A_ij f_j, f_i = max(0,
/// −q/A_ii); joint rows f_i = −q/A_ii (M. Preda, D. Florian, Simple iterative algorithm for contact force
/// computation, 2005; R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, 1992, 5.2).
/// A triple with friction: the normal row so, then its tangents by a step against w_t and projection on the
/// disc |f_t| ≤ μ f_n, whose fixed points are Coulomb's law. Starts from the f given: a warm start.
///
/// Cost: O(K²) a sweep. Converges for symmetric positive semidefinite A wherever a solution exists, linearly,
/// with a rate that nears 1 as A gets ill-conditioned: suitable for a few digits, 10²-10⁴ sweeps for ten.
/// Forces that grow without limit indicate an infeasible problem. For other A, and with friction, it may
/// diverge or cycle. A row with A_ii ≤ 0 cannot be swept.
class GaussSeidel : public ScaledSolver {
 public:
  explicit GaussSeidel(GaussSeidelOptions options = {}) : options_(std::move(options)) {}

  std::string_view name() const override { return "gauss-seidel"; }
  std::string_view unsupported(const DenseProblem&) const override { return {}; }

 protected:
  void reserveOwn(int size) override;
  Attempt attempt(const DenseProblem& scaled, double absoluteTolerance, Eigen::VectorXd& f) override;

 private:
  /// One sweep; the largest change of a force.
  double sweepRows(const DenseProblem& problem, Eigen::VectorXd& f);
  double sweepTriples(const DenseProblem& problem, Eigen::VectorXd& f);
  std::string_view failureReason(const DenseProblem& problem, const Eigen::VectorXd& f);

  GaussSeidelOptions options_;
  Eigen::MatrixXd rows_;  // Aᵀ: a row of A is contiguous
  Eigen::VectorXd w_, before_;
};

}  // namespace tenon::physics
