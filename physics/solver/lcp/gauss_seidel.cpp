// See gauss_seidel.h.
#include "physics/solver/lcp/gauss_seidel.h"

#include <algorithm>
#include <cmath>

#include "physics/math/nan_max.h"

namespace tenon::physics {
namespace {

/// Forces beyond this, relative to the largest |b|, mean that the iteration diverges.
constexpr double kForceLimit = 1e30;

constexpr std::string_view kNoDiagonal = "a row has no positive diagonal entry, so it cannot be swept";
constexpr std::string_view kDivergedReason = "diverged";
constexpr std::string_view kSmallChange = "stopped because the forces changed too little";
constexpr std::string_view kTime = "stopped at the time limit";

}  // namespace

void GaussSeidel::reserveOwn(int size) {
  rows_.resize(size, size);
  w_.resize(size);
  before_.resize(size);
}

double GaussSeidel::sweepRows(const DenseProblem& problem, Eigen::VectorXd& f) {
  double change = 0;
  for (int i = 0; i < problem.size(); ++i) {
    const double diagonal = problem.A(i, i);
    const double rest = problem.b[i] + rows_.col(i).dot(f) - diagonal * f[i];
    const double next = problem.isJoint(i) ? -rest / diagonal : std::max(0.0, -rest / diagonal);
    change = nanMax(change, std::abs(next - f[i]));
    f[i] = next;
  }
  return change;
}

double GaussSeidel::sweepTriples(const DenseProblem& problem, Eigen::VectorXd& f) {
  double change = 0;
  for (int k = 0; k < static_cast<int>(problem.mu.size()); ++k) {
    const int n = 3 * k;
    const double push = f[n], w = problem.b[n] + rows_.col(n).dot(f);
    f[n] = std::max(0.0, push - w / problem.A(n, n));
    // Along the larger of the two stiffnesses, and of their coupling, a step never overshoots.
    const auto block = problem.A.block<2, 2>(n + 1, n + 1);
    const double stiffest = std::max(std::abs(block(0, 0)) + std::abs(block(0, 1)),
                                     std::abs(block(1, 1)) + std::abs(block(1, 0)));
    const Eigen::Vector2d friction = f.segment<2>(n + 1);
    Eigen::Vector2d next = friction;
    for (int i = 0; i < 2 && stiffest > 0; ++i)
      next[i] -= (problem.b[n + 1 + i] + rows_.col(n + 1 + i).dot(f)) / stiffest;
    const double length = next.norm(), radius = problem.mu[k] * f[n];
    if (length > radius) next *= radius / length;
    f.segment<2>(n + 1) = next;
    change = nanMax(change, nanMax(std::abs(f[n] - push), (next - friction).cwiseAbs().maxCoeff()));
  }
  return change;
}

// Without a solution, the forces grow in the direction that proves infeasibility.
std::string_view GaussSeidel::failureReason(const DenseProblem& problem, const Eigen::VectorXd& f) {
  before_ = f - before_;
  return provesInfeasible(problem, before_) ? dense_reason::kInfeasible : dense_reason::kLimit;
}

ScaledSolver::Attempt GaussSeidel::attempt(const DenseProblem& scaled, double absoluteTolerance,
                                           Eigen::VectorXd& f) {
  for (int i = 0; i < scaled.size(); i += scaled.frictional() ? 3 : 1)
    if (!(scaled.A(i, i) > 0)) return {0, kNoDiagonal};
  rows_ = scaled.A.transpose();
  // The scale includes the guess: convergence from a guess far larger than the solution is no divergence.
  const double largest = std::max({scaled.b.cwiseAbs().maxCoeff(), f.cwiseAbs().maxCoeff(), 1e-300});
  const double entries = static_cast<double>(scaled.size()) * scaled.size();
  const int sweeps = static_cast<int>(std::min<double>(options_.sweeps, 1 + options_.maxEntries / entries));
  for (int sweep = 1; sweep <= sweeps; ++sweep) {
    before_ = f;
    const double change = scaled.frictional() ? sweepTriples(scaled, f) : sweepRows(scaled, f);
    if (!(change <= kForceLimit * largest)) {
      f = before_;
      return {sweep, kDivergedReason};
    }
    // The residual is computed only near a solution, where it is about the size of the change.
    if (options_.untilSolved && change <= 10 * absoluteTolerance) {
      w_ = scaled.b;
      w_.noalias() += rows_.transpose() * f;
      if (naturalResidual(scaled, f, w_) <= absoluteTolerance) return {sweep, {}};
    }
    if (change <= options_.change * f.cwiseAbs().maxCoeff()) return {sweep, kSmallChange};
    if (options_.outOfTime && options_.outOfTime()) return {sweep, kTime};
  }
  return {sweeps, failureReason(scaled, f)};
}

}  // namespace tenon::physics
