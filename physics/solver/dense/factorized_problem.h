// A dense problem with a symmetric positive semidefinite matrix in the form that all inner solvers work on.
#pragma once

#include <vector>

#include "physics/math/pivoted_cholesky.h"
#include "physics/math/pivoted_qr.h"
#include "physics/solver/lcp/dense_problem.h"
#include "physics/solver/scaled_problem.h"

namespace tenon::physics {

/// A = H Hᵀ by Cholesky's method, H: K × r, r = rank A, so that with ũ = Hᵀ f, w = b + H ũ: r velocities take
/// the place of K forces. Joint rows J ũ = −b_J restrict ũ to the orthogonal complement of their span, from
/// the least velocity that closes them:
///     ũ = −J⁺ b_J + N ũ',   N a basis of the complement,   w_C = b_C − C J⁺ b_J + C N ũ'.
/// Joint forces are those that give the rest of ũ; of redundant joints the dependent ones get none.
///
/// Cost: O(K r²).
class FactorizedProblem {
 public:
  /// False where A is not symmetric or not positive semidefinite. The diagonal of A is 1 or 0.
  bool build(const DenseProblem& problem);

  /// The contacts, without joints. Rows that nothing moves have no contact: their forces are zero.
  const ScaledProblem& scaled() const { return scaled_; }

  /// Tolerance of scaled() [√J] that meets this residual of the problem.
  double scaledTolerance(double absoluteTolerance) const;
  /// y of scaled() from f, and back; joint forces follow from the others.
  void toScaled(const Eigen::VectorXd& f, std::vector<double>& y) const;
  void toForces(const DenseProblem& problem, const std::vector<double>& y, Eigen::VectorXd& f) const;

  /// From f near the solution to one on A itself, for forces so large that rounding in H leaves a residual:
  /// the equations w = 0 of the rows with force, refined by sums in extended precision; one row that pulls or
  /// is violated changes sides in each round. f becomes the best point found; true where its natural residual
  /// is at most `absoluteTolerance`. `iterations` grows by the rounds. Without friction.
  bool refine(const DenseProblem& problem, double absoluteTolerance, Eigen::VectorXd& f, int& iterations);

 private:
  void solveLoaded(const DenseProblem& problem);
  int wrongRow(const DenseProblem& problem, double absoluteTolerance) const;
  /// Applies the joints to the columns of Hᵀ and to b; returns the number of coordinates they take.
  int closeJoints(const DenseProblem& problem);

  PivotedCholesky factor_;
  PivotedQr joints_;                       ///< of Jᵀ
  std::vector<int> jointRows_, contacts_;  ///< indices of rows; with friction those of normal rows
  Eigen::MatrixXd rows_;  ///< Hᵀ of the contacts, in coordinates that begin with the joints'
  Eigen::VectorXd b_;
  std::vector<double> mu_, closing_;  ///< closing_: −J⁺ b_J in those coordinates
  ScaledProblem scaled_;
  int stride_ = 1;
  PivotedQr loaded_;
  std::vector<int> loadedRows_;
  std::vector<char> isLoaded_;
  Eigen::VectorXd f_, w_;
};

}  // namespace tenon::physics
