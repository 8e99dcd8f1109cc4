// See pivoted_cholesky.h.
#include "physics/math/pivoted_cholesky.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {
namespace {

// Remaining diagonal entries up to this are rounding, relative to the largest one.
constexpr double kRank = 1e-14;
// Largest error of H Hᵀ against A, same unit.
constexpr double kExplained = 1e-12;

}  // namespace

void PivotedCholesky::reserve(int n) {
  if (n <= rest_.size()) return;
  transposed_.resize(n, n);
  rest_.resize(n);
  isPivot_.resize(n);
}

bool PivotedCholesky::factorize(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  const int n = static_cast<int>(A.rows());
  reserve(n);
  rest_.head(n) = A.diagonal();
  std::fill_n(isPivot_.begin(), n, 0);
  const double smallestPivot = kRank * n * rest_.head(n).cwiseAbs().maxCoeff();
  for (rank_ = 0; rank_ < n; ++rank_) {
    Eigen::Index p = 0;
    if (!(rest_.head(n).maxCoeff(&p) > smallestPivot)) break;
    const double root = std::sqrt(rest_[p]);
    for (int k = 0; k < n; ++k) {
      const double left =
          isPivot_[k] ? 0 : A(k, p) - transposed_.col(k).head(rank_).dot(transposed_.col(p).head(rank_));
      transposed_(rank_, k) = k == p ? root : left / root;
      rest_[k] -= transposed_(rank_, k) * transposed_(rank_, k);
    }
    isPivot_[p] = 1;
    rest_[p] = -1;
  }
  for (int k = 0; k < n; ++k)
    if (!isPivot_[k] && rest_[k] < -2 * smallestPivot) return false;
  return reproduces(A);
}

// H reproduces the columns of pivots to rounding; of the others perhaps only the diagonal.
bool PivotedCholesky::reproduces(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  const int n = static_cast<int>(A.rows());
  const double allowed = kExplained * A.cwiseAbs().maxCoeff();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j && !isPivot_[j]; ++i)
      if (!isPivot_[i] && !(std::abs(A(i, j) - row(i).dot(row(j))) <= allowed)) return false;
  return true;
}

}  // namespace tenon::physics
