// See fischer_newton.h.
#include "physics/solver/fischer_newton.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {

namespace {

constexpr int kMaxNewtonSteps = 150;      ///< Newton steps at most; 10-20 are usual
constexpr int kMaxStepHalvings = 30;      ///< halvings of a step that does not descend
constexpr double kArmijoFraction = 1e-4;  ///< required fraction of the predicted descent [-]
constexpr double kFirstSmoothing = 0.1;   ///< first μ, as a fraction of max |c| [-]
constexpr double kExactEnd = 1e-3;        ///< μ below which the path is ended exactly, same fraction [-]
/// The proximal Newton method from points of the path, and from its end.
constexpr ProximalNewton::Options kFromPath{1e-9, 3, 0}, kFromEnd{1e-6, 60, 3};
constexpr double kLastSmoothing = 1e-13;  ///< below this rounding hides the path, same fraction [-]
/// ‖Φ‖∞ at which μ is reduced, relative to μ [-]; factors on μ after a whole step, which means that the path
/// is nearly straight there, and after a shortened one, where it curves [-].
constexpr double kNearPath = 2, kStraightReduction = 0.1, kCurvedReduction = 0.5;

}  // namespace

double FischerNewton::evaluate(const ScaledProblem& scaled, const std::vector<double>& y, double mu,
                               double& squared) {
  scaled.velocity(y, v_);
  scaled.distances(y, v_, z_);
  double largest = 0;
  squared = 0;
  for (std::size_t k = 0; k < y.size(); k += 3) {
    // For sum > 0 the difference sum − root loses all digits near the ends of the path; the quotient does
    // not.
    const double root = std::sqrt(y[k] * y[k] + z_[k] * z_[k] + 2 * mu * mu);
    const double sum = y[k] + z_[k];
    phi_[k] = sum > 0 ? 2 * (y[k] * z_[k] - mu * mu) / (sum + root) : sum - root;
    largest = std::max(largest, std::abs(phi_[k]));
    squared += phi_[k] * phi_[k];
  }
  return largest;
}

bool FischerNewton::direction(const ScaledProblem& scaled, const std::vector<double>& y, double mu) {
  // (D_y + D_z (H Hᵀ + ε)) p = −Φ  with  D_y = 1 − y/r, D_z = 1 − z/r.
  system_.reset(scaled);
  for (std::size_t k = 0; k < y.size(); k += 3) {
    const double root = std::sqrt(y[k] * y[k] + z_[k] * z_[k] + 2 * mu * mu);
    const double squareY = z_[k] * z_[k] + 2 * mu * mu;
    const double squareZ = y[k] * y[k] + 2 * mu * mu;
    // 1 − y/r without cancellation: (r² − y²) / (r (r + y)) for y > 0.
    ConeSystem::Block& at = system_.block(static_cast<int>(k / 3));
    at.P(0, 0) = y[k] > 0 ? squareY / (root * (root + y[k])) : 1 - y[k] / root;
    at.Q(0, 0) = z_[k] > 0 ? squareZ / (root * (root + z_[k])) : 1 - z_[k] / root;
    at.r[0] = -phi_[k];
    at.idle = false;
  }
  return system_.factorize() && system_.solve(step_, 1);
}

LinearReport FischerNewton::solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) {
  LinearReport report;
  if (scaled.frictional()) {
    const bool guessed = isGuess(y);
    report.solved = (guessed && newton_.solveNear(scaled, y, tolerance, report.iterations)) ||
                    cones_.solve(scaled, y, guessed, tolerance, report.iterations);
    return report;
  }
  const std::size_t count = y.size();
  for (auto* v : {&z_, &phi_, &step_, &trial_}) v->resize(count);
  v_.resize(scaled.dimension());

  const double scale = scaled.scale();
  double mu = kFirstSmoothing * scale;
  for (std::size_t k = 0; k < count; k += 3) y[k] = std::max(y[k], mu);
  double squared = 0;
  double norm = evaluate(scaled, y, mu, squared);
  while (report.iterations < kMaxNewtonSteps) {
    ++report.iterations;
    if (!direction(scaled, y, mu)) break;
    double length = 1;
    double trialSquared = 0;
    double trialNorm = 0;
    int halvings = 0;
    for (; halvings < kMaxStepHalvings; ++halvings, length *= 0.5) {
      for (std::size_t k = 0; k < count; ++k) trial_[k] = y[k] + length * step_[k];
      trialNorm = evaluate(scaled, trial_, mu, trialSquared);
      if (trialSquared <= (1 - 2 * kArmijoFraction * length) * squared) break;
    }
    const bool stuck = halvings == kMaxStepHalvings;
    if (!stuck) {
      y.swap(trial_);
      norm = trialNorm;
      squared = trialSquared;
    }
    if (length == 1 && mu <= kExactEnd * scale &&
        newton_.solve(scaled, y, tolerance, kFromPath, report.iterations)) {
      report.solved = true;
      return report;
    }
    if (stuck && mu <= kLastSmoothing * scale) break;
    if (stuck || norm <= kNearPath * mu) {
      mu *= length == 1 ? kStraightReduction : kCurvedReduction;
      mu = std::max(mu, kCurvedReduction * kLastSmoothing * scale);
      norm = evaluate(scaled, y, mu, squared);
    }
  }
  removePulls(y);
  // Rounding hides the path's end where heavy bodies press on light ones.
  report.solved = scaled.naturalResidual(y) <= tolerance ||
                  newton_.solve(scaled, y, tolerance, kFromEnd, report.iterations);
  return report;
}

}  // namespace tenon::physics
