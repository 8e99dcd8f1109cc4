// Solves (E + H_S H_Sᵀ) x = t for a subset S of contacts and a positive diagonal E: the linear system
// inside every Newton method on a scaled problem.
//
// With more contacts than degrees of freedom it is reduced by the Woodbury identity to the bodies'
// velocities, x = E⁻¹(t − H w), (1 + Hᵀ E⁻¹ H) w = Hᵀ E⁻¹ t: symmetric positive definite, 6n wide however
// many contacts there are. Many bodies are always solved in this form, sparsely, as each touches few others.
// The result is refined iteratively to rounding.
#pragma once

#include <span>
#include <vector>

#include "physics/math/block_cholesky.h"
#include "physics/math/dense_cholesky.h"
#include "physics/solver/scaled_problem.h"

namespace tenon::physics {

class ShiftedSystem {
 public:
  /// Factorizes for the contacts `subset` (indices) and `shift` (E, one per entry of `subset`, > 0).
  /// Both must outlive the calls of solve(). False where rounding made it indefinite.
  bool factorize(const ScaledProblem& scaled, std::span<const int> subset, std::span<const double> shift);

  /// Solves for `x` in place (one entry per entry of `subset`), with at most `refinements` steps of
  /// iterative refinement.
  void solve(std::span<double> x, int refinements);

 private:
  void fillVelocities();
  void couple();
  bool factorizeBlocks();
  void solveOnce(std::span<double> x);

  const ScaledProblem* scaled_ = nullptr;
  std::span<const int> subset_;
  std::span<const double> shift_;
  bool inVelocities_ = false, sparse_ = false;
  DenseCholesky cholesky_;
  BlockPattern pattern_;
  std::vector<BodyCoupling> couplings_;
  BlockCholesky blocks_;
  std::vector<double> w_, t_, r_;
};

}  // namespace tenon::physics
