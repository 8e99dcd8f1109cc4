// The fixpoint iteration on distances that makes a solver a position-level one.
//
// Linearise δ at the trial state, solve the linear complementarity problem, go to the state that its
// forces lead to, ask for the distances there; repeat until no part overlaps and every contact that
// carries force touches, both to tolerances.h. So the condition 0 ≤ f ⟂ δ(σ(f)) ≥ 0 is verified on the
// true distances, not on their model (Hotz et al., Calculation of Contact Forces, section 4).
//
// Most steps end after one or two trials. Where edges are curved or normals turn fast, trials may go to and
// fro: then rows of earlier ones are kept (kept_rows.h), and the next problem is linearised on the way to
// the state reached, not at it.
#pragma once

#include "physics/solver/active_set.h"
#include "physics/solver/contact_solver.h"
#include "physics/solver/coulomb_newton.h"
#include "physics/solver/cutting_planes.h"
#include "physics/solver/linear_solver.h"
#include "physics/solver/residuals.h"

namespace tenon::physics {

/// What is asked of the state reached.
enum class Accuracy {
  full,         ///< kPenetrationTolerance and kGapTolerance
  largeIsland,  ///< kLargeIslandPenetration: many bodies, at a cost proportional to their number
};

class PositionIteration : public ContactSolver {
 public:
  /// With `triesLastContacts`, every linearised problem is first given to the active set method with the
  /// contacts that carried force last, and to `inner` only where that does not solve it.
  PositionIteration(SolverName name, std::unique_ptr<LinearSolver> inner, bool triesLastContacts,
                    Accuracy accuracy = Accuracy::full);

  SolverName name() const override { return name_; }
  SolveReport solve(ContactProblem& problem, const std::vector<WarmForce>& warm,
                    ContactSolution& solution) override;

 private:
  /// The normal form of `problem`, and y_ from forces.
  void prepare(LinearizedContacts& problem, const std::vector<WarmForce>& guess);
  /// Solves the problem in form_ from the guess in y_.
  LinearReport solveLinear();
  /// Forces, friction and velocities of `solution` from y_.
  void takeOver(LinearizedContacts& problem, ContactSolution& solution);
  bool isAccepted(const Residuals& reached, bool late) const;
  bool yieldsTooMuch(const ContactSolution& solution) const;
  /// Linearises between the state of the last linearised problem and the one its forces lead to.
  void stepBack(ContactProblem& problem, const ContactSolution& solution);
  /// `isLast`: it is in `solution`, and the problem at its state; else in best_.
  void takeBest(const Residuals& best, bool isLast, ContactProblem& problem, ContactSolution& solution,
                SolveReport& report);
  /// Forces in y_: of the same contacts, and of those not found any more at the nearest one of their pair.
  void warmStart(const LinearizedContacts& problem, const std::vector<WarmForce>& warm);
  void addGuess(const LinearizedContacts& problem, int k, const WarmForce& force);

  SolverName name_;
  std::unique_ptr<LinearSolver> inner_;
  bool triesLastContacts_;
  Accuracy accuracy_;
  ActiveSet activeSet_;
  CoulombNewton coulombNewton_;
  ScaledProblem form_;
  std::vector<double> y_, v_, lastU_;
  std::vector<double> from_;  ///< velocity of the state at which the last problem was linearised
  std::vector<WarmForce> guess_;
  CuttingPlanes cuttingPlanes_;
  double complianceScale_ = 1;  ///< factor on the compliance of contacts between rigid materials [-]
  double stepFraction_ = 1;     ///< of the way to the next trial state [-]
  ContactSolution best_;
};

}  // namespace tenon::physics
