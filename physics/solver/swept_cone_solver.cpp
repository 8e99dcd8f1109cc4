// See swept_cone_solver.h.
#include "physics/solver/swept_cone_solver.h"

namespace tenon::physics {

namespace {

bool isSweepable(const ScaledProblem& scaled) {
  for (int k = 0; k < scaled.contacts(); ++k)
    if (scaled.entries(k).empty() || scaled.entries(k).size() > 2) return false;
  return scaled.frictional();
}

}  // namespace

LinearReport SweptConeSolver::solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) {
  if (!isSweepable(scaled)) return cone_.solve(scaled, y, tolerance);
  LinearReport report;
  swept_.assign(y.begin(), y.end());
  report.iterations = sweeps_.solve(scaled, swept_, sweeps_.accuracy() / scaled.largestD()).iterations;
  y.assign(swept_.begin(), swept_.end());
  report.solved = newton_.solve(scaled, y, tolerance, {}, report.iterations);
  if (report.solved) return report;
  y.assign(swept_.begin(), swept_.end());
  const double shift = ConicPath::kWarmShift * scaled.scale();
  report.solved = path_.follow(scaled, y, tolerance, shift, report.iterations);
  if (!report.solved) y.assign(swept_.begin(), swept_.end());
  return report;
}

}  // namespace tenon::physics
