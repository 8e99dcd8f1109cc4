// The two steps of principal pivoting, for tableaus of any precision: basic = T nonbasic + q, pair by pair.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <limits>

namespace tenon::physics {

/// The principal pivot transform of pair k, T(k, k) ≠ 0: its two variables change places (A. W. Tucker 1960).
/// `row` is workspace of the same length as q. O(K²).
template <class Matrix, class Vector>
void exchangePair(Matrix& T, Vector& q, Vector& row, int k) {
  using Real = typename Matrix::Scalar;
  const Real by = 1 / T(k, k);
  row = -by * T.row(k).transpose();
  const Real shift = -by * q[k];
  q += shift * T.col(k);
  q[k] = shift;
  for (int j = 0; j < T.cols(); ++j)
    if (j != k && row[j] != 0) T.col(j) += row[j] * T.col(k);
  T.col(k) *= by;
  T.row(k) = row.transpose();
  T(k, k) = by;
}

/// The basic variable that blocks the nonbasic one of a pair.
template <class Real>
struct Blocking {
  int pair = -1;  ///< none: a ray
  Real step = std::numeric_limits<Real>::infinity();
};

/// The ratio test of Dantzig and Cottle: the nonbasic variable of pair k, already at `zeta`, rises until its
/// own basic one, which is negative, is zero, or another one that is not negative would become so, except
/// those of either sign, for which `free` is true. Values above −`zero` count as not negative, rates up to
/// `still` as constant. O(K).
template <class Matrix, class Vector, class Free>
Blocking<typename Matrix::Scalar> ratioTest(const Matrix& T, const Vector& q, int k,
                                            typename Matrix::Scalar zeta, typename Matrix::Scalar zero,
                                            typename Matrix::Scalar still, const Free& free) {
  using Real = typename Matrix::Scalar;
  Blocking<Real> first;
  for (int i = 0; i < static_cast<int>(q.size()); ++i) {
    const Real value = q[i] + zeta * T(i, k), speed = T(i, k);
    Real to = first.step;
    if (i == k && speed > still) {
      to = std::max<Real>(-value, 0) / speed;
    } else if (i != k && !free(i) && speed < -still && value >= -zero) {
      to = std::max<Real>(value, 0) / -speed;
    }
    if (to >= first.step) continue;
    first = {i, to};
  }
  return first;
}

}  // namespace tenon::physics
