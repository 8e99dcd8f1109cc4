// The linear system inside every Newton method on contacts. Contact by contact 3 × 3 blocks,
//     P_k Δy_k + Q_k Δz_k = r_k,   Δz = H Δũ + E Δy,   Δũ = Hᵀ Δy,
// reduced to the bodies' velocities, (1 + Hᵀ W H) Δũ = Hᵀ V r with V = (P + Q E)⁻¹ and W = V Q: 6n wide
// however many contacts there are, and not symmetric where contacts slide; without friction it is symmetric
// positive definite. The result is refined iteratively.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <span>
#include <vector>

#include "physics/math/block_lu.h"
#include "physics/math/dense_lu.h"
#include "physics/solver/scaled_problem.h"

namespace tenon::physics {

class ConeSystem {
 public:
  /// Of a contact without friction only P(0, 0), Q(0, 0) and r[0] count: its tangential forces are zero.
  struct Block {
    Matrix3d P = Matrix3d::Identity(), Q = Matrix3d::Zero();
    Vector3d r = Vector3d::Zero();
    bool idle = true;  ///< P = 1, Q = 0 in place of those here: Δy = r
  };

  /// Resizes for the contacts of `scaled`, which must outlive solve(); the caller then fills the blocks. E is
  /// the compliance of the contacts with the term for ε (ScaledProblem::shift()) [-].
  void reset(const ScaledProblem& scaled, double epsilon = 0);
  Block& block(int k) { return blocks_[k]; }

  /// Factorizes for P and Q of the blocks, which then stay until the last solve(). False where a number is
  /// not finite or a pivot vanishes.
  bool factorize();

  /// Solves for Δy (3 K entries) with the blocks' r, with at most `refinements` steps of iterative
  /// refinement. Where sparse factors leave a residual above `accuracy`, relative to max |r|, dense ones
  /// replace them if the blocks are few. False where rounding left no finite answer.
  bool solve(std::span<double> dy, int refinements, double accuracy = 1e-8);

 private:
  bool hasFriction(int k) const { return scaled_->tangents(k).mu > 0; }
  double compliance(int k) const { return scaled_->compliance(k, epsilon_); }
  Vector3d complianceRows(int k) const;
  bool invert(int k);
  /// Calls add(row, column, product) for each 6 × 6 block of Hᵀ W H; false where a number is not finite.
  template <class Add>
  bool assemble(const Add& add);
  bool factorizeAs(bool sparse);
  void velocity(std::span<const double> dy);
  double residual(std::span<const double> dy);
  bool solveRefined(std::span<double> dy, int refinements, double largest);
  void solveOnce(std::span<const double> r, std::span<double> dy);

  const ScaledProblem* scaled_ = nullptr;
  double epsilon_ = 0;
  std::vector<Block> blocks_;
  /// Contacts whose Δy is not zero: those that are not idle, or have a right side.
  std::vector<int> activeContacts_;
  std::vector<Matrix3d> V_, W_;
  std::vector<double> w_, r_, t_, x_;
  DenseLu lu_;
  bool sparse_ = false, symmetric_ = false;
  BlockPattern pattern_;
  BlockLu blocksLu_;
  Eigen::PartialPivLU<Matrix6d> oneBodyLu_;  // the fixed size is ten times as fast
  Matrix6d oneBodyCholesky_;                 // without friction
};

}  // namespace tenon::physics
