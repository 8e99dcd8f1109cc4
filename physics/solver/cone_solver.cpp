// See cone_solver.h.
#include "physics/solver/cone_solver.h"

#include <algorithm>

#include "physics/math/tolerances.h"

namespace tenon::physics {

namespace {

/// Factorizations of the active set method from a guess.
constexpr int kGuessedSets = 20;

}  // namespace

LinearReport ConeSolver::solveFrictional(const ScaledProblem& scaled, std::vector<double>& y,
                                         double tolerance) {
  LinearReport report;
  const bool guessed = isGuess(y);
  least_.reset(y);
  if (guessed) {
    report.solved = newton_.solveNear(scaled, y, tolerance, report.iterations);
    if (report.solved) return report;
    least_.note(newton_.least());
    if (const double swept = sweeps_.accuracy() / scaled.largestD(); !(scaled.naturalResidual(y) <= swept))
      report.iterations += sweeps_.solve(scaled, y, swept).iterations;
  }
  ProximalNewton::Options fromSweeps;
  if (guessed) fromSweeps.locked = kLockedFrictionTolerance / scaled.largestD();
  report.solved = newton_.solve(scaled, y, tolerance, fromSweeps, report.iterations);
  if (report.solved) return report;
  least_.note(newton_.least());
  const double limit = sufficient() / scaled.largestD();
  if (thorough() && !(least_.residual() <= limit)) {
    report.solved = path_.solve(scaled, y, guessed, tolerance, report.iterations);
    if (!report.solved) least_.note(y, scaled.naturalResidual(y));
  }
  if (!report.solved) {
    report.nearly = least_.residual() <= limit;
    y.assign(least_.forces().begin(), least_.forces().end());
  }
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
