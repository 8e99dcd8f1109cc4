// Baraff's solver: contact forces from accelerations at the start of the step.
//
// With u the velocities at the start and u⁺ = u_free + Δt M̂⁻¹ G f those at the end, the surfaces of contact k
// separate with the acceleration
//     a_k = G_kᵀ (u⁺ − u)/Δt + γ_k = (A f)_k + G_kᵀ (u_free − u)/Δt + γ_k,   A = Gᵀ M̂⁻¹ G,
// and 0 ≤ f ⟂ a ≥ 0, joints a = 0 (D. Baraff, Fast contact force computation for nonpenetrating rigid bodies,
// SIGGRAPH 94). γ holds all terms of velocity, 2 ṅ·(ṗ₁ − ṗ₂) and the centripetal ones: it is the second
// derivative of the distance along a motion of constant velocity. It is computed from the geometry itself,
//     γ_k = 2 (δ_k(s + Δt S u) − δ_k(s) − Δt G_kᵀ u)/Δt²,
// so that curved surfaces and joints need no formulas of their own; 0 where the feature is not found there.
//
// The method does not evaluate the distances at the END of the step, so errors accumulate from step to step.
// Extra acceleration removes them: see ExtraAcceleration. With the distance, (δ + Δt w)/Δt² − γ/2 is added,
// and Δt² a is then the distance at the end of the step to second order.
#pragma once

#include "physics/solver/contact_solver.h"
#include "physics/solver/row_system.h"

namespace tenon::physics {

/// One linearization at the start of the step, one in the direction of motion, one problem for Baraff's
/// method, and the distances of the state reached, from which overlaps are reported. `solved` means that the
/// forces push and that the accelerations satisfy the condition above. It promises nothing about overlaps.
/// `residual` is that of the forces on these accelerations; where no forces were found, on the distances.
///
/// Where contacts get no extra acceleration, those that touch, or would in this step, and approach faster
/// than kImpactSpeed are first stopped by inelastic impulses, which are reported as forces. Friction is not
/// modeled: a problem with friction is solved without it and reported as not solved. A contact that separates
/// may slow down to rest in any case.
class AccelerationSolver : public ContactSolver {
 public:
  AccelerationSolver(const BaraffOptions& method, ExtraAcceleration extra);

  SolverName name() const override { return SolverName::baraff; }
  SolveReport solve(ContactProblem& problem, const std::vector<WarmForce>& warm,
                    ContactSolution& solution) override;

  /// Least speed of approach that counts as an impact [m/s]; 1 ms of free fall gives ten times as much.
  static constexpr double kImpactSpeed = 1e-3;

 private:
  struct Extra {
    bool velocity = false, distance = false;
  };
  /// Restitution with which bodies that meet on their paths move on until they touch, −1…0 [-]; 0 for others.
  double restitutionUntilMet(const ContactRow& row) const;
  /// Stops approaching contacts; false where there were none, or the impulses were not found.
  bool stopApproaches(const LinearizedContacts& problem, SolveReport& report);
  /// Fills chosen_ with the contacts that may carry force.
  void chooseContacts(const LinearizedContacts& problem);
  void storeStart(ContactProblem& problem);
  /// Fills curvatureTerms_: the difference of distances and joint equations from their linear model at the
  /// velocity u [m, rad].
  void findCurvatureTerms(ContactProblem& problem);
  double curvatureTermOf(const LinearizedContacts& problem, const ContactRow& row) const;
  void fill(const LinearizedContacts& problem);
  /// Acceleration of a row without forces, including the extra acceleration [m/s² or rad/s²].
  double freeAcceleration(double gain, double speed, double distance, double curvatureTerm, bool oneSided,
                          Extra extra) const;
  bool solveForces(const LinearizedContacts& problem, SolveReport& report);
  void writeSolution(const LinearizedContacts& problem, bool solved, ContactSolution& solution);

  Extra ofContacts_, ofJoints_;
  RowSystem system_;
  RowSystem impact_;
  double dt_ = 0;
  std::vector<double> u_;                      ///< at the start, after impulses
  std::vector<double> extrapolationVelocity_;  ///< velocity along which curvature terms are evaluated
  std::vector<double> base_;                   ///< velocity at the end without forces
  std::vector<double> zero_, impulse_, curvatureTerms_, restitution_;
  std::vector<Vector6d> jointStart_, jointCurvatureTerms_;
  std::vector<ContactRow> rows_;
  std::vector<int> chosen_;
};

}  // namespace tenon::physics
