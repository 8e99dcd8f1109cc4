// Householder QR factorization with column pivoting, A Π = Q R: the rank, and bases of the range of A and of
// its orthogonal complement (G. H. Golub, C. F. Van Loan, Matrix Computations, 5.4.2). Buffers are reused: a
// matrix of the same or a smaller size allocates nothing.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace tenon::physics {

class PivotedQr {
 public:
  using Matrix = Eigen::Map<Eigen::MatrixXd>;

  /// Returns a zero rows × columns matrix to fill.
  Matrix reset(int rows, int columns);

  /// Factorizes the filled matrix in place; the pivot is always the column of largest remaining norm. Columns
  /// whose remaining norm is ≤ `tolerance` count as dependent on the earlier ones. O(rows · columns · rank).
  void factorize(double tolerance);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int rank() const { return rank_; }
  /// The column of A chosen as k-th pivot.
  int pivot(int k) const { return pivots_[k]; }
  /// R(i, k) for i ≤ k, i < rank(); columns in pivot order.
  double R(int i, int k) const { return entries_[static_cast<std::size_t>(k) * rows_ + i]; }

  /// x ← Q x and x ← Qᵀ x in place; x has rows() entries.
  void applyQ(std::span<double> x) const;
  void applyQTransposed(std::span<double> x) const;

  /// Solve R₁ᵀ x = x and R₁ x = x in place; R₁ is the leading rank() × rank() triangle of R.
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
