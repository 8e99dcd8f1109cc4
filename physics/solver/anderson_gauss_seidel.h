// Gauss-Seidel's sweeps, led on by what the last two of them tell: a linearised problem of a crowd of bodies,
// at a cost proportional to their number.
#pragma once

#include "physics/solver/linear_solver.h"

namespace tenon::physics {

/// A sweep is one contact after the other, the others' forces as they are, with friction by projection on
/// Coulomb's disc as in projected_gauss_seidel.h. Between sweeps Anderson's acceleration of depth one (D. G.
/// Anderson, Iterative procedures for nonlinear integral equations, Journal of the ACM 12, 1965): of the line
/// through the last two sweeps' results, the point at which what a sweep changes would be least, were it as
/// linear as it is between them. Where sweeps change more than before it begins anew. O(K) a sweep.
///
/// Against conjugate gradients by Fletcher and Reeves in the same place (M. Silcowitz et al., The Visual
/// Computer 26, 2010): half as many sweeps in a pile of 500 blocks that slide, a third where one strikes it.
/// The last digits it leaves to others. Not for rows that joints couple with more than two bodies.
class AndersonGaussSeidel final : public LinearSolver {
 public:
  /// `solved`: no force moved its contact by more than `tolerance`, as a distance, in the last sweep. The
  /// natural residual may be larger, by what contacts moved each other after they were looked at; the state
  /// reached is what counts.
  LinearReport solve(const ScaledProblem& form, std::vector<double>& y, double tolerance) override;
  double accuracy() const override { return kTolerance; }

  /// Change of a distance by the last sweep that is enough [m].
  static constexpr double kTolerance = 6e-7;
  static constexpr int kMaxSweeps = 70;

 private:
  /// A row as a sweep reads it, once from front to end. A row of one body has zeros for a body behind all.
  struct Row {
    int a = 0, b = 0;  ///< first entries of its blocks
    double c = 0, epsilon = 0, inverse = 0, d = 1;
    Vector6d ha = Vector6d::Zero(), hb = Vector6d::Zero();
  };
  struct TangentRow {
    Eigen::Vector2d c = Eigen::Vector2d::Zero();
    double mu = 0, epsilon = 0, inverse = 0;
    Tangents ha = Tangents::Zero(), hb = Tangents::Zero();
  };
  void begin(const ScaledProblem& form, std::vector<double>& y);
  void order(int contacts);
  void gatherTangents(const ScaledProblem& form);
  /// Its largest change of a distance by its own contact [m].
  double sweep();
  double sweepFriction(const Row& row, const TangentRow& t, double* y);
  /// Between sweeps.
  void extrapolate();

  // All by place in a sweep, but for order_:
  std::vector<int> order_;  ///< contact at each place
  std::vector<Row> rows_;
  std::vector<TangentRow> tangents_;  ///< empty without friction
  std::vector<double> y_;             ///< [√J]
  std::vector<double> before_;        ///< y_ when the sweep began
  std::vector<double> lastY_;         ///< y_ after the sweep before
  std::vector<double> change_;        ///< of y_, by the sweep before
  std::vector<double> v_, lastV_;     ///< ũ, and after the sweep before [√J]
  double lastSquared_ = 0;            ///< its size; 0: there is none to go by
};

}  // namespace tenon::physics
