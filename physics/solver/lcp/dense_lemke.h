// Lemke's method for any dense problem: joints and friction too.
#pragma once

#include "physics/contact/pyramid_edges.h"
#include "physics/solver/lcp/dense_coulomb.h"
#include "physics/solver/lcp/full_pivot_lu.h"
#include "physics/solver/lcp/joint_elimination.h"
#include "physics/solver/lcp/lemke.h"
#include "physics/solver/lcp/pivoted_cholesky.h"
#include "physics/solver/lcp/scaled_solver.h"

namespace tenon::physics {

/// Lemke's complementary pivoting (lemke.h has its source, cost and limits), joint rows by
/// joint_elimination.h. A ray proves a problem infeasible where A is positive semidefinite, and nothing
/// otherwise.
///
/// With friction: the eight-sided pyramid of friction_pyramid.h, ten rows a contact, from whose solution
/// Newton's method finds that of the cone (dense_coulomb.h). Cost: that of Lemke's method for ten rows a
/// contact, so the slowest method for friction, and the only one that determines the sliding contacts without
/// a guess.
class DenseLemke : public ScaledSolver {
 public:
  std::string_view name() const override { return "lemke-fixpoint"; }
  std::string_view unsupported(const DenseProblem& problem) const override;

 protected:
  void reserveOwn(int size) override;
  Attempt attempt(const DenseProblem& scaled, double absoluteTolerance, Eigen::VectorXd& f) override;

 private:
  static constexpr int kEdges = kPyramidEdges;
  static constexpr int kRowsEach = 2 + kEdges;
  static constexpr int kMaxTriples = 100;

  Attempt attemptFriction(const DenseProblem& scaled, double absoluteTolerance, Eigen::VectorXd& f);
  void buildPyramid(const DenseProblem& scaled);
  bool semidefinite(const DenseProblem& scaled);

  JointElimination joints_;
  Lemke lemke_;
  PivotedCholesky cholesky_;
  DenseCoulomb coulomb_;
  Eigen::MatrixXd pyramid_;  // with friction; later (A + Aᵀ)/2
  Eigen::VectorXd rhs_, x_;
};

}  // namespace tenon::physics
