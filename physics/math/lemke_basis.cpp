// See lemke_basis.h.
#include "physics/math/lemke_basis.h"

#include <algorithm>

namespace tenon::physics {

void LemkeBasis::reserve(int size) {
  if (size <= static_cast<int>(rows_.size()) - 1) return;
  const int maxOrder = size + 1;
  columns_.resize(maxOrder);
  rows_.resize(maxOrder);
  step_.resize(maxOrder);
  positionOfRow_.resize(maxOrder);
  lu_.reserve(maxOrder);
}

void LemkeBasis::start(const Matrix& A, int row) {
  std::fill_n(positionOfRow_.begin(), A.rows(), -1);
  m_ = 1;
  columns_[0] = kCovering;
  rows_[0] = row;
  positionOfRow_[row] = 0;
  factorize(A);
}

int LemkeBasis::coveringPosition() const {
  const auto end = columns_.begin() + m_;
  const auto at = std::find(columns_.begin(), end, kCovering);
  return at == end ? -1 : static_cast<int>(at - columns_.begin());
}

bool LemkeBasis::exchange(const Matrix& A, int s, bool forceEnters, int column, int row) {
  if (forceEnters && column < 0) {
    columns_[m_] = s;
    rows_[m_] = row;
    positionOfRow_[row] = m_++;
  } else if (forceEnters) {
    columns_[column] = s;
  } else {
    const int at = positionOfRow_[s];
    positionOfRow_[s] = -1;
    if (column < 0) {
      rows_[at] = row;
      positionOfRow_[row] = at;
    } else {
      --m_;
      columns_[column] = columns_[m_];
      rows_[at] = rows_[m_];
      if (at != m_) positionOfRow_[rows_[at]] = at;
    }
  }
  return factorize(A);
}

bool LemkeBasis::factorize(const Matrix& A) {
  auto core = lu_.reset(m_);
  for (int p = 0; p < m_; ++p)
    for (int q = 0; q < m_; ++q) core(q, p) = entry(A, rows_[q], p);
  return lu_.factorize();
}

void LemkeBasis::respond(const Matrix& A, const Eigen::VectorXd& g, Eigen::VectorXd& x, Eigen::VectorXd& y) {
  const auto n = A.rows();
  y.head(n) = g.head(n);
  x.head(m_).setZero();
  for (int pass = 0; pass < 2; ++pass) {
    for (int q = 0; q < m_; ++q) step_[q] = -y[rows_[q]];
    lu_.solve(step_.head(m_));
    x.head(m_) += step_.head(m_);
    for (int p = 0; p < m_; ++p) {
      if (columns_[p] == kCovering)
        y.head(n).array() += step_[p];
      else if (step_[p] != 0)
        y.head(n) += step_[p] * A.col(columns_[p]);
    }
  }
  for (int q = 0; q < m_; ++q) y[rows_[q]] = 0;
}

void LemkeBasis::respondToUnit(int i, Eigen::VectorXd& x) const {
  x.head(m_).setZero();
  x[positionOfRow_[i]] = -1;
  lu_.solve(x.head(m_));
}

double LemkeBasis::rowResponse(const Matrix& A, const Eigen::VectorXd& x, int k) const {
  double sum = 0;
  for (int p = 0; p < m_; ++p) sum += entry(A, k, p) * x[p];
  return sum;
}

}  // namespace tenon::physics
