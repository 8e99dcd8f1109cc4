// The selected solver and its fallbacks. Each attempt is accepted by the residuals of the state reached.
#pragma once

#include <array>

#include "physics/solver/contact_solver.h"

namespace tenon::physics {

struct ChainReport {
  SolveReport solve;                          ///< of the accepted answer; its work is that of all attempts
  SolverName solver = SolverName::automatic;  ///< the solver of that answer
  Accuracy accuracy = Accuracy::exact;        ///< with which the island was solved
  /// 1 for each solver that failed (index: SolverName).
  std::array<int, kSolverNames.size()> fallbacks{};
};

/// The selected solver; then gauss-seidel, where it is the fallback solver, and proximal-newton. Where all
/// fail in a step that can be divided, the step is divided (World::step()); in a substep the bodies back off.
///
/// `auto` is proximal-newton (ConeSolver). With Accuracy::fast it solves islands of several bodies without
/// joints by AndersonGaussSeidel alone, reported as gauss-seidel: where that fails the step is reported as
/// not converged. No number of bodies or contacts selects another tolerance or method.
class SolverChain {
 public:
  explicit SolverChain(SolverName first, const SolverOptions& options = {});

  /// As ContactSolver::solve(), by the first solver that succeeds; if none does, the best answer of all
  /// (Residuals::betterThan()). `problem` need not be linearized.
  ChainReport solve(ContactProblem& problem, const std::vector<WarmForce>& warm, ContactSolution& solution);

 private:
  /// True for an island that Accuracy::fast applies to.
  bool solvesFast(const LinearizedContacts& problem) const;
  /// Overlap that is accepted where all attempts have failed [m].
  double acceptedPenetration() const;
  /// Where all attempts have failed and the best answer overlaps by more than acceptedPenetration(): the
  /// bodies move along it only up to the last state that overlaps by no more than this, or than the start of
  /// the step does. Velocities and forces stay those of the answer, so that momentum is kept and the next
  /// step finds the contact that this one could not resolve still approaching. Linearizes the problem at the
  /// state reached.
  void backOff(ContactProblem& problem, const ContactSolution& solution, SolveReport& report);

  std::vector<std::unique_ptr<ContactSolver>> exact_, fast_;  ///< in the order in which they are tried
  bool isFast_ = false;  ///< the present island is solved with Accuracy::fast
  ContactSolution other_;
  std::vector<double> atRest_, partial_;
};

}  // namespace tenon::physics
