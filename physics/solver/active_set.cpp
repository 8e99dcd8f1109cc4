// See active_set.h.
#include "physics/solver/active_set.h"

#include <algorithm>
#include <cmath>

#include "physics/math/worst.h"

namespace tenon::physics {

bool ActiveSet::settle(const NormalForm& form, std::vector<double>& y, double tolerance, int limit,
                       int& iterations) {
  const int count = form.contacts();
  y_.assign(y.begin(), y.end());
  v_.resize(form.dimension());
  z_.resize(count);
  last_.clear();
  for (int pass = 0; pass <= limit; ++pass) {
    form.velocity(y_, v_);
    form.distances(y_, v_, z_);
    double residual = 0;
    subset_.clear();
    for (int k = 0; k < count; ++k) {
      residual = worst(residual, complementarityError(y_[k], z_[k]));
      if (y_[k] > z_[k]) subset_.push_back(k);
    }
    if (pass > 0 && residual <= tolerance) {
      // What is left below zero is rounding; forces must not pull.
      for (int k = 0; k < count; ++k) y[k] = std::max(0.0, y_[k]);
      return true;
    }
    if (pass == limit || (pass > 0 && subset_ == last_)) return false;
    last_ = subset_;
    shift_.resize(subset_.size());
    x_.resize(subset_.size());
    for (std::size_t k = 0; k < subset_.size(); ++k) {
      x_[k] = -form.row(subset_[k]).c;
      shift_[k] = form.row(subset_[k]).epsilon;
    }
    ++iterations;
    if (!system_.factorise(form, subset_, shift_)) return false;
    system_.solve(x_, 2);
    std::fill(y_.begin(), y_.end(), 0.0);
    for (std::size_t k = 0; k < subset_.size(); ++k) y_[subset_[k]] = x_[k];
  }
  return false;
}

}  // namespace tenon::physics
