// See dual_active_set.h.
#include "physics/solver/dual_active_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::physics {

namespace {

/// Rows of length 1 within this distance of the span of the active ones depend on them [-].
constexpr double kDependentDistance = 1e-8;
/// Rate below which a multiplier is constant [-].
constexpr double kConstantMultiplier = 1e-12;
/// Violation by rounding, relative to the largest of max |c| and |ũ| [-].
constexpr double kViolationRounding = 1e-15;
/// Part of the tolerance that a violation may take [-].
constexpr double kViolationShare = 0.1;
constexpr int kDualFirstSteps = 50, kDualStepsPerRow = 20;
constexpr int kMultiplierRefinements = 3;
/// Rows dropped at the end, whose multipliers are negative by rounding.
constexpr int kRejections = 8;

}  // namespace

void DualActiveSet::start(const ScaledProblem& scaled) {
  r_ = scaled.dimension();
  active_ = steps_ = 0;
  limit_ = kDualFirstSteps + kDualStepsPerRow * scaled.contacts();
  rows_.resize(r_);
  isActive_.assign(scaled.contacts(), 0);
  if (Q_.rows() < r_) {
    Q_.resize(r_, r_);
    R_.resize(r_, r_);
    for (Eigen::VectorXd* x : {&multipliers_, &d_, &rest_, &response_}) x->resize(r_);
  }
  v_.assign(r_, 0.0);
  own_.resize(r_);
  for (auto* x : {&z_, &y_}) x->assign(scaled.contacts(), 0.0);
}

void DualActiveSet::gather(const ScaledProblem& scaled, int k) {
  rest_.head(r_).setZero();
  for (const ScaledProblem::Entry& e : scaled.entries(k)) rest_.segment<6>(6 * e.block) = e.h;
}

void DualActiveSet::project(const ScaledProblem& scaled, int k) {
  gather(scaled, k);
  d_.head(active_).setZero();
  // Twice is enough for orthogonality to rounding (W. Kahan).
  for (int pass = 0; pass < 2; ++pass)
    for (int n = 0; n < active_; ++n) {
      const double along = Q_.col(n).head(r_).dot(rest_.head(r_));
      d_[n] += along;
      rest_.head(r_) -= along * Q_.col(n).head(r_);
    }
  solveUpper();
}

// response_ = R⁻¹ d_.
void DualActiveSet::solveUpper() {
  response_.head(active_) = d_.head(active_);
  for (int n = active_; n-- > 0;) {
    response_[n] /= R_(n, n);
    response_.head(n) -= response_[n] * R_.col(n).head(n);
  }
}

int DualActiveSet::firstToEnd(double& step) const {
  int first = -1;
  step = std::numeric_limits<double>::infinity();
  for (int n = 0; n < active_; ++n) {
    if (!(response_[n] > kConstantMultiplier)) continue;
    const double to = std::max(multipliers_[n], 0.0) / response_[n];
    if (!(to < step)) continue;
    step = to;
    first = n;
  }
  return first;
}

void DualActiveSet::append(int k, double multiplier) {
  const double length = rest_.head(r_).norm();
  Q_.col(active_).head(r_) = rest_.head(r_) / length;
  R_.col(active_).head(active_) = d_.head(active_);
  R_(active_, active_) = length;
  rows_[active_] = k;
  isActive_[k] = 1;
  multipliers_[active_++] = multiplier;
}

// Removes column `at`; rotations of neighboring rows make R triangular again.
void DualActiveSet::drop(int at) {
  isActive_[rows_[at]] = 0;
  for (int c = at; c + 1 < active_; ++c) {
    R_.col(c).head(c + 2) = R_.col(c + 1).head(c + 2);
    rows_[c] = rows_[c + 1];
    multipliers_[c] = multipliers_[c + 1];
  }
  --active_;
  for (int n = at; n < active_; ++n) {
    const double length = std::hypot(R_(n, n), R_(n + 1, n));
    const double cosine = R_(n, n) / length, sine = R_(n + 1, n) / length;
    for (int c = n; c < active_; ++c) {
      const double upper = R_(n, c), lower = R_(n + 1, c);
      R_(n, c) = cosine * upper + sine * lower;
      R_(n + 1, c) = cosine * lower - sine * upper;
    }
    for (int i = 0; i < r_; ++i) {
      const double left = Q_(i, n), right = Q_(i, n + 1);
      Q_(i, n) = cosine * left + sine * right;
      Q_(i, n + 1) = cosine * right - sine * left;
    }
  }
}

bool DualActiveSet::drive(const ScaledProblem& scaled, int k, double violation) {
  double multiplier = 0;
  for (; steps_ < limit_; ++steps_) {
    project(scaled, k);
    const double squared = rest_.head(r_).squaredNorm();
    const bool dependent = active_ == r_ || !(squared > kDependentDistance * kDependentDistance);
    double step = 0;
    const int ends = firstToEnd(step);
    if (dependent && ends < 0) return false;
    const double whole = dependent ? std::numeric_limits<double>::infinity() : violation / squared;
    const double length = std::min(step, whole);
    multipliers_.head(active_) -= length * response_.head(active_);
    multiplier += length;
    if (!dependent) violation -= length * squared;
    if (whole <= step) {
      append(k, multiplier);
      refreshVelocity(scaled);
      ++steps_;
      return true;
    }
    drop(ends);
  }
  return false;
}

int DualActiveSet::mostViolated(const ScaledProblem& scaled, double allowed) {
  int chosen = -1;
  double mostNegative = -allowed;
  for (int k = 0; k < scaled.contacts(); ++k) {
    z_[k] = scaled.row(k).c + scaled.normalComponent(k, v_);
    if (isActive_[k] != 0 || !(z_[k] < mostNegative)) continue;
    mostNegative = z_[k];
    chosen = k;
  }
  return chosen;
}

// The shortest ũ at which the active rows are zero, Q R⁻ᵀ (−c): those stay zero to rounding, however near to
// dependence they are. Leaves Qᵀ ũ in d_.
void DualActiveSet::refreshVelocity(const ScaledProblem& scaled) {
  Eigen::Map<Eigen::VectorXd> v(v_.data(), r_);
  v.setZero();
  for (int n = 0; n < active_; ++n) {
    d_[n] = -(scaled.row(rows_[n]).c + R_.col(n).head(n).dot(d_.head(n))) / R_(n, n);
    v += d_[n] * Q_.col(n).head(r_);
  }
}

// R y = Qᵀ ũ, refined on H itself, whose active rows are Rᵀ Qᵀ; into y_.
void DualActiveSet::refineMultipliers(const ScaledProblem& scaled) {
  std::fill(y_.begin(), y_.end(), 0.0);
  refreshVelocity(scaled);
  for (int round = 0;; ++round) {
    solveUpper();
    for (int n = 0; n < active_; ++n) y_[rows_[n]] += response_[n];
    if (round == kMultiplierRefinements) return;
    scaled.velocity(y_, own_);
    for (int n = 0; n < active_; ++n) {
      const double z = scaled.row(rows_[n]).c + scaled.normalComponent(rows_[n], own_);
      d_[n] = (-z - R_.col(n).head(n).dot(d_.head(n))) / R_(n, n);
    }
  }
}

// Multipliers of nearly dependent rows have errors of rounding over their distance: a negative one belongs to
// a row that need not be active.
bool DualActiveSet::finish(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) {
  double smallest = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass <= kRejections; ++pass) {
    refineMultipliers(scaled);
    int negative = -1;
    for (int n = 0; n < active_; ++n)
      if (y_[rows_[n]] < (negative < 0 ? 0 : y_[rows_[negative]])) negative = n;
    for (double& entry : y_) entry = std::max(0.0, entry);
    const double residual = scaled.naturalResidual(y_);
    if (residual < smallest) y.assign(y_.begin(), y_.end());
    smallest = std::min(smallest, residual);
    if (residual <= tolerance || negative < 0) break;
    drop(negative);
  }
  return smallest <= tolerance;
}

bool DualActiveSet::solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance,
                          int& iterations) {
  start(scaled);
  while (steps_ < limit_) {
    const double size = Eigen::Map<const Eigen::VectorXd>(v_.data(), r_).norm();
    const double rounding = kViolationRounding * std::max(scaled.scale(), size);
    const int k = mostViolated(scaled, std::max(rounding, kViolationShare * tolerance));
    if (k < 0 || !drive(scaled, k, -z_[k])) break;
  }
  iterations += steps_;
  return finish(scaled, y, tolerance);
}

}  // namespace tenon::physics
