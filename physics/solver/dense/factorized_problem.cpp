// See factorized_problem.h.
#include "physics/solver/dense/factorized_problem.h"

#include <algorithm>

namespace tenon::physics {
namespace {

/// Length of a row that joints leave, below which they hold it, and of a joint's, below which it is
/// redundant [-].
constexpr double kHeldLength = 1e-10, kRedundantLength = 1e-9;
/// Passes that refine the forces of joints.
constexpr int kJointRefinements = 2;
/// Rounds and passes of refine().
constexpr int kExchangeRounds = 30, kLoadedRefinements = 5;

}  // namespace

int FactorizedProblem::closeJoints(const DenseProblem& problem) {
  const int j = static_cast<int>(jointRows_.size()), rank = factor_.rank();
  closing_.assign(j, 0.0);
  if (j == 0) return 0;
  auto transposed = joints_.reset(rank, j);
  for (int l = 0; l < j; ++l) transposed.col(l) = factor_.row(jointRows_[l]);
  joints_.factorize(kRedundantLength);
  const int held = joints_.rank();
  closing_.resize(held);
  for (int l = 0; l < held; ++l) closing_[l] = -problem.b[jointRows_[joints_.pivot(l)]];
  joints_.solveTransposed(closing_);
  const Eigen::Map<const Eigen::VectorXd> closing(closing_.data(), held);
  for (Eigen::Index k = 0; k < rows_.cols(); ++k) {
    joints_.applyQTransposed({rows_.col(k).data(), static_cast<std::size_t>(rank)});
    b_[k] += closing.dot(rows_.col(k).head(held));
  }
  return held;
}

bool FactorizedProblem::build(const DenseProblem& problem) {
  if (!problem.symmetric() || !factor_.factorize(problem.A)) return false;
  stride_ = problem.frictional() ? 3 : 1;
  jointRows_.clear();
  contacts_.clear();
  for (int k = 0; k < problem.size(); k += stride_)
    (problem.isJoint(k) ? jointRows_ : contacts_).push_back(k);
  const int rank = factor_.rank();
  rows_.resize(rank, stride_ * static_cast<Eigen::Index>(contacts_.size()));
  b_.resize(rows_.cols());
  for (std::size_t n = 0; n < contacts_.size(); ++n)
    for (int i = 0; i < stride_; ++i) {
      const auto column = static_cast<Eigen::Index>(stride_ * n + i);
      rows_.col(column) = factor_.row(contacts_[n] + i);
      b_[column] = problem.b[contacts_[n] + i];
    }
  const int held = closeJoints(problem);
  Eigen::Index kept = 0;
  mu_.clear();
  for (std::size_t n = 0; n < contacts_.size(); ++n) {
    const auto from = static_cast<Eigen::Index>(stride_ * n);
    if (!(rows_.col(from).tail(rank - held).norm() > kHeldLength)) continue;
    if (problem.frictional()) mu_.push_back(problem.mu[contacts_[n] / 3]);
    contacts_[kept] = contacts_[n];
    rows_.middleCols(stride_ * kept, stride_) = rows_.middleCols(from, stride_).eval();
    b_.segment(stride_ * kept, stride_) = b_.segment(from, stride_).eval();
    ++kept;
  }
  contacts_.resize(kept);
  rows_.conservativeResize(rank, stride_ * kept);
  // Of a matrix without columns no block is taken: it has no memory.
  Eigen::MatrixXd remaining(rank - held, stride_ * kept);
  if (kept > 0) remaining = rows_.bottomRows(rank - held);
  scaled_.build(remaining, b_.head(stride_ * kept), mu_);
  return true;
}

double FactorizedProblem::scaledTolerance(double absoluteTolerance) const {
  double smallest = 1;
  for (int k = 0; k < scaled_.contacts(); ++k) smallest = std::min(smallest, scaled_.row(k).d);
  return smallest * absoluteTolerance;
}

void FactorizedProblem::toScaled(const Eigen::VectorXd& f, std::vector<double>& y) const {
  y.assign(scaled_.size(), 0.0);
  for (std::size_t n = 0; n < contacts_.size(); ++n)
    for (int k = static_cast<int>(n), i = 0; i < (scaled_.tangents(k).mu > 0 ? 3 : 1); ++i)
      y[3 * n + i] = scaled_.toScaled(k, f[contacts_[n] + i]);
}

void FactorizedProblem::toForces(const DenseProblem& problem, const std::vector<double>& y,
                                 Eigen::VectorXd& f) const {
  f.setZero();
  for (std::size_t n = 0; n < contacts_.size(); ++n)
    for (int i = 0; i < stride_; ++i)
      f[contacts_[n] + i] = scaled_.toForce(static_cast<int>(n), y[3 * n + i]);
  // R₁ᵀ R₁ f_J = −w_J; the later passes are refinements.
  std::vector<double> x(closing_.size());
  for (int pass = 0; pass <= kJointRefinements && !x.empty(); ++pass) {
    for (std::size_t l = 0; l < x.size(); ++l) {
      const int row = jointRows_[joints_.pivot(static_cast<int>(l))];
      x[l] = -problem.A.row(row).dot(f) - problem.b[row];
    }
    joints_.solveTransposed(x);
    joints_.solveUpper(x);
    for (std::size_t l = 0; l < x.size(); ++l) f[jointRows_[joints_.pivot(static_cast<int>(l))]] += x[l];
  }
}

// f_ and w_ with w = 0 at the rows with force, of which those that depend on others get none.
void FactorizedProblem::solveLoaded(const DenseProblem& problem) {
  loadedRows_.clear();
  for (int k = 0; k < problem.size(); ++k)
    if (isLoaded_[k] != 0) loadedRows_.push_back(k);
  auto transposed = loaded_.reset(factor_.rank(), static_cast<int>(loadedRows_.size()));
  for (std::size_t n = 0; n < loadedRows_.size(); ++n)
    transposed.col(static_cast<Eigen::Index>(n)) = factor_.row(loadedRows_[n]);
  loaded_.factorize(kRedundantLength);
  std::vector<double> x(loaded_.rank());
  f_.setZero(problem.size());
  for (int pass = 0;; ++pass) {
    extendedResponse(problem, f_, w_);
    if (pass == kLoadedRefinements) return;
    for (std::size_t n = 0; n < x.size(); ++n) x[n] = -w_[loadedRows_[loaded_.pivot(static_cast<int>(n))]];
    loaded_.solveTransposed(x);
    loaded_.solveUpper(x);
    for (std::size_t n = 0; n < x.size(); ++n) f_[loadedRows_[loaded_.pivot(static_cast<int>(n))]] += x[n];
  }
}

// The row of the most negative force, else the most violated one; −1: none.
int FactorizedProblem::wrongRow(const DenseProblem& problem, double absoluteTolerance) const {
  for (const bool pulls : {true, false}) {
    int chosen = -1;
    double largest = pulls ? 0 : absoluteTolerance;
    for (int k = 0; k < problem.size(); ++k) {
      const double violation = pulls ? -f_[k] : isLoaded_[k] != 0 ? 0 : -w_[k];
      if (problem.isJoint(k) || !(violation > largest)) continue;
      largest = violation;
      chosen = k;
    }
    if (chosen >= 0) return chosen;
  }
  return -1;
}

bool FactorizedProblem::refine(const DenseProblem& problem, double absoluteTolerance, Eigen::VectorXd& f,
                               int& iterations) {
  isLoaded_.assign(problem.size(), 0);
  for (int k = 0; k < problem.size(); ++k) isLoaded_[k] = problem.isJoint(k) || f[k] > 0;
  extendedResponse(problem, f, w_);
  double least = naturalResidual(problem, f, w_);
  for (int round = 0; round < kExchangeRounds; ++round) {
    ++iterations;
    solveLoaded(problem);
    if (const double residual = naturalResidual(problem, f_, w_); residual < least) {
      least = residual;
      f = f_;
    }
    if (least <= absoluteTolerance) return true;
    const int wrong = wrongRow(problem, absoluteTolerance);
    if (wrong < 0) return false;
    isLoaded_[wrong] ^= 1;
  }
  return false;
}

}  // namespace tenon::physics
