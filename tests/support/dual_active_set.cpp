// See dual_active_set.h.
#include "tests/support/dual_active_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::tests {
namespace {

/// Rows of length 1 within this distance of the span of the active ones depend on them.
constexpr double kDependentDistance = 1e-8;
/// Rate below which a multiplier is constant.
constexpr double kConstantMultiplier = 1e-12;
/// Violation by rounding, relative to the largest |b|, |v|.
constexpr double kViolationRounding = 1e-15;
constexpr int kDualFirstSteps = 50, kDualStepsPerRow = 20;
constexpr int kMultiplierRefinements = 3;
constexpr int kRejections = 8;  ///< rows at the end whose multipliers are negative by rounding

}  // namespace

std::string_view DualActiveSet::unsupported(const physics::DenseProblem& problem) const {
  if (problem.frictional()) return physics::dense_reason::kFriction;
  return problem.symmetric() ? std::string_view() : physics::dense_reason::kNotSymmetric;
}

void DualActiveSet::reserveOwn(int size) {
  factor_.reserve(size);
  active_.resize(size + 1);
  isActive_.resize(size);
  Q_.resize(size, size + 1);
  R_.resize(size + 1, size + 1);
  for (Eigen::VectorXd* x : {&u_, &v_, &d_, &z_, &response_, &w_, &proof_}) x->resize(size + 1);
}

void DualActiveSet::project(int p) {
  const int r = factor_.rank();
  auto z = z_.head(r);
  auto d = d_.head(q_);
  z = sign_ * factor_.row(p);
  d.setZero();
  // Twice is enough for orthogonality to rounding (W. Kahan).
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < q_; ++k) {
      const double along = Q_.col(k).head(r).dot(z);
      d_[k] += along;
      z -= along * Q_.col(k).head(r);
    }
  solveUpper();
}

int DualActiveSet::firstToEnd(const physics::DenseProblem& problem, double& step) const {
  int first = -1;
  step = std::numeric_limits<double>::infinity();
  for (int k = 0; k < q_; ++k) {
    if (problem.isJoint(active_[k]) || response_[k] <= kConstantMultiplier) continue;
    const double to = std::max(u_[k], 0.0) / response_[k];
    if (to >= step) continue;
    step = to;
    first = k;
  }
  return first;
}

void DualActiveSet::append(int p, double multiplier) {
  const int r = factor_.rank();
  const double length = z_.head(r).norm();
  Q_.col(q_).head(r) = z_.head(r) / length;
  R_.col(q_).head(q_) = sign_ * d_.head(q_);
  R_(q_, q_) = sign_ * length;
  active_[q_] = p;
  isActive_[p] = 1;
  u_[q_] = sign_ * multiplier;
  ++q_;
}

// Removes column `at`; rotations of neighboring rows make R triangular again.
void DualActiveSet::drop(int at) {
  const int r = factor_.rank();
  isActive_[active_[at]] = 0;
  for (int c = at; c + 1 < q_; ++c) {
    R_.col(c).head(c + 2) = R_.col(c + 1).head(c + 2);
    active_[c] = active_[c + 1];
    u_[c] = u_[c + 1];
  }
  --q_;
  for (int k = at; k < q_; ++k) {
    const double length = std::hypot(R_(k, k), R_(k + 1, k));
    const double cosine = R_(k, k) / length, sine = R_(k + 1, k) / length;
    for (int c = k; c < q_; ++c) {
      const double upper = R_(k, c), lower = R_(k + 1, c);
      R_(k, c) = cosine * upper + sine * lower;
      R_(k + 1, c) = cosine * lower - sine * upper;
    }
    for (int i = 0; i < r; ++i) {
      const double left = Q_(i, k), right = Q_(i, k + 1);
      Q_(i, k) = cosine * left + sine * right;
      Q_(i, k + 1) = cosine * right - sine * left;
    }
  }
}

void DualActiveSet::prove(int p) {
  proof_.setZero();
  proof_[p] = sign_;
  for (int k = 0; k < q_; ++k) proof_[active_[k]] = -response_[k];
}

DualActiveSet::Drive DualActiveSet::drive(const physics::DenseProblem& problem, int p, double violation) {
  const int r = factor_.rank();
  double multiplier = 0;
  for (; steps_ < limit_; ++steps_) {
    project(p);
    const double squared = z_.head(r).squaredNorm();
    const bool dependent = !(squared > kDependentDistance * kDependentDistance);
    double step = 0;
    const int ends = firstToEnd(problem, step);
    const double whole = dependent ? std::numeric_limits<double>::infinity() : violation / squared;
    if (dependent && ends < 0) {
      prove(p);
      return Drive::impossible;
    }
    const double length = std::min(step, whole);
    u_.head(q_) -= length * response_.head(q_);
    multiplier += length;
    if (!dependent) {
      v_.head(r) += length * z_.head(r);
      violation -= length * squared;
    }
    if (whole <= step) {
      append(p, multiplier);
      refreshVelocity(problem);
      ++steps_;
      return Drive::reached;
    }
    drop(ends);
  }
  return Drive::limit;
}

int DualActiveSet::mostViolated(const physics::DenseProblem& problem, double allowed) {
  const int r = factor_.rank();
  int worst = -1;
  double mostNegative = -allowed;
  for (int k = 0; k < problem.size(); ++k) {
    w_[k] = factor_.row(k).dot(v_.head(r)) + problem.b[k];
    if (problem.isJoint(k) || isActive_[k] || !(w_[k] < mostNegative)) continue;
    mostNegative = w_[k];
    worst = k;
  }
  return worst;
}

// The shortest v at which the active rows are zero, Q R⁻ᵀ (−b): those stay zero to rounding, however near to
// dependence they are.
void DualActiveSet::refreshVelocity(const physics::DenseProblem& problem) {
  v_.setZero();
  for (int k = 0; k < q_; ++k) {
    const double sum = problem.b[active_[k]] + R_.col(k).head(k).dot(d_.head(k));
    d_[k] = -sum / R_(k, k);
    v_.head(factor_.rank()) += d_[k] * Q_.col(k).head(factor_.rank());
  }
}

// x = R⁻¹ d, by columns of R
void DualActiveSet::solveUpper() {
  response_.head(q_) = d_.head(q_);
  for (int k = q_ - 1; k >= 0; --k) {
    response_[k] /= R_(k, k);
    response_.head(k) -= response_[k] * R_.col(k).head(k);
  }
}

// Recomputes the multipliers, R u = Qᵀ v, refined on A itself, whose active rows are Rᵀ R, into proof_.
void DualActiveSet::refineMultipliers(const physics::DenseProblem& problem) {
  const int n = problem.size();
  proof_.head(n).setZero();
  refreshVelocity(problem);  // leaves Qᵀ v in d_
  for (int round = 0;; ++round) {
    solveUpper();
    for (int k = 0; k < q_; ++k) proof_[active_[k]] += response_[k];
    if (round == kMultiplierRefinements) return;
    w_.head(n) = problem.b;
    for (int k = 0; k < q_; ++k) w_.head(n) += proof_[active_[k]] * problem.A.col(active_[k]);
    for (int k = 0; k < q_; ++k) d_[k] = (-w_[active_[k]] - R_.col(k).head(k).dot(d_.head(k))) / R_(k, k);
  }
}

// Multipliers of nearly dependent rows have errors of rounding over their distance: a negative one belongs to
// a row that need not be active.
void DualActiveSet::finish(const physics::DenseProblem& problem, double absoluteTolerance,
                           Eigen::VectorXd& f) {
  const int n = problem.size();
  double smallest = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass <= kRejections; ++pass) {
    refineMultipliers(problem);
    int negative = -1;
    for (int k = 0; k < q_; ++k) {
      const double u = proof_[active_[k]];
      if (problem.isJoint(active_[k]) || u >= 0) continue;
      if (negative < 0 || u < proof_[active_[negative]]) negative = k;
    }
    for (int k = 0; k < n; ++k)
      if (!problem.isJoint(k)) proof_[k] = std::max(0.0, proof_[k]);
    w_.head(n) = problem.b;
    for (int k = 0; k < q_; ++k) w_.head(n) += proof_[active_[k]] * problem.A.col(active_[k]);
    const double residual = naturalResidual(problem, proof_.head(n), w_.head(n));
    if (residual < smallest) f = proof_.head(n);
    smallest = std::min(smallest, residual);
    if (residual <= absoluteTolerance || negative < 0) return;
    drop(negative);
  }
}

physics::ScaledSolver::Attempt DualActiveSet::attempt(const physics::DenseProblem& scaled,
                                                      double absoluteTolerance, Eigen::VectorXd& f) {
  f.setZero();
  if (!factor_.factorize(scaled.A)) return {0, physics::dense_reason::kIndefinite};
  const int n = scaled.size();
  const double largest = scaled.b.cwiseAbs().maxCoeff();
  q_ = 0;
  steps_ = 0;
  limit_ = kDualFirstSteps + kDualStepsPerRow * n;
  std::fill_n(isActive_.begin(), n, 0);
  v_.setZero();
  for (int k = 0; k < n; ++k) {
    if (!scaled.isJoint(k)) continue;
    const double w = factor_.row(k).dot(v_.head(factor_.rank())) + scaled.b[k];
    sign_ = w <= 0 ? 1 : -1;
    const Drive end = drive(scaled, k, std::abs(w));
    // A joint that the others imply is impossible only where they contradict it.
    if (end == Drive::impossible && std::abs(w) > absoluteTolerance)
      return {steps_, physics::provesInfeasible(scaled, proof_.head(n)) ? physics::dense_reason::kInfeasible
                                                                        : physics::dense_reason::kRounding};
  }
  sign_ = 1;
  while (steps_ < limit_) {
    const double rounding = kViolationRounding * std::max(largest, v_.head(factor_.rank()).norm());
    const int p = mostViolated(scaled, std::max(rounding, 0.1 * absoluteTolerance));
    if (p < 0) {
      finish(scaled, absoluteTolerance, f);
      return {steps_, {}};
    }
    if (drive(scaled, p, -w_[p]) != Drive::impossible) continue;
    const bool proven = physics::provesInfeasible(scaled, proof_.head(n));
    finish(scaled, absoluteTolerance, f);
    return {steps_, proven ? physics::dense_reason::kInfeasible : std::string_view()};
  }
  finish(scaled, absoluteTolerance, f);
  return {steps_, physics::dense_reason::kLimit};
}

}  // namespace tenon::tests
