// See active_set.h.
#include "physics/solver/active_set.h"

#include <algorithm>
#include <cmath>

#include "physics/math/nan_max.h"

namespace tenon::physics {

namespace {

/// Whole steps before the line search starts: most problems end sooner.
constexpr int kFreeSteps = 1;
/// Bisections of a line search at most, and the interval at which it ends, relative to the step [-].
constexpr int kBisections = 40;
constexpr double kStepInterval = 1e-3;
/// Rise of φ at the end of a step, of its fall at the beginning, up to which the whole step is taken [-].
constexpr double kFullStepSlope = 0.5;
/// Refinements of a solution at most: heavy bodies on light ones need more than two.
constexpr int kRefinements = 6;
/// Proximal problems at most.
constexpr int kMaxReferences = 12;

}  // namespace

double ActiveSet::proximalShift(const ScaledProblem::Row& row) const {
  return std::max(0.0, leastCompliance_ - row.epsilon);
}

double ActiveSet::compliance(const ScaledProblem::Row& row) const {
  return std::max(row.epsilon, leastCompliance_);
}

double ActiveSet::evaluate(const ScaledProblem& scaled) {
  scaled.distances(y_, v_, z_);
  double residual = 0;
  for (int k = 0; k < scaled.contacts(); ++k) {
    residual = nanMax(residual, complementarityError(y_[k], z_[k]));
    z_[k] += proximalShift(scaled.row(k)) * (y_[k] - reference_[k]);
  }
  return residual;
}

bool ActiveSet::solveSubset(const ScaledProblem& scaled) {
  const std::size_t count = subset_.size();
  shift_.resize(count);
  x_.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const ScaledProblem::Row& row = scaled.row(subset_[k]);
    x_[k] = proximalShift(row) * reference_[subset_[k]] - row.c;
    shift_[k] = compliance(row);
  }
  if (!system_.factorize(scaled, subset_, shift_)) return false;
  system_.solve(x_, kRefinements);
  std::fill(y_.begin(), y_.end(), 0.0);
  for (std::size_t k = 0; k < count; ++k) y_[subset_[k]] = x_[k];
  scaled.velocity(y_, v_);
  evaluate(scaled);
  for (int k = 0; k < scaled.contacts(); ++k) r_[k] = z_[k] - compliance(scaled.row(k)) * y_[k];
  // On the subset z is 0 to rounding, so r = −ε y without cancellation.
  for (const int k : subset_) r_[k] = -compliance(scaled.row(k)) * y_[k];
  return true;
}

double ActiveSet::slope(const ScaledProblem& scaled, double t) const {
  double sum = alongStep_ + t * squaredStep_;
  for (std::size_t k = 0; k < stepR_.size(); ++k)
    if (const double r = fromR_[k] + t * stepR_[k]; r < 0)
      sum += r * stepR_[k] / compliance(scaled.row(static_cast<int>(k)));
  return sum;
}

bool ActiveSet::lineSearch(const ScaledProblem& scaled) {
  alongStep_ = squaredStep_ = 0;
  for (std::size_t i = 0; i < v_.size(); ++i) {
    stepV_[i] = v_[i] - fromV_[i];
    alongStep_ += fromV_[i] * stepV_[i];
    squaredStep_ += stepV_[i] * stepV_[i];
  }
  for (std::size_t k = 0; k < r_.size(); ++k) stepR_[k] = r_[k] - fromR_[k];
  if (slope(scaled, 1) <= kFullStepSlope * std::abs(slope(scaled, 0))) return false;
  double low = 0, high = 1;
  for (int n = 0; n < kBisections && high - low > kStepInterval * high; ++n) {
    const double t = 0.5 * (low + high);
    (slope(scaled, t) > 0 ? high : low) = t;
  }
  for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = fromV_[i] + high * stepV_[i];
  for (std::size_t k = 0; k < r_.size(); ++k) r_[k] = fromR_[k] + high * stepR_[k];
  return true;
}

bool ActiveSet::settleShifted(const ScaledProblem& scaled, double tolerance, int limit, int& iterations) {
  const int count = scaled.contacts();
  scaled.velocity(y_, v_);
  evaluate(scaled);
  subset_.clear();
  for (int k = 0; k < count; ++k)
    if (y_[k] > z_[k]) subset_.push_back(k);
  for (int pass = 0; pass < limit; ++pass) {
    lastSubset_ = subset_;
    ++iterations;
    if (!solveSubset(scaled)) return false;
    double residual = 0;
    for (int k = 0; k < count; ++k) residual = nanMax(residual, complementarityError(y_[k], z_[k]));
    if (residual <= tolerance) return true;
    if (pass >= kFreeSteps) lineSearch(scaled);
    fromV_ = v_;
    fromR_ = r_;
    subset_.clear();
    for (int k = 0; k < count; ++k)
      if (r_[k] < 0) subset_.push_back(k);
    if (subset_ == lastSubset_) return false;
  }
  return false;
}

bool ActiveSet::settle(const ScaledProblem& scaled, std::vector<double>& y, double tolerance, int limit,
                       int& iterations, double leastCompliance) {
  const int count = scaled.contacts();
  y_.assign(y.begin(), y.end());
  for (auto* v : {&v_, &fromV_, &stepV_}) v->resize(scaled.dimension());
  for (auto* r : {&z_, &r_, &fromR_, &stepR_}) r->resize(count);
  leastCompliance_ = leastCompliance;
  for (int references = 0; references < kMaxReferences; ++references) {
    reference_.assign(y_.begin(), y_.end());
    if (!settleShifted(scaled, tolerance, limit, iterations)) return false;
    if (!(evaluate(scaled) <= tolerance)) continue;
    // Negative forces that remain are rounding; forces must not pull.
    for (int k = 0; k < count; ++k) y[k] = std::max(0.0, y_[k]);
    return true;
  }
  return false;
}

}  // namespace tenon::physics
