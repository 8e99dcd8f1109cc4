// The fixpoint iteration on distances that makes a solver a position-level one.
//
// Linearise δ at the trial state, solve the linear complementarity problem, go to the state that its
// forces lead to, ask for the distances there; repeat until no part overlaps and every contact that
// carries force touches, both to tolerances.h. So the condition 0 ≤ f ⟂ δ(σ(f)) ≥ 0 is verified on the
// true distances, not on their model (Hotz et al., Calculation of Contact Forces, section 4).
#pragma once

#include "physics/math/worst.h"
#include "physics/solver/active_set.h"
#include "physics/solver/contact_solver.h"
#include "physics/solver/coulomb_newton.h"
#include "physics/solver/linear_solver.h"

namespace tenon::physics {

class DistanceIteration : public ContactSolver {
 public:
  /// With `triesLastContacts`, every linearised problem is first given to the active set method with the
  /// contacts that carried force last, and to `inner` only where that does not solve it.
  DistanceIteration(SolverName name, std::unique_ptr<LinearSolver> inner, bool triesLastContacts);

  SolverName name() const override { return name_; }
  SolveReport solve(ContactProblem& problem, const std::vector<WarmForce>& warm,
                    ContactSolution& solution) override;

 private:
  /// How far the state reached is from the condition.
  struct Verdict {
    double penetration = 0;  ///< [m]
    double gap = 0;          ///< worst |δ| of a contact that carries force [m]
    double size() const { return worst(penetration, gap); }
  };
  /// Compares the forces of `solution` with the distances `problem` has now.
  Verdict judge(const ContactProblem& problem, const ContactSolution& solution) const;
  /// Solves the problem in form_ from the guess in y_.
  LinearReport solveLinear();
  /// Forces, friction and velocities of `solution` from y_.
  void takeOver(const ContactProblem& problem, ContactSolution& solution);
  void guessFrom(const ContactProblem& problem, const std::vector<WarmForce>& warm);

  SolverName name_;
  std::unique_ptr<LinearSolver> inner_;
  bool triesLastContacts_;
  ActiveSet lastContacts_;
  CoulombNewton lastTouches_;
  NormalForm form_;
  std::vector<double> y_, v_, lastU_;
  std::vector<WarmForce> guess_;
  ContactSolution best_;
};

}  // namespace tenon::physics
