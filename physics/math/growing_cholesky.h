// Cholesky's factor of a symmetric positive definite matrix that grows and shrinks by one row and column.
#pragma once

#include <Eigen/Core>

namespace tenon::physics {

class GrowingCholesky {
 public:
  void reserve(int n);
  void clear() { m_ = 0; }
  int order() const { return m_; }

  /// Adds a last row and column: `column` (order() entries) and `diagonal`. False, and nothing added, where
  /// the Schur complement is not above `minPivot`. O(m²).
  bool append(const Eigen::Ref<const Eigen::VectorXd>& column, double diagonal, double minPivot);

  /// Removes row and column `at`; those after it move up. O(m²), by rotations (G. H. Golub, C. F. Van Loan,
  /// Matrix Computations, 6.5.4).
  void remove(int at);

  /// Solves in place, `x` of order() entries.
  void solve(Eigen::Ref<Eigen::VectorXd> x) const;

 private:
  int m_ = 0;
  Eigen::MatrixXd upper_;  // U of M = Uᵀ U
  Eigen::VectorXd x_;
};

}  // namespace tenon::physics
