// Impacts with restitution: what contacts that met in a step do to the velocities with which it ends,
// whichever solver the step had (baraff's own, inside a step and all at once, are in baraff_impact.h).
//
// A step leaves parts that met touching, and stops them on each other; here it is said how they part. The
// velocities just before are those at the start of the step, and of what else acts in it the share until they
// met: for one contact exactly what keeps its energy, w² = w₀² − 2 a δ₀. Then the impact goes from part to
// part as in Newton's cradle, round by round: of the contacts that approach fastest, by half of the fastest
// and more, together,
//     0 ≤ p ⟂ w⁺ + e w⁻ ≥ 0,   w⁺ = w⁻ + Gᵀ M̂⁻¹ (G p + T p_t),   Coulomb's law for p_t,
// with Newton's restitution e (E. J. Routh, Dynamics of a System of Rigid Bodies I, 1905, ch. IV; rounds:
// D. Baraff, Physically Based Modeling, SIGGRAPH course notes, 2001, 8). A round that would gain energy, as
// different e of contacts that are coupled, or friction, can make it, has the largest share of e that gains
// none (e = 0 never does). What is left when the rounds are up, or approaches slowly, is stopped by one last
// problem of all contacts.
#pragma once

#include <vector>

#include "physics/solver/contact_solver.h"
#include "physics/solver/fischer_newton.h"
#include "physics/solver/lemke_fixpoint.h"

namespace tenon::physics {

struct ImpactReport {
  bool happened = false;
  double share = 1;    ///< of what else acts in the step, that acted before [-]
  bool solved = true;  ///< false: a round could not be solved; the velocities are those before it
  int rounds = 0;
};

class ImpactSolver {
 public:
  /// `problem` as the step has left it, linearised at its end. Where no contact with restitution was met,
  /// `happened` is false. Allocates only while its workspace grows.
  ImpactReport solve(const LinearizedContacts& problem);

  /// After an impact: velocities of the bodies, 6n, and whether an impulse changed them.
  const std::vector<double>& velocity() const { return u_; }
  bool changed(int body) const { return changed_[body] != 0; }
  /// On body j of each row of `problem`: along its normal, and across [N s].
  double impulse(std::size_t row) const { return impulse_[row]; }
  const Vector3d& frictionImpulse(std::size_t row) const { return frictionImpulse_[row]; }

 private:
  bool findMeeting(const LinearizedContacts& problem);
  bool solveRows(double tolerance);
  bool smoothVelocity(const LinearizedContacts& problem);
  double shareUntilMeeting(const LinearizedContacts& problem) const;
  void takeApproaching(const LinearizedContacts& problem, bool all);
  bool bounceBack(const LinearizedContacts& problem, double share);
  bool round(const LinearizedContacts& problem, bool all);
  double energyGained(const LinearizedContacts& problem) const;
  void keep(const LinearizedContacts& problem);

  LinearizedContacts work_;  // the same bodies and joints with other rows and velocities
  ScaledProblem form_;
  FischerNewton newton_;
  LemkeFixpoint lemke_;
  std::vector<char> meets_, changed_;
  std::vector<int> taken_;  // rows of the problem that are in work_
  std::vector<double> u_, next_, smooth_, y_, v_, impulse_;
  std::vector<Vector3d> frictionImpulse_;
};

}  // namespace tenon::physics
