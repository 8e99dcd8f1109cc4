// See fischer_newton.h.
#include "physics/solver/fischer_newton.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tenon::physics {

namespace {

constexpr int kMaxNewtonSteps = 150;      ///< Newton steps at most; 10-20 are usual
constexpr int kMaxStepHalvings = 30;      ///< halvings of a step that does not descend
constexpr double kArmijoFraction = 1e-4;  ///< required fraction of the predicted descent [-]
constexpr double kFirstSmoothing = 0.1;   ///< first μ, as a fraction of max |c| [-]
constexpr double kActiveSetSmoothing =
    1e-3;                           ///< μ below which the active set method is tried, same fraction [-]
constexpr int kActiveSetSteps = 3;  ///< factorizations from a point of the path to the solution
/// Factorizations of the active set method from the end of the path, and the compliance of its last attempt,
/// which the proximal term takes out again [-].
constexpr int kLastSets = 60;
constexpr double kLastCompliance = 1e-6;
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
  for (std::size_t k = 0; k < y.size(); ++k) {
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
  // (D_y + D_z (H Hᵀ + ε)) p = −Φ  with  D_y = 1 − y/r, D_z = 1 − z/r; divided by D_z it is symmetric.
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double root = std::sqrt(y[k] * y[k] + z_[k] * z_[k] + 2 * mu * mu);
    const double squareY = z_[k] * z_[k] + 2 * mu * mu;
    const double squareZ = y[k] * y[k] + 2 * mu * mu;
    // 1 − y/r without cancellation: (r² − y²) / (r (r + y)) for y > 0.
    const double dy = y[k] > 0 ? squareY / (root * (root + y[k])) : 1 - y[k] / root;
    const double dz = z_[k] > 0 ? squareZ / (root * (root + z_[k])) : 1 - z_[k] / root;
    shift_[k] = dy / dz + scaled.row(static_cast<int>(k)).epsilon;
    step_[k] = -phi_[k] / dz;
  }
  if (!system_.factorize(scaled, all_, shift_)) return false;
  system_.solve(step_, 1);
  return std::all_of(step_.begin(), step_.end(), [](double x) { return std::isfinite(x); });
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
  all_.resize(count);
  std::iota(all_.begin(), all_.end(), 0);
  for (auto* v : {&shift_, &z_, &phi_, &step_, &trial_}) v->resize(count);
  v_.resize(scaled.dimension());

  const double scale = scaled.scale();
  double mu = kFirstSmoothing * scale;
  for (double& entry : y) entry = std::max(entry, mu);
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
    if (length == 1 && mu <= kActiveSetSmoothing * scale &&
        activeSet_.settle(scaled, y, tolerance, kActiveSetSteps, report.iterations)) {
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
  for (double& entry : y) entry = std::isfinite(entry) ? std::max(0.0, entry) : 0.0;
  report.solved = scaled.naturalResidual(y) <= tolerance || settle(scaled, y, tolerance, report.iterations);
  return report;
}

// Rounding hides the path's end where heavy bodies press on light ones.
bool FischerNewton::settle(const ScaledProblem& scaled, std::vector<double>& y, double tolerance,
                           int& iterations) {
  if (activeSet_.settle(scaled, y, tolerance, kLastSets, iterations) ||
      activeSet_.settle(scaled, y, tolerance, kLastSets, iterations, kLastCompliance))
    return true;
  trial_.assign(activeSet_.last().begin(), activeSet_.last().end());
  for (double& entry : trial_) entry = std::isfinite(entry) ? std::max(0.0, entry) : 0;
  if (scaled.naturalResidual(trial_) < scaled.naturalResidual(y)) y.assign(trial_.begin(), trial_.end());
  return false;
}

}  // namespace tenon::physics
