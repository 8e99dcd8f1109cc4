// The inverse of the core: rank-one updates, and recomputation where they have lost accuracy.
#include "physics/solver/lcp/lemke_basis.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {
namespace {

// Residual of the core's rows below which a response is accurate to rounding and is not refined, relative to
// the largest term.
constexpr double kExact = 1e-14;
// Residual above which the inverse must be recomputed: refinement would still correct the response, but not
// the pivots built on the inverse.
constexpr double kWorn = 1e-12;

}  // namespace

void LemkeBasis::reserve(int size) {
  if (size <= static_cast<int>(rows_.size()) - 1) return;
  const int maxOrder = size + 1;
  columns_.resize(maxOrder);
  rows_.resize(maxOrder);
  positionOfRow_.resize(maxOrder);
  inverse_.resize(maxOrder, maxOrder);
  scratch_.resize(maxOrder);
  lu_.reserve(maxOrder);
}

void LemkeBasis::start(int size, int row) {
  std::fill_n(positionOfRow_.begin(), size, -1);
  m_ = 1;
  age_ = 0;
  columns_[0] = kCovering;
  rows_[0] = row;
  positionOfRow_[row] = 0;
  inverse_(0, 0) = 1;
}

int LemkeBasis::coveringPosition() const {
  const auto end = columns_.begin() + m_;
  const auto at = std::find(columns_.begin(), end, kCovering);
  return at == end ? -1 : static_cast<int>(at - columns_.begin());
}

// x −= C⁻¹ y_R
void LemkeBasis::subtractInverseTimesRows(const Eigen::VectorXd& y, Eigen::VectorXd& x) const {
  for (int q = 0; q < m_; ++q) {
    const double value = y[rows_[q]];
    if (value != 0) x.head(m_) -= value * inverse_.col(q).head(m_);
  }
}

// y += Σ_p x_p A_p
void LemkeBasis::addColumns(const ShiftedMatrix& A, const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  const auto n = A.size();
  for (int p = 0; p < m_; ++p) {
    if (columns_[p] == kCovering) {
      y.head(n).array() += x[p];
    } else if (x[p] != 0) {
      A.addColumn(columns_[p], x[p], y.head(n));
    }
  }
}

bool LemkeBasis::respond(const ShiftedMatrix& A, const Eigen::VectorXd& g, Eigen::VectorXd& x,
                         Eigen::VectorXd& y) {
  const auto n = A.size();
  y.head(n) = g.head(n);
  x.head(m_).setZero();
  subtractInverseTimesRows(y, x);
  addColumns(A, x, y);
  double residual = 0;
  for (int q = 0; q < m_; ++q) residual = std::max(residual, std::abs(y[rows_[q]]));
  const double scale = g.head(n).cwiseAbs().maxCoeff() + x.head(m_).cwiseAbs().maxCoeff();
  if (age_ > 0 && !(residual <= kWorn * scale)) return false;
  if (residual > kExact * scale) {
    // The correction alone, so that y can be corrected by it too.
    scratch_.head(m_).setZero();
    subtractInverseTimesRows(y, scratch_);
    addColumns(A, scratch_, y);
    x.head(m_) += scratch_.head(m_);
  }
  for (int q = 0; q < m_; ++q) y[rows_[q]] = 0;
  return true;
}

double LemkeBasis::unitRowResponse(const ShiftedMatrix& A, int i, int k) const {
  double sum = 0;
  const auto column = inverse_.col(positionOfRow_[i]);
  for (int p = 0; p < m_; ++p) sum -= entry(A, k, p) * column[p];
  return sum;
}

// scratch = (row t of the core's columns) C⁻¹
void LemkeBasis::rowTimesInverse(const ShiftedMatrix& A, int t) {
  scratch_.head(m_).setZero();
  for (int q = 0; q < m_; ++q) {
    double sum = 0;
    for (int p = 0; p < m_; ++p) sum += entry(A, t, p) * inverse_(p, q);
    scratch_[q] = sum;
  }
}

// Bordering: with u = C⁻¹ A_Rs = −x, v = (row t) C⁻¹ and the Schur complement σ = A_ts − v A_Rs,
// [C⁻¹ + u v/σ, −u/σ; −v/σ, 1/σ].
void LemkeBasis::append(const ShiftedMatrix& A, int s, int t, const Eigen::VectorXd& x) {
  rowTimesInverse(A, t);
  double sigma = A(t, s);
  for (int p = 0; p < m_; ++p) sigma += entry(A, t, p) * x[p];
  for (int q = 0; q < m_; ++q) {
    inverse_.col(q).head(m_) -= scratch_[q] / sigma * x.head(m_);
    inverse_(m_, q) = -scratch_[q] / sigma;
  }
  inverse_.col(m_).head(m_) = x.head(m_) / sigma;
  inverse_(m_, m_) = 1 / sigma;
  columns_[m_] = s;
  rows_[m_] = t;
  positionOfRow_[t] = m_;
  ++m_;
  ++age_;
}

void LemkeBasis::replaceColumn(int p, int s, const Eigen::VectorXd& x) {
  for (int q = 0; q < m_; ++q) {
    const double factor = -inverse_(p, q) / x[p];
    inverse_.col(q).head(m_) += factor * x.head(m_);
    inverse_(p, q) = factor;
  }
  columns_[p] = s;
  ++age_;
}

void LemkeBasis::replaceRow(const ShiftedMatrix& A, int s, int t) {
  rowTimesInverse(A, t);
  const int at = positionOfRow_[s];
  inverse_.col(at).head(m_) /= scratch_[at];
  for (int q = 0; q < m_; ++q) {
    if (q != at) inverse_.col(q).head(m_) -= scratch_[q] * inverse_.col(at).head(m_);
  }
  rows_[at] = t;
  positionOfRow_[s] = -1;
  positionOfRow_[t] = at;
  ++age_;
}

// The inverse without row s and column p: C⁻¹ − (its column at s)(its row p)/pivot.
void LemkeBasis::remove(int s, int p) {
  const int at = positionOfRow_[s], last = m_ - 1;
  const double pivot = inverse_(p, at);
  for (int q = 0; q < m_; ++q) {
    if (q != at) inverse_.col(q).head(m_) -= inverse_(p, q) / pivot * inverse_.col(at).head(m_);
  }
  inverse_.col(at).head(m_) = inverse_.col(last).head(m_);
  inverse_.row(p).head(m_) = inverse_.row(last).head(m_);
  columns_[p] = columns_[last];
  rows_[at] = rows_[last];
  positionOfRow_[rows_[at]] = at;
  positionOfRow_[s] = -1;
  m_ = last;
  ++age_;
}

bool LemkeBasis::factorize(const ShiftedMatrix& A) {
  auto core = lu_.reset(m_);
  for (int p = 0; p < m_; ++p) {
    for (int q = 0; q < m_; ++q) core(q, p) = entry(A, rows_[q], p);
  }
  return lu_.factorize();
}

bool LemkeBasis::refactorize(const ShiftedMatrix& A) {
  if (!factorize(A)) return false;
  for (int q = 0; q < m_; ++q) {
    auto column = inverse_.col(q).head(m_);
    column.setZero();
    column[q] = 1;
    lu_.solve(column);
  }
  age_ = 0;
  return true;
}

bool LemkeBasis::solveByFactorizing(const ShiftedMatrix& A, const Eigen::VectorXd& b, Eigen::VectorXd& x) {
  if (!factorize(A)) return false;
  x.head(m_).setZero();
  // The second pass is the refinement: it solves for the residual of the first.
  for (int round = 0; round < 2; ++round) {
    for (int q = 0; q < m_; ++q) {
      double left = -b[rows_[q]];
      for (int p = 0; p < m_; ++p) left -= entry(A, rows_[q], p) * x[p];
      scratch_[q] = left;
    }
    lu_.solve(scratch_.head(m_));
    x.head(m_) += scratch_.head(m_);
  }
  return true;
}

}  // namespace tenon::physics
