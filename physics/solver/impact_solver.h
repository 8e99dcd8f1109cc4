// Impacts with restitution: velocities at the end of a step after the contacts that closed in it, for every
// solver (baraff's own, inside a step and all at once, are in baraff_impact.h).
//
// A step leaves parts that met touching, without separation speed. The velocities just before the impact are
// those at the start of the step plus the fraction of everything else that acts in the step until they met:
// for one contact exactly what keeps its energy, w² = w₀² − 2 a δ₀. Then the impact propagates from part to
// part as in Newton's cradle, round by round: for the contacts that approach at least half as fast as the
// fastest, together,
//     0 ≤ p ⟂ w⁺ + e w⁻ ≥ 0,   w⁺ = w⁻ + Gᵀ M̂⁻¹ (G p + T p_t),   Coulomb's law for p_t,
// with Newton's restitution e (E. J. Routh, Dynamics of a System of Rigid Bodies I, 1905, ch. IV; rounds:
// D. Baraff, Physically Based Modeling, SIGGRAPH course notes, 2001, 8). A round that would gain energy, as
// different e of coupled contacts or friction may, uses the largest fraction of e that gains none (e = 0
// never does). After the last round, or where only slow approaches remain, one last problem of all contacts
// stops them.
#pragma once

#include <vector>

#include "physics/solver/contact_solver.h"
#include "physics/solver/fischer_newton.h"
#include "physics/solver/lemke_fixpoint.h"

namespace tenon::physics {

struct ImpactReport {
  bool happened = false;
  double share = 1;    ///< fraction of the step's other velocity change that acted before the impact [-]
  bool solved = true;  ///< false: a round could not be solved; the velocities are those before it
  int rounds = 0;
};

class ImpactSolver {
 public:
  /// `problem` at the end of the step, linearized there. Where no contact with restitution closed,
  /// `happened` is false. Allocates only while its workspace grows.
  ImpactReport solve(const LinearizedContacts& problem);

  /// After an impact: velocities of the bodies, 6n, and whether an impulse changed them.
  const std::vector<double>& velocity() const { return u_; }
  bool changed(int body) const { return changed_[body] != 0; }
  /// On body j of each row of `problem`: along its normal, and tangential [N s].
  double impulse(std::size_t row) const { return impulse_[row]; }
  const Vector3d& frictionImpulse(std::size_t row) const { return frictionImpulse_[row]; }

 private:
  /// The same bodies and joints with other rows and velocities.
  class Velocities : public ContactProblem {
    void linearize(const std::vector<double>&) override {}
  };

  bool findClosingContacts(const LinearizedContacts& problem);
  bool solveRows(double tolerance);
  bool solveNonImpactVelocity(const LinearizedContacts& problem);
  double fractionUntilContact(const LinearizedContacts& problem) const;
  void selectApproaching(const LinearizedContacts& problem, bool all);
  bool solveRestitution(const LinearizedContacts& problem, double share);
  bool round(const LinearizedContacts& problem, bool all);
  double energyGained(const LinearizedContacts& problem) const;
  void addImpulses(const LinearizedContacts& problem);

  Velocities work_;
  ScaledProblem scaled_;
  FischerNewton newton_;
  LemkeFixpoint lemke_;
  std::vector<char> closed_, changed_;
  std::vector<int> selected_;  // rows of the problem that are in work_
  std::vector<double> u_, next_, nonImpact_, y_, v_, impulse_;
  std::vector<Vector3d> frictionImpulse_;
};

}  // namespace tenon::physics
