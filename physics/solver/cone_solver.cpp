// See cone_solver.h.
#include "physics/solver/cone_solver.h"

#include <algorithm>

#include "physics/math/tolerances.h"

namespace tenon::physics {

LinearReport ConeSolver::solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) {
  LinearReport report;
  const bool guessed = isGuess(y);
  least_.reset(y);
  if (guessed || !scaled.frictional()) {
    report.solved = newton_.solveNear(scaled, y, tolerance, report.iterations);
    if (report.solved) return report;
    least_.note(newton_.least());
  }
  if (const double swept = sweeps_.accuracy() / scaled.largestD();
      guessed && !(scaled.naturalResidual(y) <= swept))
    report.iterations += sweeps_.solve(scaled, y, swept).iterations;
  ProximalNewton::Options fromSweeps;
  if (guessed && scaled.frictional()) fromSweeps.locked = kLockedFrictionTolerance / scaled.largestD();
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

}  // namespace tenon::physics
