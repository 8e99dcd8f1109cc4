// Newton's method on the Fischer-Burmeister function, dense.
#pragma once

#include <vector>

#include "physics/solver/lcp/dense_coulomb.h"
#include "physics/solver/lcp/dense_lu.h"
#include "physics/solver/lcp/scaled_solver.h"
#include "physics/solver/lcp/subset_system.h"

namespace tenon::physics {

/// Damped Newton steps on the smoothed φ_μ(f, w) = f + w − √(f² + w² + 2μ²) with μ → 0, see
/// solver/fischer_newton.h for the method and its sources (A. Fischer 1992, C. Kanzow 1996), here on a matrix
/// written out: (D_f + D_w A) p = −Φ. Joint rows stay w = 0. Once few rows are undecided, the active set
/// method ends it (M. Hintermüller, K. Ito, K. Kunisch, The primal-dual active set strategy as a semismooth
/// Newton method, SIAM J. Optim. 13, 2002). With friction: dense_coulomb.h.
///
/// Cost: O(K³) a step, usually 10-30 steps. The steps exist for every positive semidefinite A, symmetric or
/// not; for other A it may end at a point where no step descends. Where no solution exists the forces grow
/// until no step descends.
class DenseFischerNewton : public ScaledSolver {
 public:
  std::string_view name() const override { return "fischer-newton"; }
  std::string_view unsupported(const DenseProblem&) const override { return {}; }

 protected:
  void reserveOwn(int size) override;
  Attempt attempt(const DenseProblem& scaled, double absoluteTolerance, Eigen::VectorXd& f) override;

 private:
  double evaluate(const DenseProblem& problem, const Eigen::VectorXd& y, double mu, double& squared);
  bool direction(const DenseProblem& problem, const Eigen::VectorXd& y, double mu);
  bool settle(const DenseProblem& problem, double absoluteTolerance, Eigen::VectorXd& f, int& iterations);

  DenseLu lu_;
  SubsetSystem system_;
  DenseCoulomb coulomb_;
  std::vector<int> active_;
  Eigen::VectorXd z_, phi_, step_, trial_, settled_;
};

}  // namespace tenon::physics
