// See pivoted_cholesky.h.
#include "physics/solver/lcp/pivoted_cholesky.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {
namespace {

// Of the largest diagonal entry: what is left of the diagonal counts as rounding.
constexpr double kRank = 1e-14;
// And of what H Hᵀ does not explain of A.
constexpr double kExplained = 1e-12;

}  // namespace

void PivotedCholesky::reserve(int n) {
  if (n <= rest_.size()) return;
  transposed_.resize(n, n);
  rest_.resize(n);
  taken_.resize(n);
}

bool PivotedCholesky::factorize(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  const int n = static_cast<int>(A.rows());
  reserve(n);
  rest_.head(n) = A.diagonal();
  std::fill_n(taken_.begin(), n, 0);
  const double least = kRank * n * rest_.head(n).cwiseAbs().maxCoeff();
  for (rank_ = 0; rank_ < n; ++rank_) {
    Eigen::Index p = 0;
    if (!(rest_.head(n).maxCoeff(&p) > least)) break;
    const double root = std::sqrt(rest_[p]);
    for (int k = 0; k < n; ++k) {
      const double left =
          taken_[k] ? 0 : A(k, p) - transposed_.col(k).head(rank_).dot(transposed_.col(p).head(rank_));
      transposed_(rank_, k) = k == p ? root : left / root;
      rest_[k] -= transposed_(rank_, k) * transposed_(rank_, k);
    }
    taken_[p] = 1;
    rest_[p] = -1;
  }
  for (int k = 0; k < n; ++k)
    if (!taken_[k] && rest_[k] < -2 * least) return false;
  return explains(A);
}

// Columns of pivots are explained to rounding; in the others, H may tell only the diagonal.
bool PivotedCholesky::explains(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  const int n = static_cast<int>(A.rows());
  const double allowed = kExplained * A.cwiseAbs().maxCoeff();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j && !taken_[j]; ++i)
      if (!taken_[i] && !(std::abs(A(i, j) - row(i).dot(row(j))) <= allowed)) return false;
  return true;
}

}  // namespace tenon::physics
