// Left-looking elimination: each column receives all updates from the columns on its left, then is scaled.
#include "physics/math/block_cholesky.h"

#include <cmath>

namespace tenon::physics {
namespace {

using Block = BlockCholesky::Block;
using Vector = Eigen::Matrix<double, 6, 1>;

/// A = L Lᵀ in place, lower triangle. False where A is not positive definite.
bool factorizeBlock(Block& a) {
  for (int k = 0; k < 6; ++k) {
    // The negated comparison also rejects NaN.
    if (!(a(k, k) > 0) || !std::isfinite(a(k, k))) return false;
    const double root = std::sqrt(a(k, k));
    a(k, k) = root;
    for (int i = k + 1; i < 6; ++i) a(i, k) /= root;
    for (int j = k + 1; j < 6; ++j) {
      for (int i = j; i < 6; ++i) a(i, j) -= a(i, k) * a(j, k);
    }
  }
  return true;
}

/// L⁻¹ of a lower triangle, with zeros above.
Block inverseOf(const Block& l) {
  Block inverse = Block::Zero();
  for (int c = 0; c < 6; ++c) {
    inverse(c, c) = 1 / l(c, c);
    for (int r = c + 1; r < 6; ++r) {
      double sum = 0;
      for (int k = c; k < r; ++k) sum += l(r, k) * inverse(k, c);
      inverse(r, c) = -sum / l(r, r);
    }
  }
  return inverse;
}

}  // namespace

void BlockCholesky::reset(const BlockPattern& pattern) {
  pattern_ = &pattern;
  const auto n = static_cast<std::size_t>(pattern.bodies());
  diagonal_.assign(n, Block::Zero());
  entries_.assign(static_cast<std::size_t>(pattern.entryCount()), Block::Zero());
  entryOfPosition_.resize(n);
  x_.resize(n);
}

/// C(m, c) −= L(m, k) L(c, k)ᵀ for all rows m from c down and all columns k left of c.
void BlockCholesky::subtractLeft(int column) {
  const std::span<const int> rows = pattern_->rows();
  for (int e = pattern_->columnBegin(column); e < pattern_->columnBegin(column + 1); ++e)
    entryOfPosition_[static_cast<std::size_t>(rows[static_cast<std::size_t>(e)])] = e;
  for (const auto& [left, first] : pattern_->row(column)) {
    const Block& factor = entries_[static_cast<std::size_t>(first)];
    diagonal_[static_cast<std::size_t>(column)].noalias() -= factor.lazyProduct(factor.transpose());
    for (int e = first + 1; e < pattern_->columnBegin(left + 1); ++e) {
      const int place = entryOfPosition_[static_cast<std::size_t>(rows[static_cast<std::size_t>(e)])];
      entries_[static_cast<std::size_t>(place)].noalias() -=
          entries_[static_cast<std::size_t>(e)].lazyProduct(factor.transpose());
    }
  }
}

bool BlockCholesky::factorize() {
  for (int c = 0; c < pattern_->bodies(); ++c) {
    subtractLeft(c);
    Block& pivot = diagonal_[static_cast<std::size_t>(c)];
    if (!factorizeBlock(pivot)) return false;
    pivot = inverseOf(pivot);
    for (int e = pattern_->columnBegin(c); e < pattern_->columnBegin(c + 1); ++e) {
      Block& entry = entries_[static_cast<std::size_t>(e)];
      entry = Block(entry.lazyProduct(pivot.transpose()));
    }
  }
  return true;
}

void BlockCholesky::solve(std::span<double> x) {
  const int n = pattern_->bodies();
  const std::span<const int> rows = pattern_->rows();
  assert(x.size() == 6 * static_cast<std::size_t>(n));
  const auto bodyEntries = [&](int k) {
    return Eigen::Map<Eigen::Matrix<double, 6, 1>>(x.data() + 6 * pattern_->body(k));
  };
  for (int k = 0; k < n; ++k) x_[static_cast<std::size_t>(k)] = bodyEntries(k);
  for (int c = 0; c < n; ++c) {
    auto& own = x_[static_cast<std::size_t>(c)];
    own = Vector(diagonal_[static_cast<std::size_t>(c)].lazyProduct(own));
    for (int e = pattern_->columnBegin(c); e < pattern_->columnBegin(c + 1); ++e)
      x_[static_cast<std::size_t>(rows[static_cast<std::size_t>(e)])] -=
          entries_[static_cast<std::size_t>(e)].lazyProduct(own);
  }
  for (int c = n - 1; c >= 0; --c) {
    auto& own = x_[static_cast<std::size_t>(c)];
    for (int e = pattern_->columnBegin(c); e < pattern_->columnBegin(c + 1); ++e)
      own -= entries_[static_cast<std::size_t>(e)].transpose().lazyProduct(
          x_[static_cast<std::size_t>(rows[static_cast<std::size_t>(e)])]);
    own = Vector(diagonal_[static_cast<std::size_t>(c)].transpose().lazyProduct(own));
    bodyEntries(c) = own;
  }
}

}  // namespace tenon::physics
