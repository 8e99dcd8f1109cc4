// Householder reflections with column pivoting.
#include "physics/math/pivoted_qr.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tenon::physics {

PivotedQr::Matrix PivotedQr::reset(int rows, int columns) {
  rows_ = rows;
  columns_ = columns;
  rank_ = 0;
  const auto size = static_cast<std::size_t>(rows) * columns;
  if (entries_.size() < size) entries_.resize(size);
  Matrix m(entries_.data(), rows, columns);
  m.setZero();
  return m;
}

void PivotedQr::factorize(double tolerance) {
  Matrix m(entries_.data(), rows_, columns_);
  const int maxRank = std::min(rows_, columns_);
  tau_.resize(maxRank);
  remainingNorms_.resize(columns_);
  pivots_.resize(columns_);
  std::iota(pivots_.begin(), pivots_.end(), 0);
  for (rank_ = 0; rank_ < maxRank; ++rank_) {
    const int k = rank_, below = rows_ - k - 1;
    for (int j = k; j < columns_; ++j) remainingNorms_[j] = m.col(j).tail(below + 1).norm();
    const auto longest = std::max_element(remainingNorms_.begin() + k, remainingNorms_.begin() + columns_);
    if (!(*longest > tolerance)) break;
    const int j = static_cast<int>(longest - remainingNorms_.begin());
    if (j != k) {
      m.col(k).swap(m.col(j));
      std::swap(pivots_[k], pivots_[j]);
    }
    // H = 1 − τ v vᵀ with v = (1, tail) maps the column to (−sign · length, 0 …).
    const double head = m(k, k), length = std::copysign(*longest, head);
    m.col(k).tail(below) /= head + length;
    tau_[k] = (head + length) / length;
    m(k, k) = -length;
    for (int i = k + 1; i < columns_; ++i) {
      const double along = tau_[k] * (m(k, i) + m.col(k).tail(below).dot(m.col(i).tail(below)));
      m(k, i) -= along;
      m.col(i).tail(below) -= along * m.col(k).tail(below);
    }
  }
}

void PivotedQr::reflect(int k, std::span<double> x) const {
  const int below = rows_ - k - 1;
  const auto tail = entries().col(k).tail(below);
  Eigen::Map<Eigen::VectorXd> rest(x.data() + k + 1, below);
  const double along = tau_[k] * (x[k] + tail.dot(rest));
  x[k] -= along;
  rest -= along * tail;
}

void PivotedQr::applyQ(std::span<double> x) const {
  for (int k = rank_; k-- > 0;) reflect(k, x);
}

void PivotedQr::applyQTransposed(std::span<double> x) const {
  for (int k = 0; k < rank_; ++k) reflect(k, x);
}

void PivotedQr::solveTransposed(std::span<double> x) const {
  for (int k = 0; k < rank_; ++k) {
    for (int i = 0; i < k; ++i) x[k] -= R(i, k) * x[i];
    x[k] /= R(k, k);
  }
}

void PivotedQr::solveUpper(std::span<double> x) const {
  for (int k = rank_; k-- > 0;) {
    x[k] /= R(k, k);
    for (int i = 0; i < k; ++i) x[i] -= R(i, k) * x[k];
  }
}

}  // namespace tenon::physics
