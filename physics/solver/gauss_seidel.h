// Projected Gauss-Seidel on linearized contacts: plain, the inner solver of gauss-seidel, and with Anderson
// acceleration, for Accuracy::fast and as the first stage of proximal-newton.
#pragma once

#include "physics/solver/linear_solver.h"
#include "physics/solver/solver_options.h"

namespace tenon::physics {

/// One contact after the other, the others' forces fixed: y_k = max(0, y_k − z_k/A_kk), then its friction by
/// a step against the sliding and projection on Coulomb's disc (M. Preda, D. Florian, Simple iterative
/// algorithm for contact force computation, 2005). ũ = Hᵀ y is updated with each contact: O(K) a sweep.
class ContactSweeps {
 public:
  /// Of a sweep.
  struct Change {
    double largest = 0;   ///< of a force [√J]; not finite where any number is not
    double distance = 0;  ///< of a contact's distance by its own force [m]
    double force = 0;     ///< largest force after the sweep [√J]
  };
  /// From the forces `y`, of which those that are not finite, or pull, become zero. A sweep reads contacts
  /// alternately from `streams` parts of the list.
  void begin(const ScaledProblem& scaled, std::vector<double>& y, int streams);
  Change sweep(const ScaledProblem& scaled, std::vector<double>& y);
  /// ũ [√J].
  std::vector<double>& velocity() { return v_; }

 private:
  double sweepFriction(const ScaledProblem& scaled, int k, double* y);

  std::vector<double> v_;
  std::vector<double> inverse_, tangentInverse_;  ///< 1/A_kk, and of a bound for its tangents [-]
  std::vector<int> order_;                        ///< contacts in the order of a sweep
};

/// Plain sweeps. They converge linearly, slowly where contacts are many and alike: some 10…10³ sweeps. So it
/// ends at an accuracy of distances of kSweepTolerance, and fails after kMaxSweeps. SweepOptions may stop it
/// earlier; the caller verifies that result by the distances of the state reached, like any other.
class ProjectedGaussSeidel final : public LinearSolver {
 public:
  explicit ProjectedGaussSeidel(const SweepOptions& options = {}) : options_(options) {}

  LinearReport solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) override;
  double accuracy() const override { return kSweepTolerance; }

  /// A tenth of kPenetrationTolerance [m].
  static constexpr double kSweepTolerance = 1e-10;
  static constexpr int kMaxSweeps = 4000;

 private:
  SweepOptions options_;
  ContactSweeps sweeps_;
};

/// Between sweeps Anderson acceleration of depth one (D. G. Anderson, Iterative procedures for nonlinear
/// integral equations, Journal of the ACM 12, 1965): the point on the line through the results of the last
/// two sweeps at which the change by a sweep would be least, were it linear between them. Restarts where the
/// change of a sweep grows.
///
/// Converges to kTolerance only.
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
  /// One step of Anderson acceleration, between sweeps.
  void extrapolate(std::vector<double>& y);

  ContactSweeps sweeps_;
  std::vector<double> sweepStart_;  ///< y when the sweep began [√J]
  std::vector<double> lastY_;       ///< y after the previous sweep
  std::vector<double> change_;      ///< of y, by the previous sweep
  std::vector<double> lastV_;       ///< ũ after the previous sweep [√J]
  double lastSquared_ = 0;          ///< |change_|²; 0: no previous sweep
};

}  // namespace tenon::physics
