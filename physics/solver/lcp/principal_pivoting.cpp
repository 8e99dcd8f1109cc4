// See principal_pivoting.h.
#include "physics/solver/lcp/principal_pivoting.h"

#include <algorithm>
#include <cmath>

#include "physics/solver/lcp/principal_pivot.h"

namespace tenon::physics {
namespace {

constexpr double kNegativeRounding = 1e-13;  ///< negative values up to this count as zero, relative to max|b|
constexpr double kMinPivot = 1e-12;          ///< smallest pivot, relative to 1
constexpr double kConstantRate = 1e-13;      ///< rates up to this count as zero, relative to the largest
constexpr int kPrincipalFirstPivots = 100;

}  // namespace

std::string_view PrincipalPivoting::unsupported(const DenseProblem& problem) const {
  return problem.frictional() ? dense_reason::kFriction : std::string_view();
}

void PrincipalPivoting::reserveOwn(int size) {
  joints_.reserve(size);
  makeRoom(size);
}

void PrincipalPivoting::makeRoom(int size) {
  T_.resize(size, size);
  for (Eigen::VectorXd* v : {&q_, &row_, &reduced_}) v->resize(size);
  isForce_.reserve(size);
  active_.reserve(size);
  system_.reserve(size);
}

void PrincipalPivoting::load() {
  const int n = joints_.size();
  if (T_.rows() < n) makeRoom(n);  // joints were split
  T_.topLeftCorner(n, n) = joints_.A();
  T_.diagonal().head(n).array() += options_.epsilon;
  q_.head(n) = joints_.b();
  isForce_.assign(n, 0);
  zero_ = n > 0 ? kNegativeRounding * joints_.b().cwiseAbs().maxCoeff() : 0;
}

bool PrincipalPivoting::pivot(int k) {
  const int n = joints_.size();
  auto T = T_.topLeftCorner(n, n);
  auto q = q_.head(n), row = row_.head(n);
  if (!(std::abs(T(k, k)) > kMinPivot)) return false;
  exchangePair(T, q, row, k);
  isForce_[k] ^= 1;
  ++pivots_;
  return true;
}

// The complement of the basic variable of pair k rises by ζ until that variable is zero.
bool PrincipalPivoting::majorCycle(int k, int limit, End& end) {
  const int n = joints_.size();
  double zeta = 0;
  while (pivots_ < limit) {
    const double still = kConstantRate * T_.col(k).head(n).cwiseAbs().maxCoeff();
    const Blocking<double> first =
        ratioTest(T_, q_.head(n), k, zeta, zero_, still, [](int) { return false; });
    end = first.pair < 0 ? End::ray : End::broken;
    if (first.pair < 0 || !pivot(first.pair)) return false;
    if (first.pair == k) return true;
    zeta += first.step;
  }
  end = End::limit;
  return false;
}

PrincipalPivoting::End PrincipalPivoting::dantzig(int limit) {
  const int n = joints_.size();
  End end = End::complementary;
  for (;;) {
    Eigen::Index k = 0;
    if (!(q_.head(n).minCoeff(&k) < -zero_)) return q_.head(n).allFinite() ? End::complementary : End::broken;
    if (!majorCycle(static_cast<int>(k), limit, end)) return end;
  }
}

PrincipalPivoting::End PrincipalPivoting::murty(int limit) {
  const int n = joints_.size();
  while (pivots_ < limit) {
    int k = 0;
    while (k < n && q_[k] >= -zero_) ++k;
    if (k == n) return End::complementary;
    if (!pivot(k)) return End::broken;
  }
  return End::limit;
}

void PrincipalPivoting::readForces(double absoluteTolerance) {
  const int n = joints_.size();
  active_.clear();
  for (int k = 0; k < n; ++k)
    if (isForce_[k] != 0) active_.push_back(k);
  system_.solve(joints_.A(), joints_.b(), active_, options_.epsilon, absoluteTolerance, reduced_.head(n));
}

// Without a solution, the residual of the active rows tends to the direction that proves infeasibility.
bool PrincipalPivoting::provesInfeasibleByGrowth(const DenseProblem& scaled) {
  if (scaled.hasJoints() || active_.empty()) return false;
  row_.head(scaled.size()).setZero();
  for (std::size_t k = 0; k < active_.size(); ++k)
    row_[active_[k]] = system_.residual()[static_cast<Eigen::Index>(k)];
  return provesInfeasible(scaled, row_.head(scaled.size()));
}

ScaledSolver::Attempt PrincipalPivoting::attempt(const DenseProblem& scaled, double absoluteTolerance,
                                                 Eigen::VectorXd& f) {
  joints_.reduce(scaled);
  const int maxPivots = kPrincipalFirstPivots + options_.pivotsPerRow * joints_.size();
  pivots_ = 0;
  End end = End::broken;
  if (options_.rule != PivotRule::murty) {
    load();
    end = joints_.size() == 0 ? End::complementary : dantzig(maxPivots);
  }
  if (options_.rule == PivotRule::murty || (options_.rule == PivotRule::both && end == End::broken)) {
    load();
    end = murty(pivots_ + maxPivots);
  }
  readForces(absoluteTolerance);
  joints_.expand(scaled, reduced_.head(joints_.size()), f);
  Attempt result{pivots_, {}};
  if (end == End::complementary && provesInfeasibleByGrowth(scaled))
    result.reason = dense_reason::kInfeasible;
  if (end == End::limit) result.reason = dense_reason::kLimit;
  if (end == End::ray) result.reason = dense_reason::kIndefinite;
  if (end == End::broken) result.reason = dense_reason::kRounding;
  return result;
}

}  // namespace tenon::physics
