// Sparse block LU factorization of a matrix of 6 × 6 blocks, one block row per body; its pattern is
// symmetric, its values need not be. Buffers are reused: a matrix of the same or a smaller size allocates
// nothing.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cassert>
#include <span>
#include <vector>

#include "physics/math/block_pattern.h"

namespace tenon::physics {

/// A = L U by blocks, L with a unit diagonal. Pivoting stays inside the diagonal blocks, so the sparsity
/// pattern is fixed. Accurate where the diagonal blocks dominate, as for bodies with mass and a few contacts;
/// for other matrices it may lose digits silently, and the caller must check the residual.
class BlockLu {
 public:
  using Block = Eigen::Matrix<double, 6, 6>;

  /// Starts a zero matrix. Borrows `pattern`, which must not change before the last solve().
  void reset(const BlockPattern& pattern);

  /// The block at (body i, body j), to add to. i and j must couple or be equal. O(log n) in the blocks of a
  /// column.
  Block& block(int i, int j) {
    const int own = pattern_->position(i), other = pattern_->position(j);
    if (own == other) return diagonal_[static_cast<std::size_t>(own)];
    const int entry = pattern_->find(std::max(own, other), std::min(own, other));
    assert(entry >= 0);
    return (own > other ? lower_ : upper_)[static_cast<std::size_t>(entry)];
  }

  /// Factorizes in place. False if a pivot is not finite or below 1e-15 of the largest entry of its diagonal
  /// block before elimination: the matrix is numerically singular, or needs pivoting between bodies. A matrix
  /// that is `symmetric` takes half the operations; each of its blocks off the diagonal must have been added
  /// once, at (i, j) or, transposed, at (j, i). It should be positive definite, which is not tested.
  bool factorize(bool symmetric = false);

  /// Solves A x = x in place; `x` has 6 entries per body, in the order of the bodies.
  void solve(std::span<double> x);

 private:
  using Vector = Eigen::Matrix<double, 6, 1>;
  /// The row exchanged with row k in step k.
  using Swaps = std::array<int, 6>;

  void subtractLeft(int column, bool symmetric);
  bool factorizeDiagonal(int column, double tolerance);

  const BlockPattern* pattern_ = nullptr;
  std::vector<Block> diagonal_;       // after factorize() the L and U of each
  std::vector<Swaps> swaps_;          // of the diagonal blocks
  std::vector<Block> lower_, upper_;  // below the diagonal by columns, right of it by rows
  std::vector<int> entryOfPosition_;  // position → entry of the current column
  std::vector<Vector> x_;
};

}  // namespace tenon::physics
