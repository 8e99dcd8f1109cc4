// See coulomb_newton.h.
#include "physics/solver/coulomb_newton.h"

#include <algorithm>
#include <cmath>

#include "physics/contact/coulomb_law.h"
#include "physics/math/nan_max.h"

namespace tenon::physics {

namespace {

constexpr double kFirstEpsilon = 0.1;    ///< softest contacts begun with: a tenth of a contact's own give [-]
constexpr double kSoftest = 1e3;         ///< give up where not even this soft ones can be solved [-]
constexpr double kHardEpsilon = 2e-9;    ///< next would be the form's own compliance [-]
constexpr double kLeastRatio = 1e-3;     ///< of one ε to the last [-]
constexpr int kFirstSteps = 20;          ///< Newton steps for the softest problem
constexpr int kStageSteps = 10;          ///< for each of the others
constexpr int kLastSteps = 14;           ///< for the form itself
constexpr int kRefusals = 12;            ///< stages that may fail, each making the next step of ε smaller
constexpr int kBudget = 300;             ///< Newton steps of one path
constexpr double kStageTolerance = 1e2;  ///< of the stages on the way, times that of the end [-]

/// Compliances from which the load of a guess is spread, one after the other [-].
constexpr double kSpreading[] = {1e-6, 1e-4, 1e-2};

/// One after the other, should a path be lost: ρ and the first ratio of two ε.
constexpr struct { double rho, ratio; } kPaths[] = {{1, 0.1}, {0.3, 0.3}, {3, 0.3}};

Vector3d triple(const std::vector<double>& y, int k) {
  return Vector3d(y[3 * k], y[3 * k + 1], y[3 * k + 2]);
}

/// What is left of pulling is rounding; forces must not pull.
void pushOnly(std::vector<double>& y) {
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
  const Eigen::Vector2d towards = s / length;
  const Eigen::Matrix2d turning =
      mu * n / length * (Eigen::Matrix2d::Identity() - towards * towards.transpose());
  out.P.setZero();
  out.Q.setZero();
  out.Q(0, 0) = 1;
  out.P.block<2, 1>(1, 0) = -mu * towards;
  out.P.block<2, 2>(1, 1) = Eigen::Matrix2d::Identity() - turning;
  out.Q.block<2, 1>(1, 0) = mu * towards;
  out.Q.block<2, 2>(1, 1) = rho * turning;
  out.r << -z[0], mu * n * towards - y.tail<2>();
}

}  // namespace

double CoulombNewton::evaluate(const ScaledProblem& form, double leastEpsilon) {
  form.velocity(y_, v_);
  double residual = 0;
  for (int k = 0; k < form.contacts(); ++k) {
    const ScaledProblem::Row& row = form.row(k);
    const ScaledProblem::TangentRows& t = form.tangents(k);
    const Vector3d y = triple(y_, k);
    Vector3d z;
    z[0] = row.c + form.normalComponent(k, v_) + std::max(row.epsilon, leastEpsilon) * y[0];
    z.tail<2>() = t.c + form.tangentialComponent(k, v_) + std::max(t.epsilon, leastEpsilon) * y.tail<2>();
    for (int i = 0; i < 3; ++i) z_[3 * k + i] = z[i];
    residual = nanMax(residual, coulombErrorSize(y, z, t.mu, rho_));
  }
  return residual;
}

void CoulombNewton::linearize(const ScaledProblem& form) {
  for (int k = 0; k < form.contacts(); ++k) {
    ConeSystem::Block& at = system_.block(k);
    const Vector3d y = triple(y_, k), z = triple(z_, k);
    const double mu = form.tangents(k).mu;
    const ContactMode touch = contactModeOf(y, z, mu, rho_);
    at.idle = touch == ContactMode::separated;
    if (at.idle) {
      at.P.setIdentity();
      at.Q.setZero();
      at.r = -y;
    } else if (touch == ContactMode::sliding) {
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

bool CoulombNewton::newton(const ScaledProblem& form, double leastEpsilon, double tolerance, int limit,
                           int& iterations) {
  v_.resize(form.dimension());
  z_.resize(form.size());
  step_.resize(form.size());
  for (int pass = 0;; ++pass) {
    const double residual = evaluate(form, leastEpsilon);
    if (pass > 0 && residual <= tolerance) return true;
    if (pass == limit || !std::isfinite(residual)) return false;
    ++iterations;
    system_.reset(form, leastEpsilon);
    linearize(form);
    if (!system_.solve(step_, 1)) return false;
    for (std::size_t k = 0; k < y_.size(); ++k) y_[k] += step_[k];
  }
}

bool CoulombNewton::settle(const ScaledProblem& form, std::vector<double>& y, double tolerance, int limit,
                           int& iterations) {
  rho_ = 1;
  y_.assign(y.begin(), y.end());
  if (!newton(form, 0, tolerance, limit, iterations)) return false;
  pushOnly(y_);
  y.assign(y_.begin(), y_.end());
  return true;
}

bool CoulombNewton::spread(const ScaledProblem& form, std::vector<double>& y, double tolerance, int limit,
                           int& iterations) {
  if (settle(form, y, tolerance, limit, iterations)) return true;
  for (const double first : kSpreading) {
    y_.assign(y.begin(), y.end());
    bool solved = true;
    for (double epsilon = first; solved && epsilon >= kHardEpsilon; epsilon *= 0.1)
      solved = newton(form, epsilon, kStageTolerance * tolerance, limit, iterations);
    if (!solved || !newton(form, 0, tolerance, limit, iterations)) continue;
    pushOnly(y_);
    y.assign(y_.begin(), y_.end());
    return true;
  }
  return false;
}

bool CoulombNewton::harden(const ScaledProblem& form, double tolerance, double ratio, int& iterations) {
  const double onTheWay = kStageTolerance * tolerance;
  const int budget = iterations + kBudget;
  double epsilon = kFirstEpsilon;
  y_.assign(form.size(), 0.0);
  while (!newton(form, epsilon, onTheWay, kFirstSteps, iterations)) {
    y_.assign(form.size(), 0.0);
    if (epsilon >= kSoftest) return false;
    epsilon *= 10;
  }
  last_.assign(y_.begin(), y_.end());
  int refusals = 0;
  while (iterations < budget && refusals <= kRefusals) {
    const double next = epsilon * ratio;
    const bool isLast = next < kHardEpsilon;
    if (isLast ? newton(form, 0, tolerance, kLastSteps, iterations)
               : newton(form, next, onTheWay, kStageSteps, iterations)) {
      if (isLast) return true;
      last_.assign(y_.begin(), y_.end());
      epsilon = next;
      ratio = std::max(ratio * ratio, kLeastRatio);
    } else {
      y_.assign(last_.begin(), last_.end());
      ratio = std::sqrt(ratio);
      ++refusals;
    }
  }
  return false;
}

bool CoulombNewton::solve(const ScaledProblem& form, std::vector<double>& y, double tolerance,
                          int& iterations) {
  bool solved = false;
  for (const auto& path : kPaths) {
    rho_ = path.rho;
    solved = harden(form, tolerance, path.ratio, iterations);
    // What a path with another ρ has settled is told by its own measure.
    solved = solved && (path.rho == 1 || form.naturalResidual(y_) <= tolerance);
    if (solved) break;
    if (&path == kPaths) hardest_.assign(y_.begin(), y_.end());
  }
  if (!solved) y_.assign(hardest_.begin(), hardest_.end());
  pushOnly(y_);
  y.assign(y_.begin(), y_.end());
  return solved;
}

}  // namespace tenon::physics
