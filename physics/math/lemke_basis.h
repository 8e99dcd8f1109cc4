// The basis of Lemke's method, reduced to its core.
//
// The system is w = A f + b + z (z the covering variable, times a vector of ones). A basis has K basic
// variables; a basic w_i only defines itself, so all there is to invert is the core: the rows R whose
// w_i is nonbasic (w_i = 0) against the columns of the basic f_j and of z. Its order m is at most
// rank(A) + 1 - seven for one rigid body, however many contacts it has - so that a pivot, which factorizes
// the core again, costs O(m³ + K m) instead of the O(K²) of a tableau, and no rounding accumulates.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "physics/math/dense_lu.h"

namespace tenon::physics {

class LemkeBasis {
 public:
  using Matrix = Eigen::Ref<const Eigen::MatrixXd>;

  /// Index of z among the columns.
  static constexpr int kCovering = -1;

  /// Makes room for problems of up to `size` rows.
  void reserve(int size);

  /// The first basis of the problem of `A`: z in place of w_row.
  void start(const Matrix& A, int row);

  /// m, the order of the core.
  int order() const { return m_; }
  /// Variable of the core's column p: index of an f, or kCovering.
  int column(int p) const { return columns_[p]; }
  /// True if w_i is nonbasic.
  bool holds(int i) const { return positionOfRow_[i] >= 0; }
  /// Position of z among the columns, −1 where it is nonbasic.
  int coveringPosition() const;

  /// Exchanges the entering f_s (`forceEnters`) or w_s for the variable of the core's column `column`, or,
  /// where that is negative, for w_row. The core of `A` is then factorized; false where it is singular: it
  /// responds to nothing then.
  bool exchange(const Matrix& A, int s, bool forceEnters, int column, int row);

  /// Response of the basic variables to g (its first K entries) added to the right side: x (m entries, by
  /// column) such that y = g + Σ_p x_p A_p is 0 in the rows held. y (K entries) is then the change of the
  /// basic w. One step of iterative refinement. With g = b this is the basic solution itself.
  void respond(const Matrix& A, const Eigen::VectorXd& g, Eigen::VectorXd& x, Eigen::VectorXd& y);

  /// x of the response to g = e_i, row i held: of the core's columns, ...
  void respondToUnit(int i, Eigen::VectorXd& x) const;
  /// ... and from it that of the basic w_k.
  double rowResponse(const Matrix& A, const Eigen::VectorXd& x, int k) const;

 private:
  double entry(const Matrix& A, int i, int p) const {
    return columns_[p] == kCovering ? 1.0 : A(i, columns_[p]);
  }
  bool factorize(const Matrix& A);

  int m_ = 0;
  std::vector<int> columns_;        // variable of each column of the core
  std::vector<int> rows_;           // row of A of each row of the core
  std::vector<int> positionOfRow_;  // inverse of rows_; −1: w_i is basic
  DenseLu lu_;                      // of the core
  Eigen::VectorXd step_;            // m
};

}  // namespace tenon::physics
