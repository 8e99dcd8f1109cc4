// The iteration on positions that makes each inner solver a position-level contact solver.
//
// Linearize δ at the trial state, solve the linear complementarity problem, integrate to the state that its
// forces lead to, and evaluate the distances there; repeat until no part overlaps and every contact that
// carries force touches, both to tolerances.h. So the condition 0 ≤ f ⟂ δ(σ(f)) ≥ 0 is verified on the true
// distances, not on their linear model (Hotz et al., Calculation of Contact Forces, section 4).
//
// Most steps end after one or two trials. Where edges are curved or normals turn fast, trials may alternate
// between states: then rows of earlier trials are kept (cutting_planes.h), and the next problem is linearized
// between the last state and the one reached.
#pragma once

#include <limits>

#include "physics/solver/cutting_planes.h"
#include "physics/solver/linearized_problem_solver.h"
#include "physics/solver/residuals.h"

namespace tenon::physics {

class PositionIteration : public ContactSolver {
 public:
  PositionIteration(SolverName name, std::unique_ptr<LinearSolver> inner,
                    Accuracy accuracy = Accuracy::exact);

  SolverName name() const override { return name_; }
  SolveReport solve(ContactProblem& problem, const std::vector<WarmForce>& warm,
                    ContactSolution& solution) override;

 private:
  /// One solve(), from trial to trial.
  struct Progress {
    Residuals last, best;
    bool bestIsLast = false;     ///< `solution` holds the best state; else best_
    bool keepsRows = false;      ///< rows of earlier trials are kept from now on
    bool atLastState = true;     ///< the problem is linearized at the last trial state, not between states
    double complianceScale = 1;  ///< with which `solution` was found [-]
    int fullStepTrials = 0;      ///< trials before the step is shortened
    int stalled = 0;             ///< successive trials that did not reduce `least` enough
    /// Residual of a trial, since redirect() [m].
    double least = std::numeric_limits<double>::infinity();

    /// Of a new trial; true where enough of them did not reduce the residual.
    bool noteResidual(double size);
  };
  void begin(const LinearizedContacts& problem, const std::vector<WarmForce>& warm,
             ContactSolution& solution);
  /// Solves the linearized problem; the problem is then linearized at the state that `solution` leads to.
  LinearReport solveTrial(ContactProblem& problem, ContactSolution& solution, Progress& progress);
  /// Residuals of the state reached. `solved`: its forces solve the linearized problem.
  Residuals evaluateTrial(const LinearizedContacts& problem, const ContactSolution& solution,
                          bool solved) const;
  bool isAccepted(const Residuals& reached) const;
  /// True where no further trial follows, whether the best state is accepted or not.
  bool isFinished(const SolveReport& report, const Progress& progress, bool solved) const;
  bool yieldsTooMuch(const ContactSolution& solution) const;
  /// Forces act along the directions of the trial states from now on.
  static void redirect(ContactProblem& problem, const ContactSolution& solution, Progress& progress,
                       SolveReport& report);
  /// Linearizes between the state of the last linearized problem and the one its forces lead to.
  void stepBack(ContactProblem& problem, const ContactSolution& solution);
  /// Makes `solution` and `report` those of the best state, and linearizes the problem there.
  void selectBest(Progress& progress, ContactProblem& problem, ContactSolution& solution,
                  SolveReport& report);

  SolverName name_;
  LinearizedProblemSolver linear_;
  Accuracy accuracy_;
  std::vector<double> lastU_;
  std::vector<double> from_;  ///< velocity of the state at which the last problem was linearized
  std::vector<WarmForce> guess_;
  CuttingPlanes cuttingPlanes_;
  bool givesUpEarly_ = false;   ///< ConeSolver, in a step that can be divided
  double complianceScale_ = 1;  ///< factor on the compliance of contacts between rigid materials [-]
  double stepFraction_ = 1;     ///< fraction of the step to the next trial state [-]
  ContactSolution best_;
};

}  // namespace tenon::physics
