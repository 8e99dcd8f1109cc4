// LU factorisation of a matrix of 6 × 6 blocks over bodies of which few couple: structurally symmetric, not
// so in its numbers. Buffers are kept: factorising again at the same or a smaller size allocates nothing.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cassert>
#include <span>
#include <vector>

#include "physics/math/block_pattern.h"

namespace tenon::physics {

/// A = L U by blocks, L with units on its diagonal. Rows are exchanged inside diagonal blocks only, so that
/// the pattern holds whatever the numbers: exact enough where the diagonal blocks outweigh the others, as
/// those of bodies with mass and a few contacts do. Elsewhere it may lose digits without telling: whoever
/// needs to know multiplies the solution out.
class BlockLu {
 public:
  using Block = Eigen::Matrix<double, 6, 6>;

  /// A matrix of zeros to fill. Borrows the pattern, which must stay as it is until the last solve().
  void reset(const BlockPattern& pattern);

  /// The block at rows of body i and columns of body j, which must couple or be the same, to add to.
  /// O(log) of the blocks in a column.
  Block& block(int i, int j) {
    const int own = pattern_->position(i), other = pattern_->position(j);
    if (own == other) return diagonal_[static_cast<std::size_t>(own)];
    const int entry = pattern_->find(std::max(own, other), std::min(own, other));
    assert(entry >= 0);
    return (own > other ? lower_ : upper_)[static_cast<std::size_t>(entry)];
  }

  /// Factorises in place. False where a pivot is not finite, or smaller than 1e-15 of the largest entry that
  /// its diagonal block had when it was filled: the matrix is singular for all that can be told, or needs
  /// rows of different bodies exchanged. Twice the work of BlockCholesky.
  bool factorize();

  /// Solves A x = rhs in place, `x` of 6 entries a body in the order of the bodies.
  void solve(std::span<double> x);

 private:
  using Vector = Eigen::Matrix<double, 6, 1>;
  /// The row exchanged with row k in step k.
  using Swaps = std::array<int, 6>;

  void subtractLeft(int column);
  bool factorizeDiagonal(int column, double least);

  const BlockPattern* pattern_ = nullptr;
  std::vector<Block> diagonal_;       // filled; then their own L and U
  std::vector<Swaps> swaps_;          // of those
  std::vector<Block> lower_, upper_;  // below the diagonal by columns, right of it by rows
  std::vector<int> entryOfPosition_;  // position → entry of the column at hand
  std::vector<Vector> x_;
};

}  // namespace tenon::physics
