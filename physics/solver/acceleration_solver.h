// Baraff's solver: contact forces from accelerations at the start of the step.
//
// With u the velocities at the start and u⁺ = u_free + Δt M̂⁻¹ G f those at the end, the surfaces of contact k
// part with the acceleration
//     a_k = G_kᵀ (u⁺ − u)/Δt + γ_k = (A f)_k + G_kᵀ (u_free − u)/Δt + γ_k,   A = Gᵀ M̂⁻¹ G,
// and 0 ≤ f ⟂ a ≥ 0, joints a = 0 (D. Baraff, Fast contact force computation for nonpenetrating rigid bodies,
// SIGGRAPH 94). γ holds all terms of velocity, 2 ṅ·(ṗ₁ − ṗ₂) and the centripetal ones: it is the second
// derivative of the distance along a motion of constant velocity. It is taken from the geometry itself,
//     γ_k = 2 (δ_k(s + Δt S u) − δ_k(s) − Δt G_kᵀ u)/Δt²,
// so that curved surfaces and joints need no formulas of their own; 0 where the feature is not found there.
//
// Nothing here looks at the distances at the END of the step, so errors add up from step to step. Extra
// acceleration takes them away: see ExtraAcceleration. With the distance, (δ + Δt w)/Δt² − γ/2 is added, and
// Δt² a is then the distance at the end of the step to second order.
#pragma once

#include "physics/solver/baraff_impact.h"
#include "physics/solver/contact_solver.h"

namespace tenon::physics {

/// One linearisation at the start of the step, one in the direction of motion, one problem for Baraff's
/// method, and the distances of the state reached, by which overlaps are told. `solved` says that the forces
/// push and the accelerations are as they must be: its own promise. It promises nothing of overlaps: they are
/// told as they are, and `residual` is that of the forces on these accelerations; where it found none, on the
/// distances.
///
/// Where contacts get no extra acceleration, those that touch, or would in this step, and approach by more
/// than kImpactSpeed are first stopped by inelastic impulses; these are told as forces. No friction: with
/// any, it leaves it out and says that it did not solve. A contact that parts may slow down to rest in any
/// case.
class AccelerationSolver : public ContactSolver {
 public:
  AccelerationSolver(const BaraffOptions& method, ExtraAcceleration extra);

  SolverName name() const override { return SolverName::baraff; }
  SolveReport solve(ContactProblem& problem, const std::vector<WarmForce>& warm,
                    ContactSolution& solution) override;

  /// Speed of approach from which on it is an impact [m/s]; a millisecond's fall is ten times as fast.
  static constexpr double kImpactSpeed = 1e-3;

 private:
  struct Extra {
    bool velocity = false, distance = false;
  };
  /// Stops approaches; false where there were none, or the impulses were not found.
  bool stopApproaches(const LinearizedContacts& problem, SolveReport& report);
  void choose(const LinearizedContacts& problem);
  void rememberStart(ContactProblem& problem);
  /// Fills curvatureTerms_: by what distances and joints' equations differ from linear ones at the velocity u
  /// [m, rad].
  void findCurvatureTerms(ContactProblem& problem);
  double curvatureTermOf(const LinearizedContacts& problem, const ContactRow& row) const;
  void fill(const LinearizedContacts& problem);
  /// Of a row without forces, with what is extra [m/s² or rad/s²].
  double freeAcceleration(double gain, double speed, double distance, double curvatureTerm, bool oneSided,
                          Extra extra) const;
  bool solveForces(const LinearizedContacts& problem, SolveReport& report);
  void takeOver(const LinearizedContacts& problem, bool solved, ContactSolution& solution);

  Extra ofContacts_, ofJoints_;
  RowSystem system_;
  BaraffImpact impact_;
  double dt_ = 0;
  std::vector<double> u_;                      ///< at the start, after impulses
  std::vector<double> extrapolationVelocity_;  ///< the velocity along which bends are taken
  std::vector<double> base_;                   ///< velocity at the end without forces
  std::vector<double> zero_, impulse_, curvatureTerms_;
  std::vector<Vector6d> jointStart_, jointCurvatureTerms_;
  std::vector<ContactRow> rows_;
  std::vector<int> chosen_;
};

}  // namespace tenon::physics
