// See conic_admm.h.
#include "physics/solver/conic_admm.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/math/nan_max.h"

namespace tenon::physics {

namespace {

constexpr int kMaxIterations = 500;
constexpr double kFirstPenalty = 0.1;      ///< ρ [-]
constexpr int kPenaltyPeriod = 20;         ///< iterations between two changes of ρ
constexpr double kImbalance = 10;          ///< ratio of the two residuals that changes ρ [-]
constexpr double kMaxPenaltyChange = 10;   ///< factor on ρ at most [-]
constexpr double kRegularization = 1e-10;  ///< of Anderson's least squares, relative [-]
constexpr double kRegression = 2;          ///< growth of the step that discards an accelerated one [-]
constexpr double kFirstNear = 1e-3;        ///< natural residual at which A is tried, relative to max |c| [-]
constexpr double kNextNear = 0.1;          ///< factor on it after each attempt [-]
constexpr double kAnyAccuracy = 1e30;
/// The point of the cone |x_t| ≤ μ x_n nearest to x.
Vector3d projectOnCone(const Vector3d& x, double mu) {
  const double t = x.tail<2>().norm();
  if (t <= mu * x[0]) return x;
  if (mu * t <= -x[0]) return Vector3d::Zero();
  Vector3d nearest;
  nearest[0] = (x[0] + mu * t) / (1 + mu * mu);
  nearest.tail<2>() = mu * nearest[0] / t * x.tail<2>();
  return mu > 0 ? nearest : Vector3d(std::max(0.0, x[0]), 0, 0);
}

}  // namespace

bool ConicAdmm::factorize(const ScaledProblem& scaled) {
  system_.reset(scaled);
  for (int k = 0; k < scaled.contacts(); ++k) {
    ConeSystem::Block& at = system_.block(k);
    at.idle = false;
    at.P = penalty_ * Matrix3d::Identity();
    at.Q.setIdentity();
    if (scaled.tangents(k).mu > 0) continue;
    at.P(1, 1) = at.P(2, 2) = 1;
    at.Q(1, 1) = at.Q(2, 2) = 0;
  }
  kept_ = next_ = 0;
  lastSize_ = std::numeric_limits<double>::infinity();
  return system_.factorize();
}

bool ConicAdmm::apply(const ScaledProblem& scaled) {
  for (int k = 0; k < scaled.contacts(); ++k) {
    const ScaledProblem::TangentRows& t = scaled.tangents(k);
    const Eigen::Map<const Vector3d> x(state_.data() + 3 * k);
    const Vector3d w = projectOnCone(x, t.mu), lambda = x - w;
    Vector3d r = penalty_ * (w - lambda);
    r[0] -= scaled.row(k).c + t.mu * penalty_ * lambda.tail<2>().norm();
    r.tail<2>() -= t.c;
    if (!(t.mu > 0)) r.tail<2>().setZero();
    system_.block(k).r = r;
    for (int i = 0; i < 3; ++i) w_[3 * k + i] = w[i];
  }
  if (!system_.solve(y_, 0, kAnyAccuracy)) return false;
  primal_ = dual_ = 0;
  for (std::size_t k = 0; k < y_.size(); ++k) {
    change_[k] = y_[k] - w_[k];
    primal_ = nanMax(primal_, std::abs(change_[k]));
    dual_ = nanMax(dual_, penalty_ * std::abs(w_[k] - lastW_[k]));
  }
  lastW_.assign(w_.begin(), w_.end());
  return std::isfinite(primal_);
}

void ConicAdmm::accelerate() {
  const auto size = static_cast<Eigen::Index>(state_.size());
  Eigen::Map<Eigen::VectorXd> x(state_.data(), size), g(change_.data(), size);
  const double length = g.norm();
  if (kept_ > 0 && !(length <= kRegression * lastSize_)) {
    // The accelerated step has made it worse: return to the plain one.
    state_.assign(plain_.begin(), plain_.end());
    kept_ = next_ = 0;
    lastSize_ = std::numeric_limits<double>::infinity();
    return;
  }
  if (std::isfinite(lastSize_)) {
    states_.col(next_).head(size) = x - Eigen::Map<Eigen::VectorXd>(lastState_.data(), size);
    changes_.col(next_).head(size) = g - Eigen::Map<Eigen::VectorXd>(lastChange_.data(), size);
    next_ = (next_ + 1) % kDepth;
    kept_ = std::min(kept_ + 1, kDepth);
  }
  lastSize_ = length;
  lastState_.assign(state_.begin(), state_.end());
  lastChange_.assign(change_.begin(), change_.end());
  for (std::size_t k = 0; k < state_.size(); ++k) plain_[k] = state_[k] + change_[k];
  state_.assign(plain_.begin(), plain_.end());
  if (kept_ == 0) return;
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kDepth, kDepth>;
  using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kDepth, 1>;
  Small normal(kept_, kept_);
  SmallVector gamma(kept_);
  for (int i = 0; i < kept_; ++i) {
    gamma[i] = changes_.col(i).head(size).dot(g);
    for (int j = 0; j <= i; ++j)
      normal(i, j) = normal(j, i) = changes_.col(i).head(size).dot(changes_.col(j).head(size));
  }
  normal.diagonal().array() += kRegularization * normal.trace();
  const Eigen::LLT<Small> factor(normal);
  if (factor.info() != Eigen::Success) return;
  factor.solveInPlace(gamma);
  if (!gamma.allFinite()) return;
  for (int i = 0; i < kept_; ++i) x -= gamma[i] * (states_.col(i).head(size) + changes_.col(i).head(size));
}

void ConicAdmm::adaptPenalty(const ScaledProblem& scaled) {
  if (primal_ <= kImbalance * dual_ && dual_ <= kImbalance * primal_) return;
  const double factor =
      std::clamp(std::sqrt(primal_ / std::max(dual_, 1e-300)), 1 / kMaxPenaltyChange, kMaxPenaltyChange);
  penalty_ *= factor;
  // ρ λ stays.
  for (int k = 0; k < scaled.contacts(); ++k) {
    Eigen::Map<Vector3d> x(state_.data() + 3 * k);
    const Vector3d w = projectOnCone(x, scaled.tangents(k).mu);
    x = w + (x - w) / factor;
  }
}

bool ConicAdmm::solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance,
                      int& iterations) {
  const std::size_t size = scaled.size();
  for (auto* each : {&change_, &w_, &y_, &plain_}) each->resize(size);
  if (states_.rows() < static_cast<Eigen::Index>(size)) {
    states_.resize(static_cast<Eigen::Index>(size), kDepth);
    changes_.resize(static_cast<Eigen::Index>(size), kDepth);
  }
  for (auto* each : {&state_, &best_, &lastW_}) each->assign(y.begin(), y.end());
  double least = scaled.naturalResidual(y), near = std::min(kFirstNear * scaled.scale(), kNextNear * least);
  penalty_ = kFirstPenalty;
  bool works = factorize(scaled);
  for (int pass = 0; works && pass < kMaxIterations; ++pass) {
    ++iterations;
    if (!apply(scaled)) break;
    const double residual = scaled.naturalResidual(w_);
    if (residual < least) {
      least = residual;
      best_.assign(w_.begin(), w_.end());
    }
    if (least <= tolerance) break;
    if (residual <= near) {
      near = kNextNear * residual;
      trial_.assign(w_.begin(), w_.end());
      if (newton_.solve(scaled, trial_, tolerance, ProximalNewton::kFinish, iterations)) {
        y.assign(trial_.begin(), trial_.end());
        return true;
      }
    }
    accelerate();
    if (pass % kPenaltyPeriod != kPenaltyPeriod - 1) continue;
    const double before = penalty_;
    adaptPenalty(scaled);
    if (penalty_ != before) works = factorize(scaled);
  }
  y.assign(best_.begin(), best_.end());
  return least <= tolerance;
}

}  // namespace tenon::physics
