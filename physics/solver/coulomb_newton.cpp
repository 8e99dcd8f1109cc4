// See coulomb_newton.h.
#include "physics/solver/coulomb_newton.h"

#include <algorithm>
#include <cmath>

#include "physics/contact/coulomb_law.h"
#include "physics/math/nan_max.h"

namespace tenon::physics {

namespace {

constexpr double kFirstEpsilon = 0.1;    ///< compliance of the first problem, relative to a contact's own [-]
constexpr double kSoftest = 1e3;         ///< fails where contacts this soft cannot be solved [-]
constexpr double kHardEpsilon = 2e-9;    ///< the next stage has the problem's own compliance [-]
constexpr double kMinRatio = 1e-3;       ///< smallest ratio of successive ε [-]
constexpr int kFirstSteps = 20;          ///< Newton steps for the softest problem
constexpr int kStageSteps = 10;          ///< for each later stage
constexpr int kLastSteps = 14;           ///< for the problem itself
constexpr int kMaxFailedStages = 12;     ///< stages that may fail; each makes the next step of ε smaller
constexpr int kBudget = 300;             ///< Newton steps of one path
constexpr double kStageTolerance = 1e2;  ///< of the intermediate stages, relative to that of the problem [-]

/// First compliances with which the load of a guess is redistributed, tried in this order [-].
constexpr double kFirstCompliances[] = {1e-6, 1e-4, 1e-2};

/// Continuation paths, tried in this order: ρ and the first ratio of two ε.
constexpr struct { double rho, ratio; } kPaths[] = {{1, 0.1}, {0.3, 0.3}, {3, 0.3}};

Vector3d contactEntries(const std::vector<double>& y, int k) {
  return Vector3d(y[3 * k], y[3 * k + 1], y[3 * k + 2]);
}

/// Negative normal forces that remain are rounding; forces must not pull.
void removePulls(std::vector<double>& y) {
  for (std::size_t k = 0; k < y.size(); k += 3) {
    if (y[k] > 0 && std::isfinite(y[k] + y[k + 1] + y[k + 2])) continue;
    y[k] = y[k + 1] = y[k + 2] = 0;
  }
}

/// P, Q and r of a contact that slides.
void slide(const Vector3d& y, const Vector3d& z, double mu, double rho, ConeSystem::Block& out) {
  const double n = y[0] - z[0];
  const Eigen::Vector2d s = y.tail<2>() - rho * z.tail<2>();
  const double length = s.norm();
  const Eigen::Vector2d direction = s / length;
  const Eigen::Matrix2d projector =
      mu * n / length * (Eigen::Matrix2d::Identity() - direction * direction.transpose());
  out.P.setZero();
  out.Q.setZero();
  out.Q(0, 0) = 1;
  out.P.block<2, 1>(1, 0) = -mu * direction;
  out.P.block<2, 2>(1, 1) = Eigen::Matrix2d::Identity() - projector;
  out.Q.block<2, 1>(1, 0) = mu * direction;
  out.Q.block<2, 2>(1, 1) = rho * projector;
  out.r << -z[0], mu * n * direction - y.tail<2>();
}

}  // namespace

double CoulombNewton::evaluate(const ScaledProblem& scaled, double minEpsilon) {
  scaled.velocity(y_, v_);
  double residual = 0;
  for (int k = 0; k < scaled.contacts(); ++k) {
    const ScaledProblem::Row& row = scaled.row(k);
    const ScaledProblem::TangentRows& t = scaled.tangents(k);
    const Vector3d y = contactEntries(y_, k);
    Vector3d z;
    z[0] = row.c + scaled.normalComponent(k, v_) + std::max(row.epsilon, minEpsilon) * y[0];
    z.tail<2>() = t.c + scaled.tangentialComponent(k, v_) + std::max(t.epsilon, minEpsilon) * y.tail<2>();
    for (int i = 0; i < 3; ++i) z_[3 * k + i] = z[i];
    residual = nanMax(residual, coulombErrorSize(y, z, t.mu, rho_));
  }
  return residual;
}

void CoulombNewton::linearize(const ScaledProblem& scaled) {
  for (int k = 0; k < scaled.contacts(); ++k) {
    ConeSystem::Block& at = system_.block(k);
    const Vector3d y = contactEntries(y_, k), z = contactEntries(z_, k);
    const double mu = scaled.tangents(k).mu;
    const ContactMode mode = contactModeOf(y, z, mu, rho_);
    at.idle = mode == ContactMode::separated;
    if (at.idle) {
      at.P.setIdentity();
      at.Q.setZero();
      at.r = -y;
    } else if (mode == ContactMode::sliding) {
      slide(y, z, mu, rho_, at);
    } else {
      at.P.setZero();
      at.Q.setIdentity();
      at.r = -z;
      if (mu > 0) continue;
      at.P(1, 1) = at.P(2, 2) = 1;
      at.Q(1, 1) = at.Q(2, 2) = 0;
      at.r.tail<2>() = -y.tail<2>();
    }
  }
}

bool CoulombNewton::newton(const ScaledProblem& scaled, double minEpsilon, double tolerance, int limit,
                           int& iterations) {
  v_.resize(scaled.dimension());
  z_.resize(scaled.size());
  step_.resize(scaled.size());
  for (int pass = 0;; ++pass) {
    const double residual = evaluate(scaled, minEpsilon);
    if (pass > 0 && residual <= tolerance) return true;
    if (pass == limit || !std::isfinite(residual)) return false;
    ++iterations;
    system_.reset(scaled, minEpsilon);
    linearize(scaled);
    if (!system_.solve(step_, 1)) return false;
    for (std::size_t k = 0; k < y_.size(); ++k) y_[k] += step_[k];
  }
}

bool CoulombNewton::settle(const ScaledProblem& scaled, std::vector<double>& y, double tolerance, int limit,
                           int& iterations) {
  rho_ = 1;
  y_.assign(y.begin(), y.end());
  if (!newton(scaled, 0, tolerance, limit, iterations)) return false;
  removePulls(y_);
  y.assign(y_.begin(), y_.end());
  return true;
}

bool CoulombNewton::redistribute(const ScaledProblem& scaled, std::vector<double>& y, double tolerance,
                                 int limit, int& iterations) {
  if (settle(scaled, y, tolerance, limit, iterations)) return true;
  for (const double first : kFirstCompliances) {
    y_.assign(y.begin(), y.end());
    bool solved = true;
    for (double epsilon = first; solved && epsilon >= kHardEpsilon; epsilon *= 0.1)
      solved = newton(scaled, epsilon, kStageTolerance * tolerance, limit, iterations);
    if (!solved || !newton(scaled, 0, tolerance, limit, iterations)) continue;
    removePulls(y_);
    y.assign(y_.begin(), y_.end());
    return true;
  }
  return false;
}

bool CoulombNewton::harden(const ScaledProblem& scaled, double tolerance, double ratio, int& iterations) {
  const double stageTolerance = kStageTolerance * tolerance;
  const int budget = iterations + kBudget;
  double epsilon = kFirstEpsilon;
  y_.assign(scaled.size(), 0.0);
  while (!newton(scaled, epsilon, stageTolerance, kFirstSteps, iterations)) {
    y_.assign(scaled.size(), 0.0);
    if (epsilon >= kSoftest) return false;
    epsilon *= 10;
  }
  last_.assign(y_.begin(), y_.end());
  int failedStages = 0;
  while (iterations < budget && failedStages <= kMaxFailedStages) {
    const double next = epsilon * ratio;
    const bool isLast = next < kHardEpsilon;
    if (isLast ? newton(scaled, 0, tolerance, kLastSteps, iterations)
               : newton(scaled, next, stageTolerance, kStageSteps, iterations)) {
      if (isLast) return true;
      last_.assign(y_.begin(), y_.end());
      epsilon = next;
      ratio = std::max(ratio * ratio, kMinRatio);
    } else {
      y_.assign(last_.begin(), last_.end());
      ratio = std::sqrt(ratio);
      ++failedStages;
    }
  }
  return false;
}

bool CoulombNewton::solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance,
                          int& iterations) {
  bool solved = false;
  for (const auto& path : kPaths) {
    rho_ = path.rho;
    solved = harden(scaled, tolerance, path.ratio, iterations);
    // Another ρ has another residual; verify the natural one.
    solved = solved && (path.rho == 1 || scaled.naturalResidual(y_) <= tolerance);
    if (solved) break;
    if (&path == kPaths) stiffest_.assign(y_.begin(), y_.end());
  }
  if (!solved) y_.assign(stiffest_.begin(), stiffest_.end());
  removePulls(y_);
  y.assign(y_.begin(), y_.end());
  return solved;
}

}  // namespace tenon::physics
