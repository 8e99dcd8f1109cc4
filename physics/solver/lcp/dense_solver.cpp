// See dense_solver.h.
#include "physics/solver/lcp/dense_solver.h"

#include <cmath>

namespace tenon::physics {
namespace {

/// True if some force moves w_k in the direction `sense`; one-sided forces only push.
bool canMove(const DenseProblem& problem, int k, double sense) {
  for (int j = 0; j < problem.size(); ++j) {
    const bool eitherSign = problem.isJoint(j) || (problem.frictional() && j % 3 != 0);
    if (sense * problem.A(k, j) > 0 || (eitherSign && problem.A(k, j) != 0)) return true;
  }
  return false;
}

}  // namespace

std::string_view diagnoseSingleRow(const DenseProblem& problem) {
  std::string_view diagnosis;
  for (int k = 0; k < problem.size(); ++k) {
    const bool joint = problem.isJoint(k);
    if (problem.frictional() && k % 3 != 0) continue;
    const double missing = joint ? std::abs(problem.b[k]) : -problem.b[k];
    if (!(missing > problem.absoluteTolerance())) continue;
    if (!canMove(problem, k, problem.b[k] > 0 ? -1 : 1)) return dense_reason::kInfeasible;
    if (!joint && !(problem.A(k, k) > 0)) diagnosis = dense_reason::kUnbounded;
  }
  return diagnosis;
}

}  // namespace tenon::physics
