// See shifted_system.h.
#include "physics/solver/shifted_system.h"

#include <algorithm>

namespace tenon::physics {

namespace {

/// m += h hᵀ · weight for one row of H, lower triangle.
void addOuter(const NormalForm::Row& row, double weight, DenseCholesky::Matrix& m) {
  if (row.a >= 0) m.block<6, 6>(6 * row.a, 6 * row.a) += weight * row.ha * row.ha.transpose();
  if (row.b >= 0) m.block<6, 6>(6 * row.b, 6 * row.b) += weight * row.hb * row.hb.transpose();
  if (row.a < 0 || row.b < 0) return;
  if (row.a > row.b)
    m.block<6, 6>(6 * row.a, 6 * row.b) += weight * row.ha * row.hb.transpose();
  else
    m.block<6, 6>(6 * row.b, 6 * row.a) += weight * row.hb * row.ha.transpose();
}

/// v += h · weight.
void addAlong(const NormalForm::Row& row, double weight, std::span<double> v) {
  if (row.a >= 0) block(v, row.a) += weight * row.ha;
  if (row.b >= 0) block(v, row.b) += weight * row.hb;
}

}  // namespace

bool ShiftedSystem::factorise(const NormalForm& form, std::span<const int> subset,
                              std::span<const double> shift) {
  form_ = &form;
  subset_ = subset;
  shift_ = shift;
  const int count = static_cast<int>(subset.size());
  inVelocities_ = count > form.dimension();
  w_.resize(form.dimension());
  t_.resize(count);
  r_.resize(count);
  if (inVelocities_) {
    auto m = cholesky_.reset(form.dimension());
    for (int k = 0; k < count; ++k) addOuter(form.row(subset[k]), 1.0 / shift[k], m);
    m.diagonal().array() += 1.0;
  } else {
    auto m = cholesky_.reset(count);
    for (int l = 0; l < count; ++l)
      for (int k = l; k < count; ++k) m(k, l) = form.coupling(subset[k], subset[l]);
    for (int k = 0; k < count; ++k) m(k, k) += shift[k];
  }
  return cholesky_.factorise();
}

void ShiftedSystem::solveOnce(std::span<double> x) {
  if (!inVelocities_) {
    cholesky_.solve(x);
    return;
  }
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t k = 0; k < subset_.size(); ++k) addAlong(form_->row(subset_[k]), x[k] / shift_[k], w_);
  cholesky_.solve(w_);
  for (std::size_t k = 0; k < subset_.size(); ++k) x[k] = (x[k] - form_->along(subset_[k], w_)) / shift_[k];
}

void ShiftedSystem::solve(std::span<double> x, int refinements) {
  std::copy(x.begin(), x.end(), t_.begin());
  solveOnce(x);
  for (int pass = 0; pass < refinements; ++pass) {
    std::fill(w_.begin(), w_.end(), 0.0);
    for (std::size_t k = 0; k < subset_.size(); ++k) addAlong(form_->row(subset_[k]), x[k], w_);
    for (std::size_t k = 0; k < subset_.size(); ++k)
      r_[k] = t_[k] - form_->along(subset_[k], w_) - shift_[k] * x[k];
    solveOnce(r_);
    for (std::size_t k = 0; k < subset_.size(); ++k) x[k] += r_[k];
  }
}

}  // namespace tenon::physics
