// Scaling before and verification after each dense method.
#pragma once

#include "physics/solver/lcp/dense_solver.h"

namespace tenon::physics {

/// Scales to a unit diagonal, calls the method, and computes the natural residual on the A and b given: that
/// alone decides `solved`. O(K²) beside the method's own cost.
class ScaledSolver : public DenseSolver {
 public:
  void reserve(int size) final;
  DenseReport solve(const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f) final;

 protected:
  struct Attempt {
    int iterations = 0;
    std::string_view reason;  ///< of failure; empty: the method converged
  };

  /// Room for `size` rows.
  virtual void reserveOwn(int size) = 0;
  /// Solves `scaled`, all of whose numbers are finite, to `absoluteTolerance`. Diagonal entries are 1, −1 or
  /// 0; with friction those of normal rows, whose scale the two tangent rows share. `f` as in solve().
  virtual Attempt attempt(const DenseProblem& scaled, double absoluteTolerance, Eigen::VectorXd& f) = 0;

 private:
  void scale(const DenseProblem& problem);
  double scaledTolerance(const DenseProblem& problem) const;
  double verify(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& f);
  void unscale(const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f) const;

  int size_ = -1;
  DenseProblem scaled_;
  Eigen::VectorXd d_;  // f = D f_scaled, w_scaled = D w
  Eigen::VectorXd f_, w_;
};

}  // namespace tenon::physics
