// Elimination of joint rows, for methods that support one-sided rows only.
#pragma once

#include <vector>

#include "physics/solver/lcp/dense_problem.h"
#include "physics/solver/lcp/full_pivot_lu.h"

namespace tenon::physics {

/// Where the joint block A_JJ is regular, f_J = −A_JJ⁻¹ (A_JC f_C + b_J), and the reduced problem is that of
/// the Schur complement A_CC − A_CJ A_JJ⁻¹ A_JC (R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear
/// Complementarity Problem, 1992, 1.5.4: the mixed problem). It inherits symmetry and semidefiniteness.
/// Joints that others imply make A_JJ singular; the dependent ones are left out where A is symmetric and
/// their whole rows follow from the others', as always where A is positive semidefinite. Otherwise the joint
/// rows are doubled instead, f = f⁺ − f⁻ with rows w ≥ 0 and −w ≥ 0, which keeps semidefiniteness, at the
/// price of a singular matrix. Cost: O(J³ + K² J).
class JointElimination {
 public:
  /// Makes room for K = `size`.
  void reserve(int size);

  /// Without joints, A and b are those of `problem`.
  void reduce(const DenseProblem& problem);

  /// Rows of the reduced problem: of A() and b().
  int size() const { return size_; }
  auto A() const { return A_.topLeftCorner(size_, size_); }
  auto b() const { return b_.head(size_); }

  /// f of the whole problem from that of the reduced problem, `reduced`.
  void expand(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& reduced,
              Eigen::VectorXd& f);

 private:
  bool dependentRowsFollow(const DenseProblem& problem);
  void eliminate(const DenseProblem& problem);
  void split(const DenseProblem& problem);

  int size_ = 0;
  bool isSplit_ = false;
  std::vector<int> joints_, contacts_;
  Eigen::MatrixXd A_;
  Eigen::VectorXd b_, x_;
  FullPivotLu lu_;
};

}  // namespace tenon::physics
