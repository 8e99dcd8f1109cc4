// See cone_solver.h.
#include "physics/solver/cone_solver.h"

#include <algorithm>

namespace tenon::physics {

namespace {

/// Factorizations of the active set method from a guess.
constexpr int kGuessedSets = 20;

}  // namespace

LinearReport ConeSolver::solveFrictional(const ScaledProblem& scaled, std::vector<double>& y,
                                         double tolerance) {
  LinearReport report;
  const bool guessed = isGuess(y);
  report.solved = guessed && newton_.solveNear(scaled, y, tolerance, report.iterations);
  if (report.solved) return report;
  const double swept = sweeps_.accuracy() / scaled.largestD();
  if (guessed && !(scaled.naturalResidual(y) <= swept))
    report.iterations += sweeps_.solve(scaled, y, swept).iterations;
  report.solved = newton_.solve(scaled, y, tolerance, {}, report.iterations);
  if (report.solved) return report;
  const double limit = sufficient() / scaled.largestD();
  best_.assign(newton_.least().forces().begin(), newton_.least().forces().end());
  removePulls(best_);
  report.nearly = newton_.least().residual() <= limit;
  if (!report.nearly) {
    best_.assign(y.begin(), y.end());
    report.solved = path_.solve(scaled, best_, guessed, tolerance, report.iterations);
    report.nearly = !report.solved && scaled.naturalResidual(best_) <= limit;
  }
  if (report.solved || report.nearly)
    y.assign(best_.begin(), best_.end());
  else if (!guessed)
    report.iterations += sweeps_.solve(scaled, y, swept).iterations;
  removePulls(y);
  return report;
}

LinearReport ConeSolver::solveNormals(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) {
  LinearReport report;
  report.solved = activeSet_.settle(scaled, y, tolerance, kGuessedSets, report.iterations);
  if (report.solved) return report;
  const int iterations = report.iterations;
  report = fischer_.solve(scaled, y, tolerance);
  report.iterations += iterations;
  return report;
}

LinearReport ConeSolver::solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) {
  return scaled.frictional() ? solveFrictional(scaled, y, tolerance) : solveNormals(scaled, y, tolerance);
}

}  // namespace tenon::physics
