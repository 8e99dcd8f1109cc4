// Cholesky factorisation A = L Lᵀ of a symmetric positive definite matrix of 6 × 6 blocks over bodies of
// which few couple. Buffers are kept: factorising again at the same or a smaller size allocates nothing.
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

  /// A matrix of zeros to add to. Borrows the pattern, which must stay as it is until the last solve().
  void reset(const BlockPattern& pattern);

  /// Adds `block` at rows of body i and columns of body j, and for i ≠ j its transpose at the mirrored place,
  /// which is held only once. i and j must couple. O(log) of the blocks in a column.
  template <class Derived>
  void add(int i, int j, const Eigen::MatrixBase<Derived>& block) {
    const int own = pattern_->position(i), other = pattern_->position(j);
    if (own == other)
      diagonal_[static_cast<std::size_t>(own)] += block;
    else if (Block& held = below(std::max(own, other), std::min(own, other)); own > other)
      held += block;
    else
      held += block.transpose();
  }

  /// Factorises in place, column by column from the left. False where a pivot is not positive or not finite:
  /// the matrix is not positive definite, to rounding. Costs 432 operations for each pair of blocks in a
  /// column; the fill decides.
  bool factorize();

  /// Solves for `x` (6 entries a body, in the order of the bodies) in place.
  void solve(std::span<double> x);

 private:
  Block& below(int row, int column) {
    const int entry = pattern_->find(row, column);
    assert(entry >= 0);
    return entries_[static_cast<std::size_t>(entry)];
  }
  void subtractLeft(int column);

  const BlockPattern* pattern_ = nullptr;
  std::vector<Block> diagonal_;       // lower triangles; after factorise() their inverses
  std::vector<Block> entries_;        // in the pattern's order
  std::vector<int> entryOfPosition_;  // position → entry of the column at hand
  std::vector<Eigen::Matrix<double, 6, 1>> x_;
};

}  // namespace tenon::physics
