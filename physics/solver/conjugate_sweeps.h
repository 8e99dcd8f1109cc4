// Gauss-Seidel's sweeps joined by conjugate gradients: a linearised problem of a crowd of bodies, at a cost
// proportional to their number.
#pragma once

#include "physics/solver/linear_solver.h"

namespace tenon::physics {

/// The nonsmooth nonlinear conjugate gradient method (M. Silcowitz, S. Niebe, K. Erleben, A nonsmooth
/// nonlinear conjugate gradient method for interactive contact force problems, The Visual Computer 26, 2010):
/// what a sweep changes is taken for minus a gradient, and the next point is led on along the directions
/// before, by Fletcher and Reeves; where sweeps no longer shrink it begins anew. A sweep is one contact after
/// the other, the others' forces as they are, with friction by projection on Coulomb's disc as in
/// projected_gauss_seidel.h. O(K) a sweep.
///
/// 73 sweeps bring a pile of 500 blocks from the forces of the last step to some tenths of a micrometre; the
/// last digits it leaves to others. Not for rows that joints couple with more than two bodies.
class ConjugateSweeps final : public LinearSolver {
 public:
  /// `solved`: no force changed by more than `tolerance` in the last sweep. The natural residual may be
  /// larger, by what contacts moved each other after they were looked at; the state reached is what counts.
  LinearReport solve(const NormalForm& form, std::vector<double>& y, double tolerance) override;
  double contentWith() const override { return kTolerance; }

  /// Change of a distance by the last sweep that is enough [m].
  static constexpr double kTolerance = 1e-7;
  static constexpr int kMostSweeps = 73;

 private:
  /// A row as a sweep reads it, once from front to end. A row of one body has zeros for a body behind all.
  struct Row {
    int a = 0, b = 0;  ///< first entries of its blocks
    double c = 0, epsilon = 0, inverse = 0;
    Vector6d ha = Vector6d::Zero(), hb = Vector6d::Zero();
  };
  struct TangentRow {
    Eigen::Vector2d c = Eigen::Vector2d::Zero();
    double mu = 0, epsilon = 0, inverse = 0;
    Tangents ha = Tangents::Zero(), hb = Tangents::Zero();
  };
  void begin(const NormalForm& form, std::vector<double>& y);
  void gatherTangents(const NormalForm& form);
  /// Its largest change [√J].
  double sweep(std::vector<double>& y);
  double sweepFriction(const Row& row, const TangentRow& t, double* y);

  std::vector<Row> rows_;
  std::vector<TangentRow> tangents_;  ///< empty without friction
  std::vector<double> v_, lastV_, alongV_, lastY_, alongY_;
};

}  // namespace tenon::physics
