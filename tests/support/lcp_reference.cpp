// All 2^K bases, one after the other.
#include "tests/support/lcp_reference.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace tenon::tests {

std::vector<Eigen::VectorXd> allSolutions(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                          double tolerance) {
  std::vector<Eigen::VectorXd> found;
  for (int choice = 0; choice < 1 << b.size(); ++choice) {
    std::vector<int> active;
    for (int k = 0; k < b.size(); ++k) {
      if (choice >> k & 1) active.push_back(k);
    }
    Eigen::VectorXd f = Eigen::VectorXd::Zero(b.size());
    if (!active.empty()) {
      const Eigen::FullPivLU<Eigen::MatrixXd> lu(A(active, active));
      if (!lu.isInvertible()) continue;
      f(active) = lu.solve(-b(active));
    }
    if (naturalResidual(A, b, f) <= tolerance) found.push_back(f);
  }
  return found;
}

double naturalResidual(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& f) {
  const Eigen::VectorXd w = A * f + b;
  double worst = 0;
  for (Eigen::Index k = 0; k < b.size(); ++k) worst = std::max(worst, std::abs(std::min(f[k], w[k])));
  return worst;
}

double coulombResidual(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const std::vector<double>& mu,
                       const Eigen::VectorXd& f) {
  const Eigen::VectorXd w = A * f + b;
  double largest = 0;
  for (Eigen::Index k = 0; k < f.size(); k += 3) {
    const double n = std::max(0.0, f[k] - w[k]), radius = mu[k / 3] * n;
    Eigen::Vector2d t = f.segment<2>(k + 1) - w.segment<2>(k + 1);
    if (t.norm() > radius) t *= radius / t.norm();
    const double error = std::max(std::abs(f[k] - n), (f.segment<2>(k + 1) - t).cwiseAbs().maxCoeff());
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

}  // namespace tenon::tests
