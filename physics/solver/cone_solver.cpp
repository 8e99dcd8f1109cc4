// See cone_solver.h.
#include "physics/solver/cone_solver.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {

namespace {

/// Factorizations of the active set method: from a guess, and from the end of the smoothed Newton method.
constexpr int kGuessedSets = 20, kLastSets = 60;
/// Compliance of its last attempt, which the proximal term takes out again [-].
constexpr double kLastCompliance = 1e-6;

}  // namespace

LinearReport ConeSolver::solveFrictional(const ScaledProblem& scaled, std::vector<double>& y,
                                         double tolerance) {
  LinearReport report;
  const bool isGuess = std::any_of(y.begin(), y.end(), [](double entry) { return entry != 0; });
  report.solved = isGuess && newton_.solve(scaled, y, tolerance, ProximalNewton::kNear, report.iterations);
  if (report.solved) return report;
  const double swept = sweeps_.accuracy() / scaled.largestD();
  if (isGuess && !(scaled.naturalResidual(y) <= swept))
    report.iterations += sweeps_.solve(scaled, y, swept).iterations;
  report.solved = newton_.solve(scaled, y, tolerance, {}, report.iterations);
  if (report.solved) return report;
  const double limit = sufficient() / scaled.largestD();
  best_.assign(newton_.best().begin(), newton_.best().end());
  removePulls(best_);
  report.nearly = newton_.leastResidual() <= limit;
  if (!report.nearly) {
    best_.assign(y.begin(), y.end());
    report.solved = path_.solve(scaled, best_, tolerance, report.iterations);
    report.nearly = !report.solved && scaled.naturalResidual(best_) <= limit;
  }
  if (report.solved || report.nearly) y.assign(best_.begin(), best_.end());
  removePulls(y);
  return report;
}

LinearReport ConeSolver::solveNormals(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) {
  LinearReport report;
  report.solved = activeSet_.settle(scaled, y, tolerance, kGuessedSets, report.iterations);
  if (report.solved) return report;
  const LinearReport smoothed = fischer_.solve(scaled, y, tolerance);
  report.iterations += smoothed.iterations;
  report.solved = smoothed.solved || activeSet_.settle(scaled, y, tolerance, kLastSets, report.iterations) ||
                  activeSet_.settle(scaled, y, tolerance, kLastSets, report.iterations, kLastCompliance);
  if (report.solved) return report;
  trial_.assign(activeSet_.last().begin(), activeSet_.last().end());
  for (double& entry : trial_) entry = std::isfinite(entry) ? std::max(0.0, entry) : 0;
  if (scaled.naturalResidual(trial_) < scaled.naturalResidual(y)) y.assign(trial_.begin(), trial_.end());
  return report;
}

LinearReport ConeSolver::solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) {
  return scaled.frictional() ? solveFrictional(scaled, y, tolerance) : solveNormals(scaled, y, tolerance);
}

}  // namespace tenon::physics
