// Projected Gauss-Seidel with Anderson acceleration of depth one: a linearized problem to Accuracy::fast, at
// a cost proportional to the number of bodies.
#pragma once

#include "physics/solver/linear_solver.h"

namespace tenon::physics {

/// A sweep updates one contact after the other with the others' forces fixed, friction by projection on
/// Coulomb's disc as in projected_gauss_seidel.h. Between sweeps Anderson acceleration of depth one (D. G.
/// Anderson, Iterative procedures for nonlinear integral equations, Journal of the ACM 12, 1965): the point
/// on the line through the results of the last two sweeps at which the change by a sweep would be least, were
/// it linear between them. Restarts where the change of a sweep grows. O(K) a sweep.
///
/// Against conjugate gradients by Fletcher and Reeves in the same place (M. Silcowitz et al., The Visual
/// Computer 26, 2010): half as many sweeps in a pile of 500 blocks that slide, a third where one strikes it.
/// Converges to kTolerance only. Not for rows that joints couple with more than two bodies.
class AndersonGaussSeidel final : public LinearSolver {
 public:
  /// `solved`: no force moved its contact by more than `tolerance`, as a distance, in the last sweep. The
  /// natural residual may be larger, by what contacts moved each other later in the sweep; the caller
  /// verifies the state reached.
  LinearReport solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) override;
  double accuracy() const override { return kTolerance; }

  /// Change of a distance by the last sweep at which the iteration ends [m].
  static constexpr double kTolerance = 6e-7;
  static constexpr int kMaxSweeps = 70;

 private:
  /// A row in the order in which a sweep reads it. A row of one body has a zero block behind the last body.
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
  void begin(const ScaledProblem& scaled, std::vector<double>& y);
  void order(int contacts);
  void gatherTangents(const ScaledProblem& scaled);
  /// The largest change of a distance by its own contact's force [m].
  double sweep();
  double sweepFriction(const Row& row, const TangentRow& t, double* y);
  /// One step of Anderson acceleration, between sweeps.
  void extrapolate();

  // All in the order of a sweep:
  std::vector<int> order_;  ///< index of the contact
  std::vector<Row> rows_;
  std::vector<TangentRow> tangents_;  ///< empty without friction
  std::vector<double> y_;             ///< [√J]
  std::vector<double> sweepStart_;    ///< y_ when the sweep began
  std::vector<double> lastY_;         ///< y_ after the previous sweep
  std::vector<double> change_;        ///< of y_, by the previous sweep
  std::vector<double> v_, lastV_;     ///< ũ, now and after the previous sweep [√J]
  double lastSquared_ = 0;            ///< |change_|²; 0: no previous sweep
};

}  // namespace tenon::physics
