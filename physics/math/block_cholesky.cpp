// Left-looking: a column is finished, from those left of it that reach its row, before the next is touched.
#include "physics/math/block_cholesky.h"

#include <cmath>

namespace tenon::physics {
namespace {

using Block = BlockCholesky::Block;

/// A = L Lᵀ in place, lower triangle. False where A is not positive definite.
bool factoriseBlock(Block& a) {
  for (int k = 0; k < 6; ++k) {
    // Written so that a NaN is refused, too.
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

/// X with X Lᵀ = C, in place.
void divideByTransposed(Block& c, const Block& l) {
  for (int k = 0; k < 6; ++k) {
    for (int j = 0; j < k; ++j) c.col(k) -= l(k, j) * c.col(j);
    c.col(k) /= l(k, k);
  }
}

}  // namespace

void BlockCholesky::reset(const BlockPattern& pattern) {
  pattern_ = &pattern;
  const auto n = static_cast<std::size_t>(pattern.bodies());
  diagonal_.assign(n, Block::Zero());
  entries_.assign(static_cast<std::size_t>(pattern.entryCount()), Block::Zero());
  places_.resize(n);
  x_.resize(n);
}

/// C(m, c) −= L(m, k) L(c, k)ᵀ for all rows m from c down and all columns k left of c.
void BlockCholesky::subtractLeft(int column) {
  const std::span<const int> rows = pattern_->rows();
  for (int e = pattern_->columnBegin(column); e < pattern_->columnBegin(column + 1); ++e)
    places_[static_cast<std::size_t>(rows[static_cast<std::size_t>(e)])] = e;
  for (const auto& [left, first] : pattern_->row(column)) {
    const Block& factor = entries_[static_cast<std::size_t>(first)];
    diagonal_[static_cast<std::size_t>(column)].noalias() -= factor.lazyProduct(factor.transpose());
    for (int e = first + 1; e < pattern_->columnBegin(left + 1); ++e) {
      const int place = places_[static_cast<std::size_t>(rows[static_cast<std::size_t>(e)])];
      entries_[static_cast<std::size_t>(place)].noalias() -=
          entries_[static_cast<std::size_t>(e)].lazyProduct(factor.transpose());
    }
  }
}

bool BlockCholesky::factorise() {
  for (int c = 0; c < pattern_->bodies(); ++c) {
    subtractLeft(c);
    Block& pivot = diagonal_[static_cast<std::size_t>(c)];
    if (!factoriseBlock(pivot)) return false;
    for (int e = pattern_->columnBegin(c); e < pattern_->columnBegin(c + 1); ++e)
      divideByTransposed(entries_[static_cast<std::size_t>(e)], pivot);
  }
  return true;
}

void BlockCholesky::solve(std::span<double> x) {
  const int n = pattern_->bodies();
  const std::span<const int> rows = pattern_->rows();
  assert(x.size() == 6 * static_cast<std::size_t>(n));
  const auto given = [&](int k) {
    return Eigen::Map<Eigen::Matrix<double, 6, 1>>(x.data() + 6 * pattern_->body(k));
  };
  for (int k = 0; k < n; ++k) x_[static_cast<std::size_t>(k)] = given(k);
  for (int c = 0; c < n; ++c) {
    auto& own = x_[static_cast<std::size_t>(c)];
    diagonal_[static_cast<std::size_t>(c)].triangularView<Eigen::Lower>().solveInPlace(own);
    for (int e = pattern_->columnBegin(c); e < pattern_->columnBegin(c + 1); ++e)
      x_[static_cast<std::size_t>(rows[static_cast<std::size_t>(e)])].noalias() -=
          entries_[static_cast<std::size_t>(e)] * own;
  }
  for (int c = n - 1; c >= 0; --c) {
    auto& own = x_[static_cast<std::size_t>(c)];
    for (int e = pattern_->columnBegin(c); e < pattern_->columnBegin(c + 1); ++e)
      own.noalias() -= entries_[static_cast<std::size_t>(e)].transpose() *
                       x_[static_cast<std::size_t>(rows[static_cast<std::size_t>(e)])];
    diagonal_[static_cast<std::size_t>(c)].triangularView<Eigen::Lower>().transpose().solveInPlace(own);
    given(c) = own;
  }
}

}  // namespace tenon::physics
