// Cholesky factorization of a dense symmetric positive definite matrix. The buffer is reused: a matrix of the
// same or a smaller size allocates nothing.
#pragma once

#include <Eigen/Cholesky>
#include <span>
#include <vector>

namespace tenon::physics {

class DenseCholesky {
 public:
  using Matrix = Eigen::Map<Eigen::MatrixXd>;

  /// Returns a zero n × n matrix to fill (lower triangle).
  Matrix reset(int n) {
    n_ = n;
    const auto size = static_cast<std::size_t>(n) * n;
    if (entries_.size() < size) entries_.resize(size);
    Matrix m(entries_.data(), n, n);
    m.setZero();
    return m;
  }

  /// Factorizes the filled matrix in place. False if it is not positive definite.
  bool factorize() {
    Eigen::Ref<Eigen::MatrixXd> m = Matrix(entries_.data(), n_, n_);
    return Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(m).info() == Eigen::Success;
  }

  /// Solves A x = x in place; `x` has n entries.
  void solve(std::span<double> x) const {
    const Eigen::Map<const Eigen::MatrixXd> m(entries_.data(), n_, n_);
    Eigen::Map<Eigen::VectorXd> b(x.data(), n_);
    m.triangularView<Eigen::Lower>().solveInPlace(b);
    m.triangularView<Eigen::Lower>().transpose().solveInPlace(b);
  }

 private:
  int n_ = 0;
  std::vector<double> entries_;
};

}  // namespace tenon::physics
