// See dense_problem.h.
#include "physics/solver/lcp/dense_problem.h"

#include <algorithm>
#include <cmath>

#include "physics/math/worst.h"
#include "physics/solver/coulomb_law.h"

namespace tenon::physics {
namespace {

constexpr double kSymmetric = 1e-12;  ///< of the largest entry
/// What counts as 0 in a proof of infeasibility, in units of the largest entries that were summed. A proof
/// that rounding may have made would only show that forces beyond 1e9 max|b| are needed.
constexpr double kProof = 1e-11;

}  // namespace

bool DenseProblem::hasJoints() const {
  return std::any_of(joint.begin(), joint.end(), [](char j) { return j != 0; });
}

bool DenseProblem::symmetric() const {
  double largest = 0, difference = 0;
  for (int j = 0; j < size(); ++j)
    for (int i = 0; i <= j; ++i) {
      largest = std::max({largest, std::abs(A(i, j)), std::abs(A(j, i))});
      difference = std::max(difference, std::abs(A(i, j) - A(j, i)));
    }
  return difference <= kSymmetric * largest;
}

double naturalResidual(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& f,
                       const Eigen::Ref<const Eigen::VectorXd>& w) {
  double residual = 0;
  if (problem.frictional()) {
    for (int k = 0; k < static_cast<int>(problem.mu.size()); ++k)
      residual =
          worst(residual, coulombErrorSize(f.segment<3>(3 * k), w.segment<3>(3 * k), problem.mu[k], 1.0));
    return residual;
  }
  for (int k = 0; k < problem.size(); ++k)
    residual = worst(residual, problem.isJoint(k) ? std::abs(w[k]) : complementarityError(f[k], w[k]));
  return residual;
}

bool provesInfeasible(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& y) {
  const double size = y.cwiseAbs().maxCoeff();
  if (problem.frictional() || !(size > 0) || !std::isfinite(size)) return false;
  for (int k = 0; k < problem.size(); ++k)
    if (!problem.isJoint(k) && y[k] < -kProof * size) return false;
  double onForces = 0;
  for (int k = 0; k < problem.size(); ++k) onForces = worst(onForces, std::abs(problem.A.col(k).dot(y)));
  const double largest = problem.A.cwiseAbs().maxCoeff();
  return onForces <= kProof * largest * size &&
         y.dot(problem.b) < -kProof * y.cwiseAbs().dot(problem.b.cwiseAbs());
}

}  // namespace tenon::physics
