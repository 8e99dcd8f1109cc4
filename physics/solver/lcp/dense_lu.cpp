// Right-looking elimination by columns, in place.
#include "physics/solver/lcp/dense_lu.h"

#include <cmath>

namespace tenon::physics {
namespace {

// Rounding of a pivot in units of the matrix's largest entry.
constexpr double kSingular = 1e-15;

}  // namespace

void DenseLu::reserve(int n) {
  if (n <= capacity_) return;
  capacity_ = n;
  entries_.resize(n, n);
  swaps_.resize(n);
}

DenseLu::Matrix DenseLu::reset(int n) {
  reserve(n);
  n_ = n;
  return {entries_.data(), n, n, Eigen::OuterStride<>(capacity_)};
}

bool DenseLu::factorise() {
  auto m = entries_.topLeftCorner(n_, n_);
  const double least = n_ > 0 ? kSingular * m.cwiseAbs().maxCoeff() : 0;
  for (int k = 0; k < n_; ++k) {
    const int below = n_ - k - 1;
    Eigen::Index pivot = 0;
    // Written so that a NaN counts as singular.
    if (!(m.col(k).tail(below + 1).cwiseAbs().maxCoeff(&pivot) > least)) return false;
    swaps_[k] = k + static_cast<int>(pivot);
    if (swaps_[k] != k) m.row(k).swap(m.row(swaps_[k]));
    m.col(k).tail(below) /= m(k, k);
    for (int j = k + 1; j < n_; ++j) {
      if (m(k, j) != 0) m.col(j).tail(below) -= m(k, j) * m.col(k).tail(below);
    }
  }
  return true;
}

void DenseLu::solve(Eigen::Ref<Eigen::VectorXd> x) const {
  const auto m = entries_.topLeftCorner(n_, n_);
  for (int k = 0; k < n_; ++k) std::swap(x[k], x[swaps_[k]]);
  for (int k = 0; k < n_; ++k) {
    if (x[k] != 0) x.tail(n_ - k - 1) -= x[k] * m.col(k).tail(n_ - k - 1);
  }
  for (int k = n_ - 1; k >= 0; --k) {
    x[k] /= m(k, k);
    x.head(k) -= x[k] * m.col(k).head(k);
  }
}

}  // namespace tenon::physics
