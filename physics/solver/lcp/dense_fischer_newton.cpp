// See dense_fischer_newton.h.
#include "physics/solver/lcp/dense_fischer_newton.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {
namespace {

constexpr int kMaxDenseSteps = 150;     ///< Newton steps at most
constexpr int kMaxDenseHalvings = 30;   ///< of a step that does not descend
constexpr double kArmijo = 1e-4;        ///< required fraction of the predicted descent [-]
constexpr double kFirstMu = 0.1;        ///< first μ, as a fraction of max|b| [-]
constexpr double kTryActiveSet = 1e-3;  ///< μ below which the active set method is tried, same fraction [-]
constexpr double kLastMu = 1e-13;       ///< below this rounding hides the path, same fraction [-]
constexpr int kSettleSteps = 4;
constexpr double kFinalEpsilon = 1e-9;  ///< relative to 1: regularizes redundant rows, see subset_system.h

constexpr std::string_view kStuck = "stopped at a point where no step descends";
constexpr std::string_view kCone = "the continuation from soft contacts to rigid ones failed";

}  // namespace

void DenseFischerNewton::reserveOwn(int size) {
  lu_.reserve(size);
  system_.reserve(size);
  coulomb_.reserve(size);
  active_.reserve(size);
  for (Eigen::VectorXd* v : {&z_, &phi_, &step_, &trial_, &settled_}) v->resize(size);
}

double DenseFischerNewton::evaluate(const DenseProblem& problem, const Eigen::VectorXd& y, double mu,
                                    double& squared) {
  z_ = problem.b;
  z_.noalias() += problem.A * y;
  for (int k = 0; k < problem.size(); ++k) {
    // For sum > 0 the difference sum − root loses all digits near the ends of the path; the quotient does
    // not.
    const double root = std::sqrt(y[k] * y[k] + z_[k] * z_[k] + 2 * mu * mu), sum = y[k] + z_[k];
    phi_[k] = problem.isJoint(k) ? z_[k] : sum > 0 ? 2 * (y[k] * z_[k] - mu * mu) / (sum + root) : sum - root;
  }
  squared = phi_.squaredNorm();
  return phi_.cwiseAbs().maxCoeff();
}

// (D_f + D_w A) p = −Φ with D_f = 1 − f/r, D_w = 1 − w/r, both without cancellation.
bool DenseFischerNewton::direction(const DenseProblem& problem, const Eigen::VectorXd& y, double mu) {
  const int n = problem.size();
  auto m = lu_.reset(n);
  for (int k = 0; k < n; ++k) {
    const double f = y[k], w = z_[k], root = std::sqrt(f * f + w * w + 2 * mu * mu);
    const double df = f > 0 ? (w * w + 2 * mu * mu) / (root * (root + f)) : 1 - f / root;
    const double dw = w > 0 ? (f * f + 2 * mu * mu) / (root * (root + w)) : 1 - w / root;
    step_[k] = problem.isJoint(k) ? 1 : dw;
    trial_[k] = problem.isJoint(k) ? kFinalEpsilon : df + kFinalEpsilon * dw;
  }
  for (int j = 0; j < n; ++j) m.col(j) = step_.cwiseProduct(problem.A.col(j));
  m.diagonal() += trial_;
  step_ = -phi_;
  if (!lu_.factorize()) return false;
  lu_.solve(step_);
  return step_.allFinite();
}

// From the guess S = {k : f_k > w_k}; see solver/active_set.h.
bool DenseFischerNewton::settle(const DenseProblem& problem, double absoluteTolerance, Eigen::VectorXd& f,
                                int& iterations) {
  settled_ = f;
  for (int pass = 0; pass < kSettleSteps; ++pass) {
    active_.clear();
    for (int k = 0; k < problem.size(); ++k)
      if (problem.isJoint(k) || settled_[k] > z_[k]) active_.push_back(k);
    ++iterations;
    system_.solve(problem.A, problem.b, active_, kFinalEpsilon, absoluteTolerance, settled_);
    z_ = problem.b;
    z_.noalias() += problem.A * settled_;
    if (!(naturalResidual(problem, settled_, z_) <= absoluteTolerance)) continue;
    f = settled_;
    return true;
  }
  return false;
}

ScaledSolver::Attempt DenseFischerNewton::attempt(const DenseProblem& scaled, double absoluteTolerance,
                                                  Eigen::VectorXd& f) {
  Attempt result;
  if (scaled.frictional()) {
    f.setZero();
    if (!coulomb_.solve(scaled, absoluteTolerance, f, result.iterations)) result.reason = kCone;
    return result;
  }
  const double scale = scaled.b.cwiseAbs().maxCoeff();
  f.setZero();
  if (scale == 0) return result;
  double mu = kFirstMu * scale, squared = 0;
  for (int k = 0; k < scaled.size(); ++k) f[k] = scaled.isJoint(k) ? 0 : mu;
  double norm = evaluate(scaled, f, mu, squared);
  while (result.iterations < kMaxDenseSteps) {
    ++result.iterations;
    if (!direction(scaled, f, mu)) break;
    double length = 1, trialSquared = 0, trialNorm = 0;
    int halvings = 0;
    for (; halvings < kMaxDenseHalvings; ++halvings, length *= 0.5) {
      trial_ = f + length * step_;
      trialNorm = evaluate(scaled, trial_, mu, trialSquared);
      if (trialSquared <= (1 - 2 * kArmijo * length) * squared) break;
    }
    const bool stuck = halvings == kMaxDenseHalvings;
    if (!stuck) {
      f.swap(trial_);
      norm = trialNorm;
      squared = trialSquared;
    }
    if (length == 1 && mu <= kTryActiveSet * scale && settle(scaled, absoluteTolerance, f, result.iterations))
      return result;
    if (stuck && mu <= kLastMu * scale) break;
    if (stuck || norm <= 2 * mu) {
      // A whole step means that the path is nearly straight here, a shortened one that it curves.
      mu = std::max(mu * (length == 1 ? 0.1 : 0.5), 0.5 * kLastMu * scale);
    }
    // settle() has left the w of its own trial.
    norm = evaluate(scaled, f, mu, squared);
  }
  result.reason = result.iterations < kMaxDenseSteps ? kStuck : dense_reason::kLimit;
  return result;
}

}  // namespace tenon::physics
