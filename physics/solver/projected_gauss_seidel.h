// Preda and Florian's iteration for the linearised problem: the inner solver of gauss-seidel.
#pragma once

#include "physics/solver/linear_solver.h"
#include "physics/solver/solver_options.h"

namespace tenon::physics {

/// One contact after the other, the others' forces as they are: y_k = max(0, y_k − z_k/A_kk), then its
/// friction by a step against the sliding and projection on Coulomb's disc, as lcp/gauss_seidel.h does on a
/// matrix (M. Preda, D. Florian, Simple iterative algorithm for contact force computation, 2005). Here ũ = Hᵀ
/// y is kept up to date, so that a sweep costs O(K). Starts from the guess it is given: the forces of the
/// last step.
///
/// Converges linearly, slowly where contacts are many and alike: some 10…10³ sweeps. So it is content with
/// distances to kSweepTolerance, and gives up after kMaxSweeps. It is stopped earlier where SweepOptions say
/// so; what it then has is judged by the distances of the state that it leads to, like any other answer.
class ProjectedGaussSeidel : public LinearSolver {
 public:
  explicit ProjectedGaussSeidel(const SweepOptions& options = {}) : options_(options) {}

  LinearReport solve(const ScaledProblem& form, std::vector<double>& y, double tolerance) override;
  double accuracy() const override { return kSweepTolerance; }

  /// A tenth of kPenetrationTolerance [m].
  static constexpr double kSweepTolerance = 1e-10;
  static constexpr int kMaxSweeps = 4000;

 private:
  struct Change {
    double largest = 0;  ///< of a force in the sweep [√J]
    double force = 0;    ///< the largest force after it [√J]
  };
  void begin(const ScaledProblem& form, std::vector<double>& y);
  Change sweep(const ScaledProblem& form, std::vector<double>& y);
  double sweepFriction(const ScaledProblem& form, int k, double* y);

  SweepOptions options_;
  std::vector<double> v_;
  std::vector<double> diagonal_, stiffest_;  ///< of every contact's normal row, and of its tangents [-]
};

}  // namespace tenon::physics
