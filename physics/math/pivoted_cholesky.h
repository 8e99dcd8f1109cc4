// A = H Hᵀ for a symmetric positive semidefinite A of any rank r, H: K × r.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tenon::physics {

class PivotedCholesky {
 public:
  /// Makes room for n × n.
  void reserve(int n);

  /// Cholesky's factorization with the largest diagonal entry as pivot (N. J. Higham, Analysis of the
  /// Cholesky decomposition of a semi-definite matrix, 1990), O(K r²). False where A is not positive
  /// semidefinite, to some 1e-12 of its largest entry; then the factor is invalid.
  bool factorize(const Eigen::Ref<const Eigen::MatrixXd>& A);

  int rank() const { return rank_; }
  /// Row k of H, as a column of `rank()` entries.
  auto row(int k) const { return transposed_.col(k).head(rank_); }

 private:
  bool reproduces(const Eigen::Ref<const Eigen::MatrixXd>& A);

  int rank_ = 0;
  Eigen::MatrixXd transposed_;  // Hᵀ
  Eigen::VectorXd rest_;        // diagonal of A − H Hᵀ
  std::vector<char> isPivot_;
};

}  // namespace tenon::physics
