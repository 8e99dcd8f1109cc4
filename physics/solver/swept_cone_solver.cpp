// See swept_cone_solver.h.
#include "physics/solver/swept_cone_solver.h"

#include <algorithm>

#include "physics/math/tolerances.h"

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
  const double sweptResidual = sweeps_.accuracy() / scaled.largestD();
  if (!(scaled.naturalResidual(y) <= sweptResidual))
    report.iterations = sweeps_.solve(scaled, swept_, sweptResidual).iterations;
  y.assign(swept_.begin(), swept_.end());
  report.solved = newton_.solve(scaled, y, tolerance, {}, report.iterations);
  if (report.solved) return report;
  const double limit = std::max(kPenetrationTolerance, sufficient()) / scaled.largestD();
  double residual = newton_.leastResidual();
  best_.assign(newton_.best().begin(), newton_.best().end());
  if (!(residual <= limit)) {
    y.assign(swept_.begin(), swept_.end());
    if (path_.follow(scaled, y, tolerance, ConicPath::kWarmShift * scaled.scale(), report.iterations)) {
      report.solved = true;
      return report;
    }
    if (path_.bestResidual() < residual) {
      residual = path_.bestResidual();
      best_.assign(path_.best().begin(), path_.best().end());
    }
  }
  report.nearly = residual <= limit;
  y.assign(report.nearly ? best_.begin() : swept_.begin(), report.nearly ? best_.end() : swept_.end());
  for (std::size_t k = 0; k < y.size(); k += 3)
    if (!(y[k] > 0)) y[k] = y[k + 1] = y[k + 2] = 0;
  return report;
}

}  // namespace tenon::physics
