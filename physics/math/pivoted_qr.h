// Householder's QR factorisation with column pivoting, A Π = Q R, which tells the rank and gives bases of
// A's range and of what is orthogonal to it; in buffers that are kept, so that factorising again for the
// same or a smaller size allocates nothing (G. H. Golub, C. F. Van Loan, Matrix Computations, 5.4.2).
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace tenon::physics {

class PivotedQr {
 public:
  using Matrix = Eigen::Map<Eigen::MatrixXd>;

  /// A rows × columns matrix to fill; zero on return.
  Matrix reset(int rows, int columns);

  /// Factorises what reset() gave, in place; the largest column that is left always comes next. Columns of
  /// which no more than `least` is left, in length, depend on those before. O(rows · columns · rank).
  void factorize(double least);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int rank() const { return rank_; }
  /// The column of A that came k-th.
  int pivot(int k) const { return pivots_[k]; }
  /// R(i, k) for i ≤ k, i < rank(), in the order of pivots.
  double R(int i, int k) const { return entries_[static_cast<std::size_t>(k) * rows_ + i]; }

  /// x = Q x and x = Qᵀ x, in place; x has rows() entries.
  void applyQ(std::span<double> x) const;
  void applyQTransposed(std::span<double> x) const;

  /// Solve R₁ᵀ x = x and R₁ x = x in place, R₁ being the leading rank() × rank() triangle.
  void solveTransposed(std::span<double> x) const;
  void solveUpper(std::span<double> x) const;

 private:
  Eigen::Map<const Eigen::MatrixXd> entries() const { return {entries_.data(), rows_, columns_}; }
  void reflect(int k, std::span<double> x) const;

  int rows_ = 0, columns_ = 0, rank_ = 0;
  std::vector<double> entries_;  // R above and on the diagonal, the reflectors' tails below
  std::vector<double> tau_, remainingNorms_;
  std::vector<int> pivots_;
};

}  // namespace tenon::physics
