// See subset_system.h.
#include "physics/solver/lcp/subset_system.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {
namespace {

constexpr int kProximalSteps = 30;
constexpr double kStopFraction = 0.01;  ///< fraction of the tolerance at which refinement ends

}  // namespace

void SubsetSystem::reserve(int size) {
  if (size <= step_.size()) return;
  lu_.reserve(size);
  block_.resize(size, size);
  for (auto* v : {&first_, &last_}) v->resize(size);
  for (Eigen::VectorXd* v : {&step_, &forces_}) v->resize(size);
}

void SubsetSystem::gather(const Eigen::Ref<const Eigen::MatrixXd>& A, const std::vector<int>& subset,
                          double epsilon) {
  const int m = static_cast<int>(subset.size());
  auto regular = lu_.reset(m);
  for (int c = 0; c < m; ++c) {
    first_[c] = m;
    last_[c] = -1;
    for (int r = 0; r < m; ++r) {
      const double entry = A(subset[r], subset[c]);
      block_(r, c) = entry;
      regular(r, c) = entry;
      if (entry == 0) continue;
      first_[c] = std::min(first_[c], r);
      last_[c] = r;
    }
    regular(c, c) += epsilon;
  }
}

bool SubsetSystem::solve(const Eigen::Ref<const Eigen::MatrixXd>& A,
                         const Eigen::Ref<const Eigen::VectorXd>& b, const std::vector<int>& subset,
                         double epsilon, double absoluteTolerance, Eigen::Ref<Eigen::VectorXd> f) {
  const int m = static_cast<int>(subset.size());
  reserve(m);
  f.setZero();
  step_.setZero();
  if (m == 0) return true;
  gather(A, subset, epsilon);
  if (!lu_.factorize()) return false;
  forces_.head(m).setZero();
  double before = HUGE_VAL;
  for (int step = 0;; ++step) {
    for (int r = 0; r < m; ++r) step_[r] = -b[subset[r]];
    for (int c = 0; c < m; ++c) {
      const int length = last_[c] - first_[c] + 1;
      if (length > 0)
        step_.segment(first_[c], length) -= forces_[c] * block_.col(c).segment(first_[c], length);
    }
    const double largest = step_.head(m).cwiseAbs().maxCoeff();
    const bool good = largest <= kStopFraction * absoluteTolerance && step > 1;
    if (good || step == kProximalSteps || !(largest < 2 * before)) {
      for (int r = 0; r < m; ++r) f[subset[r]] = forces_[r];
      return largest <= absoluteTolerance;
    }
    before = largest;
    lu_.solve(step_.head(m));
    forces_.head(m) += step_.head(m);
  }
}

}  // namespace tenon::physics
