// The basis of Lemke's method, reduced to its core.
//
// The system is w = A f + b + z (z the covering variable, times a vector of ones). A basis has K basic
// variables; a basic w_i only defines itself, so all there is to invert is the core: the rows R whose
// w_i is nonbasic (w_i = 0) against the columns of the basic f_j and of z. Its order m is at most
// rank(A) + 1 - seven for one rigid body, however many contacts it has - so that a pivot costs
// O(m² + K m) instead of the O(K²) of a tableau.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "physics/math/dense_lu.h"
#include "physics/solver/lcp/shifted_matrix.h"

namespace tenon::physics {

class LemkeBasis {
 public:
  /// Index of z among the columns.
  static constexpr int kCovering = -1;

  /// Makes room for problems of up to `size` rows.
  void reserve(int size);

  /// The first basis of a problem of `size` rows: z in place of w_row.
  void start(int size, int row);

  /// m, the order of the core.
  int order() const { return m_; }
  /// Variable of the core's column p: index of an f, or kCovering.
  int column(int p) const { return columns_[p]; }
  /// Row of A behind the core's row q.
  int row(int q) const { return rows_[q]; }
  /// True if w_i is nonbasic.
  bool holds(int i) const { return positionOfRow_[i] >= 0; }
  /// Position of z among the columns, −1 where it is nonbasic.
  int coveringPosition() const;

  /// Response of the basic variables to g (its first K entries) added to the right side: x (m entries, by
  /// column) such that y = g + Σ_p x_p A_p is 0 in the rows held. y (K entries) is then the change of the
  /// basic w. One step of iterative refinement. With g = b this is the basic solution itself. False where the
  /// inverse has lost too much accuracy: call refactorize() and repeat.
  bool respond(const ShiftedMatrix& A, const Eigen::VectorXd& g, Eigen::VectorXd& x, Eigen::VectorXd& y);

  /// One entry of the response to g = e_i, row i held: of column p, ...
  double unitColumnResponse(int i, int p) const { return -inverse_(p, positionOfRow_[i]); }
  /// ... and of the basic w_k.
  double unitRowResponse(const ShiftedMatrix& A, int i, int k) const;

  /// The four pivots. `x` is the response to the entering variable f_s: respond(A_s). (A w_s enters by
  /// respond(−e_s).)
  /// f_s enters, w_t leaves.
  void append(const ShiftedMatrix& A, int s, int t, const Eigen::VectorXd& x);
  /// f_s enters, the variable of column p leaves.
  void replaceColumn(int p, int s, const Eigen::VectorXd& x);
  /// w_s enters, w_t leaves.
  void replaceRow(const ShiftedMatrix& A, int s, int t);
  /// w_s enters, the variable of column p leaves.
  void remove(int s, int p);

  /// Pivots since the inverse was last recomputed.
  int age() const { return age_; }

  /// Recomputes the inverse from A: O(m³). False where the core is singular.
  bool refactorize(const ShiftedMatrix& A);

  /// Basic solution for the right side b from a new factorization of the core itself, with one step
  /// of iterative refinement: x (m entries). False where the core is singular.
  bool solveByFactorizing(const ShiftedMatrix& A, const Eigen::VectorXd& b, Eigen::VectorXd& x);

 private:
  double entry(const ShiftedMatrix& A, int i, int p) const {
    return columns_[p] == kCovering ? 1.0 : A(i, columns_[p]);
  }
  bool factorize(const ShiftedMatrix& A);
  void subtractInverseTimesRows(const Eigen::VectorXd& y, Eigen::VectorXd& x) const;
  void addColumns(const ShiftedMatrix& A, const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  void rowTimesInverse(const ShiftedMatrix& A, int t);

  int m_ = 0;
  int age_ = 0;
  std::vector<int> columns_;        // variable of each column of the core
  std::vector<int> rows_;           // row of A of each row of the core
  std::vector<int> positionOfRow_;  // inverse of rows_; −1: w_i is basic
  Eigen::MatrixXd inverse_;         // of the core, in its leading m × m
  Eigen::VectorXd scratch_;         // m
  DenseLu lu_;
};

}  // namespace tenon::physics
