// LU factorization with full pivoting in a reused buffer: finds the rank of a matrix and solves with its
// regular part.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tenon::physics {

class FullPivotLu {
 public:
  /// Makes room for n × n.
  void reserve(int n);

  /// An n × n matrix to fill; its entries are arbitrary on return.
  Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>> reset(int n);

  /// Factorizes it in place, O(n² rank): stops where no pivot is above `minPivot` times the largest entry.
  void factorize(double minPivot);

  int rank() const { return rank_; }
  /// Row and column of the k-th pivot, k < n; those from rank() on are dependent on the others.
  int row(int k) const { return rows_[k]; }
  int column(int k) const { return columns_[k]; }

  /// A solution x of the independent rows, with 0 in the other columns. `x`: in, the right side;
  /// out, the solution; n entries. G. H. Golub, C. F. Van Loan, Matrix Computations, 3.4.8.
  void solve(Eigen::Ref<Eigen::VectorXd> x);

 private:
  int n_ = 0, rank_ = 0, capacity_ = 0;
  Eigen::MatrixXd entries_;
  Eigen::VectorXd x_;
  std::vector<int> rows_, columns_;
};

}  // namespace tenon::physics
