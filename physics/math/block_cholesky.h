// Sparse block Cholesky factorization A = L Lᵀ of a symmetric positive definite matrix of 6 × 6 blocks, one
// block row per body. Buffers are reused: a matrix of the same or a smaller size allocates nothing.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <span>
#include <vector>

#include "physics/math/block_pattern.h"

namespace tenon::physics {

class BlockCholesky {
 public:
  using Block = Eigen::Matrix<double, 6, 6>;

  /// Starts a zero matrix. Borrows `pattern`, which must not change before the last solve().
  void reset(const BlockPattern& pattern);

  /// Adds `block` at (body i, body j), and for i ≠ j its transpose at (j, i); only one of the two is stored.
  /// The pattern must couple i and j. O(log n) in the blocks of a column.
  template <class Derived>
  void add(int i, int j, const Eigen::MatrixBase<Derived>& block) {
    const int own = pattern_->position(i), other = pattern_->position(j);
    if (own == other)
      diagonal_[static_cast<std::size_t>(own)] += block;
    else if (Block& stored = below(std::max(own, other), std::min(own, other)); own > other)
      stored += block;
    else
      stored += block.transpose();
  }

  /// Factorizes in place, column by column from the left. False if a pivot is not positive or not finite: the
  /// matrix is not positive definite to rounding. 432 operations for each pair of blocks in a column.
  bool factorize();

  /// Solves A x = x in place; `x` has 6 entries per body, in the order of the bodies.
  void solve(std::span<double> x);

 private:
  Block& below(int row, int column) {
    const int entry = pattern_->find(row, column);
    assert(entry >= 0);
    return entries_[static_cast<std::size_t>(entry)];
  }
  void subtractLeft(int column);

  const BlockPattern* pattern_ = nullptr;
  std::vector<Block> diagonal_;       // lower triangles; after factorize() their inverses
  std::vector<Block> entries_;        // in the pattern's order
  std::vector<int> entryOfPosition_;  // position → entry of the current column
  std::vector<Eigen::Matrix<double, 6, 1>> x_;
};

}  // namespace tenon::physics
