// See subset_system.h.
#include "physics/solver/lcp/subset_system.h"

#include <cmath>

namespace tenon::physics {
namespace {

constexpr int kSteps = 30;
constexpr double kShare = 0.01;  ///< of `wanted`, at which it is good enough to stop

}  // namespace

void SubsetSystem::reserve(int size) {
  if (size <= step_.size()) return;
  lu_.reserve(size);
  step_.resize(size);
}

bool SubsetSystem::solve(const Eigen::Ref<const Eigen::MatrixXd>& A,
                         const Eigen::Ref<const Eigen::VectorXd>& b, const std::vector<int>& subset,
                         double epsilon, double wanted, Eigen::Ref<Eigen::VectorXd> f) {
  const int m = static_cast<int>(subset.size());
  reserve(m);
  f.setZero();
  step_.setZero();
  if (m == 0) return true;
  auto block = lu_.reset(m);
  for (int c = 0; c < m; ++c)
    for (int r = 0; r < m; ++r) block(r, c) = A(subset[r], subset[c]) + (r == c ? epsilon : 0.0);
  if (!lu_.factorise()) return false;
  double before = HUGE_VAL;
  for (int step = 0;; ++step) {
    double largest = 0;
    for (int r = 0; r < m; ++r) step_[r] = -b[subset[r]];
    for (int c = 0; c < m; ++c)
      for (int r = 0; r < m; ++r) step_[r] -= A(subset[r], subset[c]) * f[subset[c]];
    largest = step_.head(m).cwiseAbs().maxCoeff();
    const bool good = largest <= kShare * wanted && step > 1;
    if (good || step == kSteps || !(largest < 2 * before)) return largest <= wanted;
    before = largest;
    lu_.solve(step_.head(m));
    for (int r = 0; r < m; ++r) f[subset[r]] += step_[r];
  }
}

}  // namespace tenon::physics
