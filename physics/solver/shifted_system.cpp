// See shifted_system.h.
#include "physics/solver/shifted_system.h"

#include <algorithm>

namespace tenon::physics {

namespace {

/// m += h hᵀ · weight for one row of H, lower triangle.
void addOuter(std::span<const NormalForm::Entry> row, double weight, DenseCholesky::Matrix& m) {
  for (const NormalForm::Entry& e : row) {
    const Vector6d weighted = weight * e.h;
    for (const NormalForm::Entry& f : row)
      if (e.block >= f.block) m.block<6, 6>(6 * e.block, 6 * f.block) += weighted * f.h.transpose();
  }
}

/// v += h · weight.
void addAlong(std::span<const NormalForm::Entry> row, double weight, std::span<double> v) {
  for (const NormalForm::Entry& e : row) block(v, e.block) += weight * e.h;
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
    for (int k = 0; k < count; ++k) addOuter(form.entries(subset[k]), 1.0 / shift[k], m);
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
  for (std::size_t k = 0; k < subset_.size(); ++k) addAlong(form_->entries(subset_[k]), x[k] / shift_[k], w_);
  cholesky_.solve(w_);
  for (std::size_t k = 0; k < subset_.size(); ++k) x[k] = (x[k] - form_->along(subset_[k], w_)) / shift_[k];
}

void ShiftedSystem::solve(std::span<double> x, int refinements) {
  std::copy(x.begin(), x.end(), t_.begin());
  solveOnce(x);
  for (int pass = 0; pass < refinements; ++pass) {
    std::fill(w_.begin(), w_.end(), 0.0);
    for (std::size_t k = 0; k < subset_.size(); ++k) addAlong(form_->entries(subset_[k]), x[k], w_);
    for (std::size_t k = 0; k < subset_.size(); ++k)
      r_[k] = t_[k] - form_->along(subset_[k], w_) - shift_[k] * x[k];
    solveOnce(r_);
    for (std::size_t k = 0; k < subset_.size(); ++k) x[k] += r_[k];
  }
}

}  // namespace tenon::physics
