// See dense_solver.h.
#include "physics/solver/lcp/dense_solver.h"

#include <Eigen/QR>
#include <cmath>
#include <vector>

namespace tenon::physics {
namespace {

/// Pivots of A_JJ below this are zero, and a contact whose part outside the span of the joints is smaller is
/// held by them, relative to the largest pivot and to A_kk [-].
constexpr double kDependent = 1e-10;

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

// y = b_J − A_JJ x of least squares is orthogonal to all of A_JJ, and −yᵀb = −|y|² < 0 where joints
// contradict each other; y = e_k − x with A_JJ x = A_Jk where they hold contact k.
bool jointsProveInfeasible(const DenseProblem& problem) {
  std::vector<int> joints;
  for (int k = 0; k < problem.size(); ++k)
    if (problem.isJoint(k)) joints.push_back(k);
  if (joints.empty() || problem.frictional() || !problem.A.allFinite() || !problem.b.allFinite())
    return false;
  const Eigen::MatrixXd A = problem.A(joints, joints);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> system;
  system.setThreshold(kDependent);
  system.compute(A);
  Eigen::VectorXd y = Eigen::VectorXd::Zero(problem.size());
  const Eigen::VectorXd b = problem.b(joints);
  y(joints) = A * system.solve(b) - b;
  if (provesInfeasible(problem, y)) return true;
  for (int k = 0; k < problem.size(); ++k) {
    if (problem.isJoint(k)) continue;
    const Eigen::VectorXd column = problem.A.col(k)(joints), x = system.solve(column);
    if (std::abs(problem.A(k, k) - column.dot(x)) > kDependent * std::abs(problem.A(k, k))) continue;
    y.setZero();
    y(joints) = -x;
    y[k] = 1;
    if (provesInfeasible(problem, y)) return true;
  }
  return false;
}

}  // namespace tenon::physics
