// See extended_pivoting.h.
#include "physics/solver/lcp/extended_pivoting.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/solver/lcp/principal_pivot.h"

namespace tenon::physics {
namespace {

constexpr long double kExtendedEpsilon = 1e-14L;  ///< added to the diagonal, relative to 1
constexpr long double kExtendedZero =
    1e-17L;  ///< negative values up to this count as zero, relative to max|b|
constexpr long double kExtendedConstant =
    1e-18L;                          ///< rates up to this count as zero, relative to the largest
constexpr int kProximalRounds = 24;  ///< proximal iterations
constexpr int kExtendedRefinements = 3;
constexpr int kExtendedFirstPivots = 100, kExtendedPivotsPerRow = 20;
constexpr double kWork = 4e9;  ///< limit of changed tableau entries, some seconds; reached for K > 400 or so

}  // namespace

std::string_view ExtendedPivoting::unsupported(const DenseProblem& problem) const {
  return problem.frictional() ? dense_reason::kFriction : std::string_view();
}

void ExtendedPivoting::reserveOwn(int size) {
  T_.resize(size, size);
  for (Vector* v : {&q_, &row_, &b_, &x_, &last_, &w_}) v->resize(size);
  isForce_.resize(size);
  trial_.resize(size);
  rest_.resize(size);
}

bool ExtendedPivoting::load(const DenseProblem& problem) {
  T_ = problem.A.cast<Real>();
  T_.diagonal().array() += kExtendedEpsilon;
  b_ = problem.b.cast<Real>();
  q_ = b_;
  x_.setZero();
  std::fill(isForce_.begin(), isForce_.end(), 0);
  pivots_ = 0;
  const double n = problem.size();
  limit_ = static_cast<int>(std::min(kExtendedFirstPivots + kExtendedPivotsPerRow * n, kWork / (n * n)));
  zero_ = kExtendedZero * b_.cwiseAbs().maxCoeff();
  return pivotJoints(problem);
}

// The largest pivot first: the pivots of redundant joints are only ε.
bool ExtendedPivoting::pivotJoints(const DenseProblem& problem) {
  for (;;) {
    int largest = -1;
    for (int k = 0; k < problem.size(); ++k) {
      if (!problem.isJoint(k) || isForce_[k] != 0) continue;
      if (largest < 0 || T_(k, k) > T_(largest, largest)) largest = k;
    }
    if (largest < 0) return true;
    if (!pivot(largest)) return false;
  }
}

// False where a pivot shows that A + ε1 is no P-matrix.
bool ExtendedPivoting::pivot(int k) {
  if (!(T_(k, k) > 0)) return false;
  exchangePair(T_, q_, row_, k);
  isForce_[k] ^= 1;
  ++pivots_;
  return true;
}

// The complement of the basic variable of pair k rises by ζ until that variable is zero.
bool ExtendedPivoting::majorCycle(const DenseProblem& problem, int k, End& end) {
  Real zeta = 0;
  while (pivots_ < limit_) {
    const Real still = kExtendedConstant * T_.col(k).cwiseAbs().maxCoeff();
    const Blocking<Real> first =
        ratioTest(T_, q_, k, zeta, zero_, still, [&](int i) { return problem.isJoint(i); });
    end = first.pair < 0 ? End::ray : End::broken;
    if (first.pair < 0 || !pivot(first.pair)) return false;
    if (first.pair == k) return true;
    zeta += first.step;
  }
  end = End::limit;
  return false;
}

ExtendedPivoting::End ExtendedPivoting::dantzig(const DenseProblem& problem) {
  End end = End::complementary;
  for (;;) {
    int k = -1;
    for (int i = 0; i < problem.size(); ++i)
      if (!problem.isJoint(i) && q_[i] < (k < 0 ? -zero_ : q_[k])) k = i;
    if (k < 0) return q_.allFinite() ? End::complementary : End::broken;
    if (!majorCycle(problem, k, end)) return end;
  }
}

// q of the current basis for b_: the columns of the basic forces respond to w = −b.
void ExtendedPivoting::setRightSide() {
  for (Eigen::Index k = 0; k < q_.size(); ++k) q_[k] = isForce_[k] != 0 ? 0 : b_[k];
  for (Eigen::Index k = 0; k < q_.size(); ++k)
    if (isForce_[k] != 0) q_ -= b_[k] * T_.col(k);
}

// x_ from the basis, refined on A + ε1 itself: T's block of the forces is an inverse.
void ExtendedPivoting::readForces(const DenseProblem& problem) {
  x_.setZero();
  for (int round = 0; round <= kExtendedRefinements; ++round) {
    w_ = b_ + kExtendedEpsilon * x_;
    for (Eigen::Index k = 0; k < x_.size(); ++k)
      if (x_[k] != 0) w_ += x_[k] * problem.A.col(k).cast<Real>();
    row_.setZero();
    for (Eigen::Index k = 0; k < x_.size(); ++k)
      if (isForce_[k] != 0) row_ -= w_[k] * T_.col(k);
    for (Eigen::Index k = 0; k < x_.size(); ++k)
      if (isForce_[k] != 0) x_[k] += row_[k];
  }
}

ScaledSolver::Attempt ExtendedPivoting::attempt(const DenseProblem& scaled, double absoluteTolerance,
                                                Eigen::VectorXd& f) {
  f.setZero();
  if (!load(scaled)) return {pivots_, dense_reason::kIndefinite};
  double smallest = std::numeric_limits<double>::infinity();
  End end = End::complementary;
  for (int round = 0; round < kProximalRounds && end == End::complementary; ++round) {
    end = dantzig(scaled);
    last_ = x_;
    readForces(scaled);
    for (int k = 0; k < scaled.size(); ++k)
      trial_[k] = static_cast<double>(scaled.isJoint(k) ? x_[k] : std::max<Real>(x_[k], 0));
    rest_ = scaled.b;
    rest_.noalias() += scaled.A * trial_;
    const double residual = naturalResidual(scaled, trial_, rest_);
    if (residual < smallest) f = trial_;
    smallest = std::min(smallest, residual);
    if (residual <= absoluteTolerance) return {pivots_, {}};
    b_ = scaled.b.cast<Real>() - kExtendedEpsilon * x_;
    setRightSide();
  }
  // Without a solution, the forces grow from round to round in the direction that proves infeasibility.
  trial_ = (x_ - last_).cast<double>();
  if (provesInfeasible(scaled, trial_)) return {pivots_, dense_reason::kInfeasible};
  if (end == End::limit) return {pivots_, dense_reason::kLimit};
  return {pivots_, end == End::complementary ? dense_reason::kRounding : dense_reason::kIndefinite};
}

}  // namespace tenon::physics
