// See dense_problem.h.
#include "physics/solver/lcp/dense_problem.h"

#include <algorithm>
#include <cmath>

#include "physics/contact/coulomb_law.h"
#include "physics/math/nan_max.h"

namespace tenon::physics {
namespace {

constexpr double kSymmetric = 1e-12;  ///< relative to the largest entry
/// Rounding of a sum, relative to the sum of the sizes of its terms.
constexpr double kSumRounding = 1e-12;
/// Forces in units of max|b|/max|A|: a problem that smaller ones cannot solve counts as infeasible.
constexpr double kBeyond = 1e10;

}  // namespace

bool DenseProblem::symmetric() const {
  // By tiles, as columns and rows of a large A are not in the cache together.
  constexpr int kTile = 16;
  const int n = size();
  double difference = 0;
  for (int left = 0; left < n; left += kTile)
    for (int top = 0; top <= left; top += kTile) {
      const int width = std::min(kTile, n - left), height = std::min(kTile, n - top);
      difference = std::max(
          difference, (A.block(top, left, height, width) - A.block(left, top, width, height).transpose())
                          .cwiseAbs()
                          .maxCoeff());
    }
  return difference == 0 || difference <= kSymmetric * A.cwiseAbs().maxCoeff();
}

void extendedResponse(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& f,
                      Eigen::VectorXd& w) {
  w.resize(problem.size());
  for (int i = 0; i < problem.size(); ++i) {
    long double sum = problem.b[i];
    for (int j = 0; j < problem.size(); ++j) sum += static_cast<long double>(problem.A(i, j)) * f[j];
    w[i] = static_cast<double>(sum);
  }
}

double naturalResidual(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& f,
                       const Eigen::Ref<const Eigen::VectorXd>& w) {
  double residual = 0;
  if (problem.frictional()) {
    for (int k = 0; k < static_cast<int>(problem.mu.size()); ++k)
      residual =
          nanMax(residual, coulombErrorSize(f.segment<3>(3 * k), w.segment<3>(3 * k), problem.mu[k], 1.0));
    return residual;
  }
  for (int k = 0; k < problem.size(); ++k)
    residual = nanMax(residual, problem.isJoint(k) ? std::abs(w[k]) : complementarityError(f[k], w[k]));
  return residual;
}

double unwantedResponse(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& f,
                        const Eigen::Ref<const Eigen::VectorXd>& w) {
  double largest = 0;
  for (int k = 0; k < problem.size(); ++k)
    largest = std::max(largest, problem.isJoint(k) || f[k] > 0 ? std::abs(w[k]) : -w[k]);
  return largest;
}

bool provesInfeasible(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& y) {
  const double size = y.cwiseAbs().maxCoeff();
  if (problem.frictional() || !(size > 0) || !std::isfinite(size)) return false;
  for (int k = 0; k < problem.size(); ++k)
    if (!problem.isJoint(k) && y[k] < -kSumRounding * size) return false;
  // 0 ≤ yᵀw = (Aᵀy)ᵀf + yᵀb would need |f| ≥ −yᵀb/|Aᵀy|.
  double onForces = 0;
  for (int k = 0; k < problem.size(); ++k) onForces += std::abs(problem.A.col(k).dot(y));
  const double onB = -y.dot(problem.b), largest = problem.b.cwiseAbs().maxCoeff();
  return onB > kSumRounding * y.cwiseAbs().dot(problem.b.cwiseAbs()) &&
         onB * problem.A.cwiseAbs().maxCoeff() > kBeyond * largest * onForces;
}

}  // namespace tenon::physics
