// One linearized problem of the position iteration: scaling, warm start, inner solver, and back to forces.
#pragma once

#include "physics/solver/contact_solver.h"
#include "physics/solver/linear_solver.h"
#include "physics/solver/proximal_newton.h"

namespace tenon::physics {

class LinearizedProblemSolver {
 public:
  explicit LinearizedProblemSolver(std::unique_ptr<LinearSolver> inner) : inner_(std::move(inner)) {}

  /// Scales `problem`. The initial guess has the forces `guess` of the same contacts; a force whose contact
  /// is not found acts at the nearest one of its pair.
  void build(const LinearizedContacts& problem, const std::vector<WarmForce>& guess);

  /// Solves the problem of the last build(): with the compliance of its rows, which makes the forces unique;
  /// where contacts between rigid materials then yield too much, again without the compliance of these
  /// (ScaledProblem::removeCompliance()). Where that has no solution, the compliant one stays; where even
  /// that is not found, contacts yield more (both: LinearReport::compliant). Where all fail, the solution is
  /// the inner solver's point for the problem as posed. More yield only where LinearSolver::mayYield().
  ///
  /// A natural residual of `sufficient` [m], 0 for none, ends the search for a better
  /// answer, which is then reported as `nearly` solved.
  ///
  /// Not `thorough`: a problem with friction that Newton's method and A do not solve is given up
  /// (LinearSolver::setThorough()).
  LinearReport solve(double sufficient = 0, bool thorough = true);

  /// Forces, friction and velocities of `solution`. Moves the rows of `problem`, the one of the last build(),
  /// to `solution.solved`.
  void writeSolution(LinearizedContacts& problem, ContactSolution& solution);

  /// Of the last build().
  bool frictional() const { return scaled_.frictional(); }
  /// LinearSolver::mayYield().
  bool mayYield() const { return inner_->mayYield(); }
  /// Accuracy of distances to which the inner solver converges [m]; 0: to rounding.
  double accuracy() const { return inner_->accuracy(); }

 private:
  /// The least natural residual that is required of the problem [√J].
  double tolerance() const;
  /// Replaces y_ by the solution, from the guess other_, of the problem with the compliance that it now has;
  /// false: none was found. By Newton's method, which uses the guess, and then by the inner solver; of
  /// methods whose contacts may yield only `byAll`.
  bool solveAgain(double tolerance, int& iterations, bool byAll);
  void addGuess(const ContactRow& row, int k, const WarmForce& force);

  std::unique_ptr<LinearSolver> inner_;
  ProximalNewton newton_;
  ScaledProblem scaled_;
  std::vector<double> y_, v_;
  std::vector<double> other_;       ///< guess and solution of solveAgain()
  bool changesCompliance_ = false;  ///< y_ solves the problem with another compliance than its rows have
};

}  // namespace tenon::physics
