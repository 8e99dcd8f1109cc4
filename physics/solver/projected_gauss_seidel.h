// Preda and Florian's iteration for the linearized problem: the inner solver of gauss-seidel.
#pragma once

#include "physics/solver/linear_solver.h"
#include "physics/solver/solver_options.h"

namespace tenon::physics {

/// One contact after the other, the others' forces fixed: y_k = max(0, y_k − z_k/A_kk), then its friction by
/// a step against the sliding and projection on Coulomb's disc (M.
/// Preda, D. Florian, Simple iterative algorithm for contact force computation, 2005). ũ = Hᵀ y is updated
/// with each contact, so that a sweep costs O(K). Starts from the given guess: the forces of the last step.
///
/// Converges linearly, slowly where contacts are many and alike: some 10…10³ sweeps. So it ends at an
/// accuracy of distances of kSweepTolerance, and fails after kMaxSweeps. SweepOptions may stop it earlier;
/// the caller verifies that result by the distances of the state reached, like any other.
class ProjectedGaussSeidel : public LinearSolver {
 public:
  explicit ProjectedGaussSeidel(const SweepOptions& options = {}) : options_(options) {}

  LinearReport solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) override;
  double accuracy() const override { return kSweepTolerance; }

  /// A tenth of kPenetrationTolerance [m].
  static constexpr double kSweepTolerance = 1e-10;
  static constexpr int kMaxSweeps = 4000;

 private:
  struct Change {
    double largest = 0;  ///< change of a force in the sweep [√J]
    double force = 0;    ///< largest force after the sweep [√J]
  };
  void begin(const ScaledProblem& scaled, std::vector<double>& y);
  Change sweep(const ScaledProblem& scaled, std::vector<double>& y);
  double sweepFriction(const ScaledProblem& scaled, int k, double* y);

  SweepOptions options_;
  std::vector<double> v_;
  std::vector<double> diagonal_, tangentStiffness_;  ///< A_kk of each normal row, bound for its tangents [-]
};

}  // namespace tenon::physics
