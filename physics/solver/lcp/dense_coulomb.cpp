// See dense_coulomb.h.
#include "physics/solver/lcp/dense_coulomb.h"

#include <algorithm>
#include <cmath>

#include "physics/contact/coulomb_law.h"
#include "physics/math/nan_max.h"

namespace tenon::physics {
namespace {

constexpr double kSoft = 0.1;            ///< compliance of the first problem, relative to a contact's own [-]
constexpr double kSoftestContact = 1e3;  ///< fails where contacts this soft cannot be solved
constexpr double kRegular = 1e-10;       ///< compliance of the matrix
constexpr double kHard = 1e-10;          ///< the next stage is rigid
constexpr double kMinComplianceRatio = 1e-3;  ///< smallest ratio of successive ε
constexpr double kStageFactor = 1e3;          ///< tolerance of the stages, relative to that of the problem
constexpr int kDenseStageSteps = 14;          ///< Newton steps of one stage
constexpr int kRefusals = 12;                 ///< stages that may fail
constexpr int kPathBudget = 300;              ///< Newton steps of one path
constexpr double kSpreading[] = {1e-6, 1e-4, 1e-2};

/// Continuation paths, tried in this order: ρ and the first ratio of two ε.
constexpr struct { double rho, ratio; } kPaths[] = {{1, 0.1}, {0.3, 0.3}, {3, 0.3}};

}  // namespace

void DenseCoulomb::reserve(int size) {
  for (Eigen::VectorXd* v : {&y_, &z_, &step_, &last_}) v->resize(size);
  lu_.reserve(size);
}

double DenseCoulomb::evaluate(const DenseProblem& problem, double epsilon) {
  z_ = problem.b + epsilon * y_;
  z_.noalias() += problem.A * y_;
  double residual = 0;
  for (int k = 0; k < static_cast<int>(problem.mu.size()); ++k)
    residual =
        nanMax(residual, coulombErrorSize(y_.segment<3>(3 * k), z_.segment<3>(3 * k), problem.mu[k], rho_));
  return residual;
}

bool DenseCoulomb::step(const DenseProblem& problem, double epsilon) {
  const int size = problem.size();
  auto m = lu_.reset(size);
  for (int k = 0; k < static_cast<int>(problem.mu.size()); ++k) {
    const Vector3d y = y_.segment<3>(3 * k), z = z_.segment<3>(3 * k);
    const double mu = problem.mu[k];
    const ContactMode touch = contactModeOf(y, z, mu, rho_);
    Matrix3d P = Matrix3d::Zero(), Q = Matrix3d::Zero();
    Vector3d r = -z;
    if (touch == ContactMode::separated) {
      P.setIdentity();
      r = -y;
    } else if (touch == ContactMode::sticking && mu > 0) {
      Q.setIdentity();
    } else {
      const double n = y[0] - z[0];
      const Eigen::Vector2d s = y.tail<2>() - rho_ * z.tail<2>();
      const double length = s.norm();
      Eigen::Vector2d towards = Eigen::Vector2d::Zero();
      Eigen::Matrix2d turning = Eigen::Matrix2d::Zero();
      if (mu > 0) {
        towards = s / length;
        turning = mu * n / length * (Eigen::Matrix2d::Identity() - towards * towards.transpose());
      }
      Q(0, 0) = 1;
      P.block<2, 1>(1, 0) = -mu * towards;
      P.block<2, 2>(1, 1) = Eigen::Matrix2d::Identity() - turning;
      Q.block<2, 1>(1, 0) = mu * towards;
      Q.block<2, 2>(1, 1) = rho_ * turning;
      r.tail<2>() = mu * n * towards - y.tail<2>();
    }
    for (int j = 0; j < size; ++j) m.col(j).segment<3>(3 * k) = Q * problem.A.col(j).segment<3>(3 * k);
    m.block<3, 3>(3 * k, 3 * k) += P + epsilon * Q;
    step_.segment<3>(3 * k) = r;
  }
  if (!lu_.factorize()) return false;
  lu_.solve(step_);
  return step_.allFinite();
}

bool DenseCoulomb::newton(const DenseProblem& problem, double epsilon, double absoluteTolerance, int limit,
                          int& iterations) {
  for (int pass = 0;; ++pass) {
    const double residual = evaluate(problem, epsilon);
    if (residual <= absoluteTolerance && pass > 0) return true;
    if (pass == limit || !std::isfinite(residual)) return false;
    ++iterations;
    // Rigid redundant contacts leave the matrix singular; a little compliance in it alone, none in the
    // residual, makes the last steps converge linearly.
    if (!step(problem, std::max(epsilon, kRegular))) return false;
    y_ += step_;
  }
}

bool DenseCoulomb::redistribute(const DenseProblem& problem, double absoluteTolerance, Eigen::VectorXd& f,
                                int& iterations) {
  reserve(problem.size());
  rho_ = 1;
  y_ = f;
  if (newton(problem, 0, absoluteTolerance, kDenseStageSteps, iterations)) {
    f = y_;
    return true;
  }
  for (const double first : kSpreading) {
    y_ = f;
    bool solved = true;
    for (double epsilon = first; solved && epsilon >= kHard; epsilon *= 0.1)
      solved = newton(problem, epsilon, std::max(kStageFactor * absoluteTolerance, 1e-3 * epsilon),
                      kDenseStageSteps, iterations);
    if (!solved || !newton(problem, 0, absoluteTolerance, kDenseStageSteps, iterations)) continue;
    f = y_;
    return true;
  }
  return false;
}

bool DenseCoulomb::harden(const DenseProblem& problem, double absoluteTolerance, double first, double ratio,
                          int& iterations) {
  const int budget = iterations + kPathBudget;
  double epsilon = first;
  y_.setZero();
  last_.setZero();
  while (!newton(problem, epsilon, kStageFactor * absoluteTolerance, 2 * kDenseStageSteps, iterations)) {
    y_.setZero();
    if (epsilon >= kSoftestContact) return false;
    epsilon *= 10;
  }
  last_ = y_;
  int refusals = 0;
  while (iterations < budget && refusals <= kRefusals) {
    const double next = epsilon * ratio;
    const bool isLast = next < kHard;
    if (newton(problem, isLast ? 0 : next, isLast ? absoluteTolerance : kStageFactor * absoluteTolerance,
               kDenseStageSteps, iterations)) {
      last_ = y_;
      if (isLast) return true;
      epsilon = next;
      ratio = std::max(ratio * ratio, kMinComplianceRatio);
    } else {
      y_ = last_;
      ratio = std::sqrt(ratio);
      ++refusals;
    }
  }
  return false;
}

bool DenseCoulomb::solve(const DenseProblem& problem, double absoluteTolerance, Eigen::VectorXd& f,
                         int& iterations) {
  reserve(problem.size());
  for (const auto& path : kPaths) {
    rho_ = path.rho;
    const bool solved = harden(problem, absoluteTolerance, kSoft, path.ratio, iterations);
    if (solved || &path == kPaths) f = last_;
    if (!solved) continue;
    rho_ = 1;
    y_ = last_;
    if (evaluate(problem, 0) <= absoluteTolerance) return true;
  }
  return false;
}

}  // namespace tenon::physics
