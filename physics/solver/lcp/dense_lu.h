// LU factorisation with partial pivoting in a buffer that is kept: factorising again at the same or a
// smaller size allocates nothing.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tenon::physics {

class DenseLu {
 public:
  using Matrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

  /// Makes room for n × n.
  void reserve(int n);

  /// An n × n matrix to fill; its entries are arbitrary on return.
  Matrix reset(int n);

  /// Factorises what reset() gave, in place, as P C = L U. False where a pivot is smaller than rounding
  /// makes it, 1e-15 of the largest entry: the matrix is singular for all that can be told. O(n³), and of a
  /// band of width w O(n² + n w²): zeros above and below the nonzero entries of a column are left alone.
  bool factorize();

  /// Solves C x = rhs in place, `x` of n entries.
  void solve(Eigen::Ref<Eigen::VectorXd> x) const;

 private:
  void findProfile();
  void swapRows(int upper, int lower);

  int n_ = 0;
  int capacity_ = 0;
  Eigen::MatrixXd entries_;
  std::vector<int> swaps_;         // row exchanged with row k in step k
  std::vector<int> first_, last_;  // of each column, rows between which all of its nonzero entries are
};

}  // namespace tenon::physics
