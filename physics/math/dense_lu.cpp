// Right-looking elimination by columns, in place.
#include "physics/math/dense_lu.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {
namespace {

// Rounding of a pivot in units of the matrix's largest entry.
constexpr double kSingularToRounding = 1e-15;

}  // namespace

void DenseLu::reserve(int n) {
  if (n <= capacity_) return;
  capacity_ = n;
  entries_.resize(n, n);
  for (auto* v : {&swaps_, &first_, &last_}) v->resize(n);
}

DenseLu::Matrix DenseLu::reset(int n) {
  reserve(n);
  n_ = n;
  return {entries_.data(), n, n, Eigen::OuterStride<>(capacity_)};
}

// Finds the first and last nonzero entry of each column.
void DenseLu::findProfile() {
  const auto m = entries_.topLeftCorner(n_, n_);
  for (int j = 0; j < n_; ++j) {
    int first = 0, last = n_ - 1;
    while (first < n_ && m(first, j) == 0) ++first;
    while (last > first && m(last, j) == 0) --last;
    first_[j] = first;
    last_[j] = last;
  }
}

void DenseLu::swapRows(int upper, int lower) {
  auto m = entries_.topLeftCorner(n_, n_);
  for (int j = 0; j < n_; ++j) {
    std::swap(m(upper, j), m(lower, j));
    if (m(upper, j) != 0) first_[j] = std::min(first_[j], upper);
    if (m(lower, j) != 0) last_[j] = std::max(last_[j], lower);
  }
}

bool DenseLu::factorize() {
  auto m = entries_.topLeftCorner(n_, n_);
  const double smallestPivot = n_ > 0 ? kSingularToRounding * m.cwiseAbs().maxCoeff() : 0;
  findProfile();
  for (int k = 0; k < n_; ++k) {
    const int height = last_[k] - k + 1;
    Eigen::Index pivot = 0;
    // Written so that a NaN counts as singular.
    if (height < 1 || !(m.col(k).segment(k, height).cwiseAbs().maxCoeff(&pivot) > smallestPivot))
      return false;
    swaps_[k] = k + static_cast<int>(pivot);
    if (swaps_[k] != k) swapRows(k, swaps_[k]);
    const int below = last_[k] - k;
    m.col(k).segment(k + 1, below) /= m(k, k);
    for (int j = k + 1; j < n_; ++j) {
      if (m(k, j) == 0) continue;
      m.col(j).segment(k + 1, below) -= m(k, j) * m.col(k).segment(k + 1, below);
      last_[j] = std::max(last_[j], last_[k]);
    }
  }
  return true;
}

void DenseLu::solve(Eigen::Ref<Eigen::VectorXd> x) const {
  const auto m = entries_.topLeftCorner(n_, n_);
  for (int k = 0; k < n_; ++k) std::swap(x[k], x[swaps_[k]]);
  for (int k = 0; k < n_; ++k) {
    const int below = last_[k] - k;
    if (x[k] != 0) x.segment(k + 1, below) -= x[k] * m.col(k).segment(k + 1, below);
  }
  for (int k = n_ - 1; k >= 0; --k) {
    x[k] /= m(k, k);
    const int first = first_[k];
    x.segment(first, k - first) -= x[k] * m.col(k).segment(first, k - first);
  }
}

}  // namespace tenon::physics
