// LU factorization with partial pivoting in a reused buffer: factorizing again at the same or a smaller size
// allocates nothing.
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

  /// Factorizes the matrix of reset() in place, as P C = L U. False where a pivot is smaller than its
  /// rounding, 1e-15 of the largest entry: the matrix is singular to working precision. O(n³), and for a band
  /// of width w O(n² + n w²): zeros above and below the nonzero entries of a column are skipped.
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
  std::vector<int> first_, last_;  // first and last row with a nonzero entry, by column
};

}  // namespace tenon::physics
