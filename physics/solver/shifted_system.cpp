// See shifted_system.h.
#include "physics/solver/shifted_system.h"

#include <algorithm>
#include <cmath>

#include "physics/math/nan_max.h"

namespace tenon::physics {

namespace {

/// Residual at which refinement ends, relative to the right side [-].
constexpr double kRefinedResidual = 1e-14;

/// v += h · weight.
void addScaledRow(std::span<const ScaledProblem::Entry> row, double weight, std::span<double> v) {
  for (const ScaledProblem::Entry& e : row) block(v, e.block) += weight * e.h;
}

}  // namespace

// 1 + Hᵀ E⁻¹ H, lower triangle.
void ShiftedSystem::fillVelocities() {
  auto m = cholesky_.reset(scaled_->dimension());
  for (std::size_t k = 0; k < subset_.size(); ++k) {
    for (const ScaledProblem::Entry& e : scaled_->entries(subset_[k])) {
      const Vector6d weighted = e.h / shift_[k];
      for (const ScaledProblem::Entry& f : scaled_->entries(subset_[k]))
        if (e.block >= f.block) m.block<6, 6>(6 * e.block, 6 * f.block) += weighted * f.h.transpose();
    }
  }
  m.diagonal().array() += 1.0;
}

// Uses the pattern of this subset alone, so that results do not depend on earlier solves.
void ShiftedSystem::couple() {
  couplings_.clear();
  for (const int k : subset_)
    for (const ScaledProblem::Entry& e : scaled_->entries(k))
      for (const ScaledProblem::Entry& f : scaled_->entries(k))
        if (const BodyCoupling c{e.block, f.block};
            e.block < f.block && (couplings_.empty() || couplings_.back() != c))
          couplings_.push_back(c);
  if (!std::is_sorted(couplings_.begin(), couplings_.end())) {
    std::sort(couplings_.begin(), couplings_.end());
    couplings_.erase(std::unique(couplings_.begin(), couplings_.end()), couplings_.end());
  }
  pattern_.analyze(scaled_->blocks(), couplings_);
}

// 1 + Hᵀ E⁻¹ H by blocks. Contacts of the same pair are adjacent: their off-diagonal block is summed before
// it is added.
bool ShiftedSystem::factorizeBlocks() {
  couple();
  blocks_.reset(pattern_);
  for (int i = 0; i < scaled_->blocks(); ++i) blocks_.add(i, i, Matrix6d::Identity());
  int row = -1, column = -1;
  Matrix6d sum;
  const auto next = [&](int i, int j) {
    if (row >= 0) blocks_.add(row, column, sum);
    sum.setZero();
    row = i;
    column = j;
  };
  for (std::size_t k = 0; k < subset_.size(); ++k) {
    const std::span<const ScaledProblem::Entry> entries = scaled_->entries(subset_[k]);
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const Vector6d weighted = entries[e].h / shift_[k];
      blocks_.add(entries[e].block, entries[e].block, weighted * entries[e].h.transpose());
      for (std::size_t f = 0; f < e; ++f) {
        if (entries[e].block != row || entries[f].block != column) next(entries[e].block, entries[f].block);
        sum += weighted * entries[f].h.transpose();
      }
    }
  }
  next(-1, -1);
  return blocks_.factorize();
}

bool ShiftedSystem::factorize(const ScaledProblem& scaled, std::span<const int> subset,
                              std::span<const double> shift) {
  scaled_ = &scaled;
  subset_ = subset;
  shift_ = shift;
  const int count = static_cast<int>(subset.size());
  sparse_ = scaled.sparse();
  inVelocities_ = sparse_ || count > scaled.dimension();
  w_.resize(scaled.dimension());
  t_.resize(count);
  r_.resize(count);
  if (sparse_) return factorizeBlocks();
  if (inVelocities_) {
    fillVelocities();
  } else {
    auto m = cholesky_.reset(count);
    for (int l = 0; l < count; ++l)
      for (int k = l; k < count; ++k) m(k, l) = scaled.coupling(subset[k], subset[l]);
    for (int k = 0; k < count; ++k) m(k, k) += shift[k];
  }
  return cholesky_.factorize();
}

void ShiftedSystem::solveOnce(std::span<double> x) {
  if (!inVelocities_) {
    cholesky_.solve(x);
    return;
  }
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t k = 0; k < subset_.size(); ++k)
    addScaledRow(scaled_->entries(subset_[k]), x[k] / shift_[k], w_);
  if (sparse_)
    blocks_.solve(w_);
  else
    cholesky_.solve(w_);
  for (std::size_t k = 0; k < subset_.size(); ++k)
    x[k] = (x[k] - scaled_->forceComponent(subset_[k], w_)) / shift_[k];
}

void ShiftedSystem::solve(std::span<double> x, int refinements) {
  std::copy(x.begin(), x.end(), t_.begin());
  double size = 0;
  for (const double t : t_) size = nanMax(size, std::abs(t));
  solveOnce(x);
  for (int pass = 0; pass < refinements; ++pass) {
    std::fill(w_.begin(), w_.end(), 0.0);
    for (std::size_t k = 0; k < subset_.size(); ++k) addScaledRow(scaled_->entries(subset_[k]), x[k], w_);
    for (std::size_t k = 0; k < subset_.size(); ++k)
      r_[k] = t_[k] - scaled_->forceComponent(subset_[k], w_) - shift_[k] * x[k];
    double residual = 0;
    for (const double r : r_) residual = nanMax(residual, std::abs(r));
    if (residual <= kRefinedResidual * size) return;
    solveOnce(r_);
    for (std::size_t k = 0; k < subset_.size(); ++k) x[k] += r_[k];
  }
}

}  // namespace tenon::physics
