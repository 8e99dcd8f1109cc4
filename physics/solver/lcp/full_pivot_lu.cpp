// See full_pivot_lu.h.
#include "physics/solver/lcp/full_pivot_lu.h"

#include <cmath>
#include <numeric>

namespace tenon::physics {

void FullPivotLu::reserve(int n) {
  if (n <= capacity_) return;
  capacity_ = n;
  entries_.resize(n, n);
  x_.resize(n);
  rows_.resize(n);
  columns_.resize(n);
}

Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>> FullPivotLu::reset(int n) {
  reserve(n);
  n_ = n;
  return {entries_.data(), n, n, Eigen::OuterStride<>(capacity_)};
}

void FullPivotLu::factorize(double minPivot) {
  auto m = entries_.topLeftCorner(n_, n_);
  std::iota(rows_.begin(), rows_.begin() + n_, 0);
  std::iota(columns_.begin(), columns_.begin() + n_, 0);
  const double smallest = n_ > 0 ? minPivot * m.cwiseAbs().maxCoeff() : 0;
  for (rank_ = 0; rank_ < n_; ++rank_) {
    const int k = rank_, left = n_ - k - 1;
    Eigen::Index i = 0, j = 0;
    // Written so that a NaN counts as singular.
    if (!(m.bottomRightCorner(left + 1, left + 1).cwiseAbs().maxCoeff(&i, &j) > smallest)) return;
    i += k;
    j += k;
    if (i != k) m.row(i).swap(m.row(k));
    if (j != k) m.col(j).swap(m.col(k));
    std::swap(rows_[i], rows_[k]);
    std::swap(columns_[j], columns_[k]);
    m.col(k).tail(left) /= m(k, k);
    for (int c = k + 1; c < n_; ++c)
      if (m(k, c) != 0) m.col(c).tail(left) -= m(k, c) * m.col(k).tail(left);
  }
}

void FullPivotLu::solve(Eigen::Ref<Eigen::VectorXd> x) {
  const auto m = entries_.topLeftCorner(n_, n_);
  for (int k = 0; k < rank_; ++k) x_[k] = x[rows_[k]];
  for (int k = 0; k < rank_; ++k)
    x_.segment(k + 1, rank_ - k - 1) -= x_[k] * m.col(k).segment(k + 1, rank_ - k - 1);
  for (int k = rank_ - 1; k >= 0; --k) {
    x_[k] /= m(k, k);
    x_.head(k) -= x_[k] * m.col(k).head(k);
  }
  x.setZero();
  for (int k = 0; k < rank_; ++k) x[columns_[k]] = x_[k];
}

}  // namespace tenon::physics
