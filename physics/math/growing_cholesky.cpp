// See growing_cholesky.h.
#include "physics/math/growing_cholesky.h"

#include <cmath>

namespace tenon::physics {

void GrowingCholesky::reserve(int n) {
  upper_.resize(n, n);
  x_.resize(n);
  m_ = 0;
}

bool GrowingCholesky::append(const Eigen::Ref<const Eigen::VectorXd>& column, double diagonal,
                             double minPivot) {
  if (m_ == upper_.rows()) return false;
  for (int k = 0; k < m_; ++k) x_[k] = (column[k] - upper_.col(k).head(k).dot(x_.head(k))) / upper_(k, k);
  const double rest = diagonal - x_.head(m_).squaredNorm();
  if (!(rest > minPivot)) return false;
  upper_.col(m_).head(m_) = x_.head(m_);
  upper_(m_, m_) = std::sqrt(rest);
  ++m_;
  return true;
}

void GrowingCholesky::remove(int at) {
  for (int c = at; c + 1 < m_; ++c) upper_.col(c).head(c + 2) = upper_.col(c + 1).head(c + 2);
  --m_;
  for (int k = at; k < m_; ++k) {
    const double length = std::hypot(upper_(k, k), upper_(k + 1, k));
    const double cosine = upper_(k, k) / length, sine = upper_(k + 1, k) / length;
    for (int c = k; c < m_; ++c) {
      const double above = upper_(k, c), below = upper_(k + 1, c);
      upper_(k, c) = cosine * above + sine * below;
      upper_(k + 1, c) = cosine * below - sine * above;
    }
  }
}

void GrowingCholesky::solve(Eigen::Ref<Eigen::VectorXd> x) const {
  for (int k = 0; k < m_; ++k) x[k] = (x[k] - upper_.col(k).head(k).dot(x.head(k))) / upper_(k, k);
  for (int k = m_ - 1; k >= 0; --k) {
    x[k] /= upper_(k, k);
    x.head(k) -= x[k] * upper_.col(k).head(k);
  }
}

}  // namespace tenon::physics
