// A square matrix plus a multiple of the identity, without a copy.
#pragma once

#include <Eigen/Core>

namespace tenon::physics {

/// A + shift · 1.
struct ShiftedMatrix {
  Eigen::Ref<const Eigen::MatrixXd> A;
  double shift = 0;

  int size() const { return static_cast<int>(A.rows()); }
  double operator()(int i, int j) const { return A(i, j) + (i == j ? shift : 0.0); }

  /// y += factor · column j
  void addColumn(int j, double factor, Eigen::Ref<Eigen::VectorXd> y) const {
    y += factor * A.col(j);
    y[j] += factor * shift;
  }
};

}  // namespace tenon::physics
