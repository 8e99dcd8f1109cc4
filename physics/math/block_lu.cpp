// Left-looking elimination: column c of L and row c of U receive all earlier updates, then are scaled.
#include "physics/math/block_lu.h"

#include <cmath>
#include <utility>

namespace tenon::physics {
namespace {

using LuBlock = BlockLu::Block;

// Rounding error of a pivot, relative to the largest entry of its diagonal block [-].
constexpr double kSingular = 1e-15;

/// Solves X (L U) = C in place; the row exchanges of `lu` are applied by the caller.
void divideByFactors(LuBlock& c, const LuBlock& lu) {
  for (int k = 0; k < 6; ++k) {
    for (int j = 0; j < k; ++j) c.col(k) -= lu(j, k) * c.col(j);
    c.col(k) /= lu(k, k);
  }
  for (int k = 5; k >= 0; --k) {
    for (int j = k + 1; j < 6; ++j) c.col(k) -= lu(j, k) * c.col(j);
  }
}

}  // namespace

void BlockLu::reset(const BlockPattern& pattern) {
  pattern_ = &pattern;
  const auto n = static_cast<std::size_t>(pattern.bodies());
  const auto entries = static_cast<std::size_t>(pattern.entryCount());
  diagonal_.assign(n, LuBlock::Zero());
  lower_.assign(entries, LuBlock::Zero());
  upper_.assign(entries, LuBlock::Zero());
  swaps_.resize(n);
  entryOfPosition_.resize(n);
  x_.resize(n);
}

/// C(m, c) −= L(m, k) U(k, c) and C(c, m) −= L(c, k) U(k, m), for all m from c on and all k before c. Of a
/// symmetric matrix the second is the transpose of the first.
void BlockLu::subtractLeft(int column, bool symmetric) {
  const std::span<const int> rows = pattern_->rows();
  for (int e = pattern_->columnBegin(column); e < pattern_->columnBegin(column + 1); ++e)
    entryOfPosition_[static_cast<std::size_t>(rows[static_cast<std::size_t>(e)])] = e;
  for (const auto& [left, first] : pattern_->row(column)) {
    const LuBlock& l = lower_[static_cast<std::size_t>(first)];
    const LuBlock& u = upper_[static_cast<std::size_t>(first)];
    diagonal_[static_cast<std::size_t>(column)].noalias() -= l.lazyProduct(u);
    for (int e = first + 1; e < pattern_->columnBegin(left + 1); ++e) {
      const auto from = static_cast<std::size_t>(e);
      const auto to = static_cast<std::size_t>(entryOfPosition_[static_cast<std::size_t>(rows[from])]);
      lower_[to].noalias() -= lower_[from].lazyProduct(u);
      if (!symmetric) upper_[to].noalias() -= l.lazyProduct(upper_[from]);
    }
  }
}

/// P D = L U by partial pivoting inside the block.
bool BlockLu::factorizeDiagonal(int column, double tolerance) {
  LuBlock& d = diagonal_[static_cast<std::size_t>(column)];
  Swaps& swaps = swaps_[static_cast<std::size_t>(column)];
  for (int k = 0; k < 6; ++k) {
    int pivot = k;
    for (int i = k + 1; i < 6; ++i) {
      if (std::abs(d(i, k)) > std::abs(d(pivot, k)) || std::isnan(d(i, k))) pivot = i;
    }
    if (!(std::abs(d(pivot, k)) > tolerance) || !std::isfinite(d(pivot, k))) return false;
    swaps[static_cast<std::size_t>(k)] = pivot;
    if (pivot != k) d.row(k).swap(d.row(pivot));
    for (int i = k + 1; i < 6; ++i) d(i, k) /= d(k, k);
    for (int j = k + 1; j < 6; ++j) {
      for (int i = k + 1; i < 6; ++i) d(i, j) -= d(i, k) * d(k, j);
    }
  }
  return true;
}

bool BlockLu::factorize(bool symmetric) {
  for (int c = 0; c < pattern_->bodies(); ++c) {
    const auto own = static_cast<std::size_t>(c);
    const double tolerance = kSingular * diagonal_[own].cwiseAbs().maxCoeff();
    const int begin = pattern_->columnBegin(c), end = pattern_->columnBegin(c + 1);
    for (int e = begin; symmetric && e < end; ++e)
      lower_[static_cast<std::size_t>(e)] += upper_[static_cast<std::size_t>(e)].transpose();
    subtractLeft(c, symmetric);
    if (!factorizeDiagonal(c, tolerance)) return false;
    for (int e = begin; e < end; ++e) {
      // C D⁻¹ = (C U⁻¹ L⁻¹) P: apply the row exchanges last, in reverse, to the columns.
      LuBlock& below = lower_[static_cast<std::size_t>(e)];
      if (symmetric) upper_[static_cast<std::size_t>(e)] = below.transpose();
      divideByFactors(below, diagonal_[own]);
      for (int k = 5; k >= 0; --k) {
        const int other = swaps_[own][static_cast<std::size_t>(k)];
        if (other != k) below.col(k).swap(below.col(other));
      }
    }
  }
  return true;
}

void BlockLu::solve(std::span<double> x) {
  const int n = pattern_->bodies();
  const std::span<const int> rows = pattern_->rows();
  assert(x.size() == 6 * static_cast<std::size_t>(n));
  const auto bodyEntries = [&](int k) { return Eigen::Map<Vector>(x.data() + 6 * pattern_->body(k)); };
  for (int k = 0; k < n; ++k) x_[static_cast<std::size_t>(k)] = bodyEntries(k);
  for (int c = 0; c < n; ++c) {
    const Vector& own = x_[static_cast<std::size_t>(c)];
    for (int e = pattern_->columnBegin(c); e < pattern_->columnBegin(c + 1); ++e)
      x_[static_cast<std::size_t>(rows[static_cast<std::size_t>(e)])].noalias() -=
          lower_[static_cast<std::size_t>(e)] * own;
  }
  for (int c = n - 1; c >= 0; --c) {
    const auto at = static_cast<std::size_t>(c);
    Vector& own = x_[at];
    for (int e = pattern_->columnBegin(c); e < pattern_->columnBegin(c + 1); ++e)
      own.noalias() -= upper_[static_cast<std::size_t>(e)] *
                       x_[static_cast<std::size_t>(rows[static_cast<std::size_t>(e)])];
    for (std::size_t k = 0; k < 6; ++k) std::swap(own[static_cast<int>(k)], own[swaps_[at][k]]);
    diagonal_[at].triangularView<Eigen::UnitLower>().solveInPlace(own);
    diagonal_[at].triangularView<Eigen::Upper>().solveInPlace(own);
    bodyEntries(c) = own;
  }
}

}  // namespace tenon::physics
