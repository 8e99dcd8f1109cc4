// See cone_solver.h.
#include "physics/solver/cone_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::physics {

namespace {

/// Gap at which A is first tried from an interior point, relative to the square of max |c|, and the factor on
/// it after each attempt [-].
constexpr double kFirstFinish = 1e-4, kNextFinish = 1e-2;
/// Steps of the interior point method; more bodies than kManyBlocks need more.
constexpr int kInteriorSteps = 80, kManyInteriorSteps = 200, kManyBlocks = 200;
/// Steps in which the gap must halve, or the path ends [-].
constexpr int kStalledSteps = 15;
/// Interior start from zero, relative to max |c| [-].
constexpr double kColdShift = 1;
/// Factorizations of the active set method: from a guess, and from the end of the central path.
constexpr int kGuessedSets = 20, kLastSets = 60;
/// Compliance of its last attempt, which the proximal term takes out again [-].
constexpr double kLastCompliance = 1e-6;

bool isGuess(const std::vector<double>& y) {
  return std::any_of(y.begin(), y.end(), [](double entry) { return entry != 0; });
}

}  // namespace

bool ConicPath::follow(const ScaledProblem& scaled, std::vector<double>& y, double tolerance, double shift,
                       int& iterations) {
  interior_.start(scaled, y, shift);
  best_.assign(y.begin(), y.end());
  bestResidual_ = std::numeric_limits<double>::infinity();
  double finish = kFirstFinish * scaled.scale() * scaled.scale();
  double leastGap = std::numeric_limits<double>::infinity();
  int lastProgress = 0;
  const int limit = scaled.blocks() > kManyBlocks ? kManyInteriorSteps : kInteriorSteps;
  for (int pass = 0; pass < limit; ++pass) {
    ++iterations;
    if (!interior_.advance(scaled) || pass - lastProgress >= kStalledSteps) break;
    if (interior_.gap() <= 0.5 * leastGap) {
      leastGap = interior_.gap();
      lastProgress = pass;
    }
    if (interior_.residual() < bestResidual_) {
      bestResidual_ = interior_.residual();
      best_.assign(interior_.forces().begin(), interior_.forces().end());
    }
    if (bestResidual_ <= tolerance) {
      y.assign(best_.begin(), best_.end());
      return true;
    }
    if (!(interior_.gap() <= finish)) continue;
    finish = kNextFinish * interior_.gap();
    if (end(scaled, interior_.forces(), y, tolerance, iterations)) return true;
  }
  return end(scaled, best_, y, tolerance, iterations);
}

bool ConicPath::end(const ScaledProblem& scaled, const std::vector<double>& from, std::vector<double>& y,
                    double tolerance, int& iterations) {
  trial_.assign(from.begin(), from.end());
  if (!newton_.solve(scaled, trial_, tolerance, ProximalNewton::kFinish, iterations)) return false;
  y.assign(trial_.begin(), trial_.end());
  return true;
}

bool ConeSolver::solveFrictional(const ScaledProblem& scaled, std::vector<double>& y, double tolerance,
                                 int& iterations) {
  const bool guessed = isGuess(y);
  if (guessed && newton_.solve(scaled, y, tolerance, ProximalNewton::kNear, iterations)) return true;
  if (newton_.solve(scaled, y, tolerance, {}, iterations)) return true;
  const double scale = scaled.scale(), shift = guessed ? ConicPath::kWarmShift : kColdShift;
  if (path_.follow(scaled, y, tolerance, shift * scale, iterations)) return true;
  best_.assign(path_.best().begin(), path_.best().end());
  if (guessed) {
    const double residual = path_.bestResidual();
    y.assign(scaled.size(), 0.0);
    if (path_.follow(scaled, y, tolerance, kColdShift * scale, iterations)) return true;
    if (path_.bestResidual() < residual) best_.assign(path_.best().begin(), path_.best().end());
  }
  y.assign(best_.begin(), best_.end());
  return false;
}

bool ConeSolver::solveNormals(const ScaledProblem& scaled, std::vector<double>& y, double tolerance,
                              int& iterations) {
  if (activeSet_.settle(scaled, y, tolerance, kGuessedSets, iterations)) return true;
  normalPath_.follow(scaled, y, iterations);
  if (activeSet_.settle(scaled, y, tolerance, kLastSets, iterations)) return true;
  trial_.assign(activeSet_.last().begin(), activeSet_.last().end());
  if (activeSet_.settle(scaled, y, tolerance, kLastSets, iterations, kLastCompliance)) return true;
  for (double& entry : trial_) entry = std::max(0.0, entry);
  if (scaled.naturalResidual(trial_) < scaled.naturalResidual(y)) y.assign(trial_.begin(), trial_.end());
  return false;
}

LinearReport ConeSolver::solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) {
  LinearReport report;
  report.solved = scaled.frictional() ? solveFrictional(scaled, y, tolerance, report.iterations)
                                      : solveNormals(scaled, y, tolerance, report.iterations);
  if (report.solved) return report;
  const std::size_t stride = scaled.frictional() ? 3 : 1;
  for (std::size_t k = 0; k < y.size(); k += stride) {
    bool valid = y[k] > 0;
    for (std::size_t i = 0; i < stride; ++i) valid = valid && std::isfinite(y[k + i]);
    for (std::size_t i = 0; !valid && i < stride; ++i) y[k + i] = 0;
  }
  return report;
}

}  // namespace tenon::physics
